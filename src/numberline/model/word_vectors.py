"""Words with one vector each, as read from a file: without an encoder or output vectors."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import ClassVar

import numpy as np

from numberline.arrays import Array
from numberline.errors import NumberlineWarning, VectorsError
from numberline.model.lookup import Lookup, Query, TokenIds, number_of
from numberline.model.token_vectors import TokenVectors
from numberline.numerals.base import Side
from numberline.reading.numerals import plain_number
from numberline.settings import TextSettings

ROWS_AT_A_TIME = 10_000  # whose numbers are checked at once


@dataclass(frozen=True, eq=False)
class WordVectors(TokenVectors):
    """Words and their vectors, used like an Embeddings.

    A numeral is known only if it is among the words as it is spelled; a number is looked up as
    `plain_number` spells it.
    """

    words: list[str]
    table: Array  # [words, dim]

    sides: ClassVar[tuple[Side, ...]] = ("input",)

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __repr__(self) -> str:
        return f"<WordVectors of {len(self):,} words, {self.dim} dimensions>"

    def word_table(self, side: Side = "input") -> Array:
        return self.table

    @cached_property
    def lookup(self) -> Lookup:
        word_ids = {word: id for id, word in enumerate(self.words)}
        return SpelledLookup(self.words, word_ids, TextSettings(), has_numerals=False)


class SpelledLookup(Lookup):
    """A lookup in which numbers are words."""

    def read_tokens(self, tokens: Iterable[Query]) -> TokenIds:
        """Return the ids of tokens, all of them words or unknown."""
        return super().read_tokens(map(spelled, tokens))


def spelled(token: Query) -> Query:
    """Return a finite number as `plain_number` spells it, anything else unchanged."""
    value = number_of(token) if isinstance(token, Real) else None
    return token if value is None else plain_number(value)


def from_file(words: list[str], table: Array, name: str) -> WordVectors:
    """Return the words and vectors of a file; a repeated word keeps its first vector."""
    for start in range(0, len(table), ROWS_AT_A_TIME):
        is_finite = np.isfinite(table[start : start + ROWS_AT_A_TIME]).all(axis=1)
        if not is_finite.all():
            word = words[start + int(np.argmin(is_finite))]
            raise VectorsError(
                f"{name}: the vector of {word!r:.40} has a number that is not finite"
            )
    first = {word: index for index, word in reversed(list(enumerate(words)))}
    if len(first) == len(words):
        return WordVectors(words, table)
    repeated = len(words) - len(first)
    warnings.warn(
        f"{name}: {repeated:,} words are repeated; the first vector of each is kept",
        NumberlineWarning,
        stacklevel=2,
    )
    kept = sorted(first.values())
    return WordVectors([words[index] for index in kept], table[kept])

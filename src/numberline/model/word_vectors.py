"""Words and one vector each, as files of other tools hold them: no encoder, no output side."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from numberline.arrays import Array
from numberline.errors import NumberlineWarning, VectorsError
from numberline.model.arguments import one_of
from numberline.model.lookup import UNKNOWN, Lookup, Query
from numberline.model.token_vectors import UNKNOWN_CHOICES, TokenVectors
from numberline.numerals.base import Side
from numberline.reading.numerals import plain_number
from numberline.settings import TextSettings

CHECKED_ROWS = 10_000  # at a time


@dataclass(frozen=True, eq=False)
class WordVectors(TokenVectors):
    """Asked like an Embeddings. A numeral is known only if it is among the words as it is spelled;
    a number is looked for as `plain_number` spells it.
    """

    words: list[str]
    table: Array  # [words, dim]

    @property
    def dim(self) -> int:
        return int(self.table.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        return f"<WordVectors of {len(self):,} words, {self.dim} dimensions>"

    def spelled(self, token: Query) -> Query:
        """A finite number as it would stand among words; all else stays what it is."""
        is_number = isinstance(token, int | float | np.integer | np.floating)
        return plain_number(float(token)) if is_number and np.isfinite(token) else token

    def vectors(
        self, tokens: Iterable[Query], side: Side = "input", unknown: str = "error"
    ) -> Array:
        """One row per token; what is unknown is a KeyError, or "zero", or the "mean" of all."""
        one_of("side", side, ("input",))
        one_of("unknown", unknown, UNKNOWN_CHOICES)
        asked = list(tokens)
        ids = self.lookup.find(map(self.spelled, asked)).ids
        is_known = ids != UNKNOWN
        if unknown == "error" and not is_known.all():
            self.lookup.refuse(asked[int(np.argmin(is_known))])
        rows = np.zeros((len(asked), self.dim), np.float32)
        rows[is_known] = self.table[ids[is_known]]
        if unknown == "mean":
            rows[~is_known] = self.table.mean(axis=0)
        return rows

    @cached_property
    def lookup(self) -> Lookup:
        word_ids = {word: at for at, word in enumerate(self.words)}
        return Lookup(self.words, word_ids, TextSettings(), has_numerals=False)


def from_file(words: list[str], table: Array, name: str) -> WordVectors:
    """Words and rows that were read, checked; of words that come twice the first is kept."""
    for start in range(0, len(table), CHECKED_ROWS):
        is_finite = np.isfinite(table[start : start + CHECKED_ROWS]).all(axis=1)
        if not is_finite.all():
            word = words[start + int(np.argmin(is_finite))]
            raise VectorsError(f"{name}: the vector of {word!r:.40} holds what is no finite number")
    first = {word: at for at, word in reversed(list(enumerate(words)))}
    if len(first) == len(words):
        return WordVectors(words, table)
    repeated = len(words) - len(first)
    warnings.warn(
        f"{name}: {repeated:,} words came before; the first vector of each is kept",
        NumberlineWarning,
        stacklevel=2,
    )
    kept = sorted(first.values())
    return WordVectors([words[at] for at in kept], table[kept])

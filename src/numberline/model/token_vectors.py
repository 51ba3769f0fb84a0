"""Tokens → vectors: what trained models and vectors read from a file have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from numberline.arrays import Array
from numberline.errors import TokensError
from numberline.fields import as_list, one_of
from numberline.model.lookup import UNKNOWN, Lookup, Query, TokenIds
from numberline.numerals.base import SIDES, Side

UNKNOWN_CHOICES = ("error", "zero", "mean")


class TokenVectors(ABC):
    """Vectors of tokens. A subclass provides the lookup and the table of word vectors."""

    sides: ClassVar[tuple[Side, ...]] = SIDES

    @property
    @abstractmethod
    def lookup(self) -> Lookup:
        """The vocabulary, which turns tokens into ids."""

    @abstractmethod
    def word_table(self, side: Side = "input") -> Array:
        """Return the vectors of all words: [words, dim]."""

    @property
    def dim(self) -> int:
        """The length of the vectors."""
        return int(self.word_table().shape[1])

    def vectors(
        self, tokens: Iterable[Query], side: Side = "input", unknown: str = "error"
    ) -> Array:
        """Return one row per token.

        An unknown token raises a KeyError, or with unknown="zero" gets a row of zeros, with "mean"
        the mean of all words.
        """
        one_of(*self.sides)("side", side)
        one_of(*UNKNOWN_CHOICES)("unknown", unknown)
        queries = as_list("tokens", tokens)
        read = self.lookup.read_tokens(queries)
        if unknown == "error" and not read.is_known.all():
            self.lookup.refuse(queries[int(np.argmin(read.is_known))])
        rows = self.rows(read, side)
        if unknown == "mean" and len(self.word_table()) and not read.is_known.all():
            rows[~read.is_known] = self.word_table(side).mean(axis=0)
        return rows

    def rows(self, tokens: TokenIds, side: Side = "input") -> Array:
        """Return one row per token; unknown ones get zeros."""
        rows = np.zeros((len(tokens), self.dim), np.float32)
        table = self.word_table(side)
        if len(table):
            # Filling all rows in place takes half the time of selecting those of words.
            np.take(table, tokens.ids, axis=0, out=rows, mode="clip")
            rows[~tokens.is_known] = 0
        return rows

    def vector(self, token: Query, side: Side = "input", unknown: str = "error") -> Array:
        """Return the vector of one token; arguments as in `vectors`."""
        row: Array = self.vectors([token], side, unknown)[0]
        return row

    def __getitem__(self, token: Query) -> Array:
        return self.vector(token)

    def __contains__(self, token: object) -> bool:
        try:
            read = self.lookup.read_tokens([token])  # type: ignore[list-item]
        except TokensError:
            return False
        return int(read.ids[0]) != UNKNOWN

"""The words and distinct numerals of a corpus with their counts, and its totals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats


@dataclass(frozen=True)
class CorpusTotals:
    """Counts over a whole corpus, including rare words that are cut."""

    sentences: int  # lines that hold a token
    word_tokens: int
    numeral_tokens: int
    distinct_words: int
    replaced_characters: int  # U+FFFD written in place of bytes that are not UTF-8
    missing_texts: int = 0  # rows or elements without text

    @property
    def tokens(self) -> int:
        return self.word_tokens + self.numeral_tokens

    @property
    def numeral_fraction(self) -> float:
        return self.numeral_tokens / max(1, self.tokens)


@dataclass(frozen=True, eq=False)
class Numerals:
    """The distinct numerals of a corpus: pairs of a value and a kind, and how often each occurs.

    They are sorted by kind, then by value. Kinds are indices, as in kinds.py.
    """

    values: npt.NDArray[np.float64]
    kinds: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def _distinct(self) -> tuple[Floats, npt.NDArray[np.intp]]:
        values, indices = np.unique(self.values, return_inverse=True)
        return values, indices.reshape(-1)

    @property
    def distinct_values(self) -> Floats:
        """Return each value once, ascending."""
        return self._distinct[0]

    @property
    def value_indices(self) -> npt.NDArray[np.intp]:
        """Return the index of each pair's value among the distinct values."""
        return self._distinct[1]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words of a corpus, most frequent first, and its distinct numerals.

    In an encoded corpus words have the ids 0 … V-1, numerals V … V+N-1: one id for each pair of a
    value and a kind. `numeral_values` and `numeral_counts` do not tell kinds apart.
    """

    words: list[str]
    word_counts: npt.NDArray[np.int64]
    numerals: Numerals
    totals: CorpusTotals

    @cached_property
    def word_ids(self) -> dict[str, int]:
        return {word: id for id, word in enumerate(self.words)}

    @property
    def numeral_values(self) -> Floats:
        """Return the distinct values of numerals, ascending."""
        return self.numerals.distinct_values

    @cached_property
    def numeral_counts(self) -> npt.NDArray[np.int64]:
        """Return how often each of `numeral_values` occurs, as any kind."""
        counts = np.zeros(len(self.numeral_values), np.int64)
        np.add.at(counts, self.numerals.value_indices, self.numerals.counts)
        return counts

    @cached_property
    def kind_counts(self) -> npt.NDArray[np.int64]:
        """Return how many numerals are of each kind, up to the last kind that occurs."""
        counts = np.zeros(int(self.numerals.kinds.max(initial=-1)) + 1, np.int64)
        np.add.at(counts, self.numerals.kinds, self.numerals.counts)
        return counts

    def without_kinds(self) -> Vocabulary:
        """Return the same words, and each number once, as a plain one."""
        kinds = np.zeros(len(self.numeral_values), np.int32)
        numerals = Numerals(self.numeral_values, kinds, self.numeral_counts)
        return replace(self, numerals=numerals)

    def counts_of(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Return how often each of these numbers occurs in the corpus."""
        if not len(self.numeral_values):
            return np.zeros(len(values), np.int64)
        last = len(self.numeral_values) - 1
        indices = np.minimum(np.searchsorted(self.numeral_values, values), last)
        is_there = self.numeral_values[indices] == values
        return np.where(is_there, self.numeral_counts[indices], 0)

    @property
    def kept_tokens(self) -> int:
        """Return the number of tokens, not counting words that were cut."""
        return int(self.word_counts.sum()) + int(self.numerals.counts.sum())

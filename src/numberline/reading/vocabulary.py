"""The words and distinct numerals of a corpus with their counts, and its totals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt


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
class Vocabulary:
    """The words of a corpus, most frequent first, and its distinct numerals, by value.

    In an encoded corpus words have the ids 0 … V-1, numerals V … V+N-1.
    """

    words: list[str]
    word_counts: npt.NDArray[np.int64]
    numeral_values: npt.NDArray[np.float64]
    numeral_counts: npt.NDArray[np.int64]
    totals: CorpusTotals

    @cached_property
    def word_ids(self) -> dict[str, int]:
        return {word: id for id, word in enumerate(self.words)}

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
        return int(self.word_counts.sum()) + int(self.numeral_counts.sum())

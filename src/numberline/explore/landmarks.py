"""A model → the words near each number of the line, and the numbers near each word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.explore.line import steps_between
from numberline.model.embeddings import Embeddings
from numberline.model.neighbours import (
    FREQUENT_FRACTION,
    LARGEST_DEFAULT_COUNT,
    SUPPORT_DISTANCE,
    Neighbour,
    apart_from_each_other,
    count_that_covers,
    largest,
    named,
    unit,
)
from numberline.numerals.squash import squash

COMMON_WORDS = 5000  # the most frequent ones; rarer words are near a number by accident
STEPS = 80  # numbers of a stretch whose nearest words become landmarks
NEAREST = 6  # words for each of these numbers
USUAL_WORDS = 400  # common words that tell which similarities are usual
USUAL = (0.05, 0.95)  # quantiles between which nine in ten of these words are


class Landmark(NamedTuple):
    word: str
    value: float  # the number of the stretch that is most similar to it
    similarity: float


@dataclass(frozen=True, eq=False)
class Landmarks:
    model: Embeddings

    @cached_property
    def words(self) -> list[str]:
        """The common words, without rare ones and lone punctuation marks."""
        counts = self.model.vocabulary.word_counts[:COMMON_WORDS]
        common = self.model.words[: max(1, int((counts >= self.least_count).sum()))]
        return [word for word in common if any(map(str.isalpha, word))] or common

    @cached_property
    def least_count(self) -> int:
        """The occurrences below which a word or number tells little: as for `similar`."""
        vocabulary = self.model.vocabulary
        counts = np.concatenate([vocabulary.word_counts, vocabulary.numeral_counts])
        return min(LARGEST_DEFAULT_COUNT, count_that_covers(counts, FREQUENT_FRACTION))

    def support(self, values: Floats) -> Floats:
        """Return how many numerals of the corpus lie within 5 % of each value."""
        corpus, wanted = self._positions, squash(values)
        first = np.searchsorted(corpus, wanted - SUPPORT_DISTANCE, "left")
        last = np.searchsorted(corpus, wanted + SUPPORT_DISTANCE, "right")
        support: Floats = self._occurrences_before[last] - self._occurrences_before[first]
        return support

    @cached_property
    def _positions(self) -> Floats:
        return squash(self.model.vocabulary.numeral_values)

    @cached_property
    def _occurrences_before(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum(self.model.vocabulary.numeral_counts)])

    @cached_property
    def word_rows(self) -> Array:
        return unit(self.model.vectors(self.words))

    def nearest(self, values: Floats, count: int) -> list[list[Neighbour]]:
        """Return the common words nearest to each value (`Embeddings.similar` searches all)."""
        similarity = self.numeral_rows(values) @ self.word_rows.T
        return [
            [Neighbour(self.words[id], float(row[id])) for id in largest(row, count)]
            for row in similarity
        ]

    def nearest_numbers(self, value: float, count: int) -> list[Neighbour]:
        """Return the frequent numerals of the corpus whose vectors are nearest to a value's."""
        similarity: Array = self._frequent_rows @ self.numeral_rows(np.array([value]))[0]
        nearest = apart_from_each_other(self.frequent_numerals, similarity, count, value)
        return named(self.frequent_numerals, similarity, nearest)

    @cached_property
    def frequent_numerals(self) -> Floats:
        """The numerals that occur at least `least_count` times, ascending; all, if none does."""
        vocabulary = self.model.vocabulary
        is_frequent = vocabulary.numeral_counts >= self.least_count
        return vocabulary.numeral_values[is_frequent | ~is_frequent.any()]

    @cached_property
    def _frequent_rows(self) -> Array:
        return self.numeral_rows(self.frequent_numerals)

    def along(self, low: float, high: float, count: int) -> list[Landmark]:
        """Return the words that are most similar to a number of a stretch, the best first."""
        values = steps_between(low, high, STEPS)
        values = values[self.support(values) >= self.least_count]
        if not len(values):
            return []
        similarity = self.numeral_rows(values) @ self.word_rows.T
        words = np.unique([largest(row, NEAREST) for row in similarity])
        peaks = similarity[:, words].argmax(axis=0)
        # A word that is most similar to an end of the stretch has its peak beyond it.
        is_inside = (peaks > 0) & (peaks < len(values) - 1)
        words, peaks = words[is_inside], peaks[is_inside]
        heights = similarity[peaks, words]
        return [
            Landmark(self.words[words[at]], float(values[peaks[at]]), float(heights[at]))
            for at in largest(heights, count)
        ]

    def curve(self, word: str, values: Floats) -> Floats:
        """Return the similarity of a word to each of these numbers."""
        similarity: Array = self.numeral_rows(values) @ unit(self.model[word])
        return similarity.astype(np.float64)

    def usual(self, values: Floats) -> tuple[Floats, Floats]:
        """Return between which similarities to each number nine in ten common words are."""
        some = self.word_rows[:: max(1, len(self.words) // USUAL_WORDS)]
        low, high = np.quantile(self.numeral_rows(values) @ some.T, USUAL, axis=1)
        return low, high

    def numeral_rows(self, values: Floats) -> npt.NDArray[np.float32]:
        return unit(self.model.numeral_vectors(values))

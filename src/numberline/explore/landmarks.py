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
from numberline.model.neighbours import Neighbour, largest, unit

COMMON_WORDS = 5000  # the most frequent ones; rarer words are near a number by accident
STEPS = 80  # numbers of a stretch whose nearest words become landmarks
NEAREST = 6  # words for each of these numbers


class Landmark(NamedTuple):
    word: str
    value: float  # the number of the stretch that is most similar to it
    similarity: float


@dataclass(frozen=True, eq=False)
class Landmarks:
    model: Embeddings

    @cached_property
    def words(self) -> list[str]:
        """The common words, without lone punctuation marks."""
        common = self.model.words[:COMMON_WORDS]
        return [word for word in common if any(map(str.isalpha, word))] or common

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

    def along(self, low: float, high: float, count: int) -> list[Landmark]:
        """Return the words that are most similar to a number of a stretch, the best first."""
        values = steps_between(low, high, STEPS)
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

    def numeral_rows(self, values: Floats) -> npt.NDArray[np.float32]:
        return unit(self.model.numeral_vectors(values))

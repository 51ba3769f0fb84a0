"""A model → words along the number line: which are near a number, and where a word lives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.model.embeddings import Embeddings
from numberline.model.neighbours import Neighbour, largest, unit
from numberline.numerals.squash import squash, unsquash

COMMON = 5000  # words, the most frequent: rarer ones are near a number by accident
STOPS = 80  # places on a stretch of the line at which its words are looked for
NEAREST = 6  # words that are looked at there
CURVE_POINTS = 480
FEW = 8  # whole numbers; with less of them a stretch is seen by decimals


class Landmark(NamedTuple):
    word: str
    value: float  # where on the stretch it is most similar
    similarity: float


@dataclass(frozen=True, eq=False)
class Landmarks:
    model: Embeddings

    @cached_property
    def words(self) -> list[str]:
        """Common words; a lone punctuation mark names nothing."""
        common = self.model.words[:COMMON]
        return [word for word in common if any(map(str.isalpha, word))] or common

    @cached_property
    def word_rows(self) -> Array:
        return unit(self.model.vectors(self.words))

    def nearest(self, values: Floats, count: int) -> list[list[Neighbour]]:
        """To each value, among common words; `Embeddings.similar` looks at all."""
        similarity = self.numeral_rows(values) @ self.word_rows.T
        return [
            [Neighbour(self.words[at], float(row[at])) for at in largest(row, count)]
            for row in similarity
        ]

    def along(self, low: float, high: float, count: int) -> list[Landmark]:
        """Words that are most similar to a number within a stretch of the line, the best first."""
        values = stretch(low, high, STOPS)
        similarity = self.numeral_rows(values) @ self.word_rows.T
        words = np.unique([largest(row, NEAREST) for row in similarity])
        peaks = similarity[:, words].argmax(axis=0)
        # What is most similar at an end lives beyond it.
        is_inside = (peaks > 0) & (peaks < len(values) - 1)
        words, peaks = words[is_inside], peaks[is_inside]
        heights = similarity[peaks, words]
        return [
            Landmark(self.words[words[at]], float(values[peaks[at]]), float(heights[at]))
            for at in largest(heights, count)
        ]

    def curve(self, word: str, values: Floats) -> Floats:
        """How similar a word is to each of these numbers."""
        found: Floats = (self.numeral_rows(values) @ unit(self.model[word])).astype(np.float64)
        return found

    def numeral_rows(self, values: Floats) -> npt.NDArray[np.float32]:
        return unit(self.model.numeral_vectors(values))


def stretch(low: float, high: float, points: int) -> Floats:
    """Numbers at even steps of the squashed line, between its ends.

    Beyond ±1 whole ones, where there are some: those with decimals may have other words, which
    would be seen in between.
    """
    values = unsquash(np.linspace(squash(low), squash(high), points + 2)[1:-1])
    if np.floor(high) < np.ceil(low) + FEW - 1:  # their difference may be beyond all floats
        return values
    whole = np.clip(np.rint(values), np.ceil(low), np.floor(high))
    return np.unique(np.where(np.abs(values) < 1, values, whole))

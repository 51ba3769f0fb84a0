"""A vector → the words and numerals whose vectors point in nearly the same direction."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.fields import as_count, one_of
from numberline.model.lookup import TokenIds
from numberline.model.number_grid import between_neighbours, round_numbers
from numberline.numerals.squash import squash
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.kinds import UNKNOWN_KIND
from numberline.reading.numerals import plain_number
from numberline.reading.vocabulary import Vocabulary

KINDS = ("words", "numerals", "both")
AMONG = ("line", "corpus")
SAME_NUMBER = 0.005  # on the squashed number line, half a percent: only the better one is listed
SUPPORT_DISTANCE = 0.05  # on the squashed number line: within 5 %, occurrences support a number
FREQUENT_FRACTION = 0.99  # of all tokens; rarer ones are no neighbours by default
LARGEST_DEFAULT_COUNT = 20  # what occurs as often is rare in no corpus


class Neighbour(NamedTuple):
    """A word or numeral near a vector."""

    token: str
    similarity: float  # cosine


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Searches a model's input vectors, which are normalised once."""

    words: list[str]
    word_rows: Array  # [words, dim]
    vocabulary: Vocabulary
    numerals: NumeralVectors | None
    numeral_kind: int = UNKNOWN_KIND  # that numerals are meant to be of

    def nearest(
        self,
        vector: Array,
        count: int,
        kind: str,
        among: str,
        excluded: TokenIds | None,
        min_count: int | None = None,
    ) -> list[Neighbour]:
        """Return the `count` nearest tokens, the nearest first, without the excluded one."""
        one_of(*KINDS)("kind", kind)
        one_of(*AMONG)("among", among)
        count = as_count("count", count)
        least = self._default_count if min_count is None else as_count("min_count", min_count)
        direction = unit(vector)
        neighbours: list[Neighbour] = []
        if kind != "numerals":
            id = None if excluded is None else int(excluded.ids[0])
            neighbours += self._words(direction, count, id, least)
        if kind != "words" and self.numerals is not None:
            value = None if excluded is None else next(iter(excluded.values.tolist()), None)
            nearest = self._in_corpus if among == "corpus" else self._on_line
            neighbours += nearest(direction, count, value, least)
        return sorted(neighbours, key=lambda one: -one.similarity)[:count]

    def _words(
        self, direction: Array, count: int, excluded: int | None, min_count: int
    ) -> list[Neighbour]:
        frequent = int(np.searchsorted(-self.vocabulary.word_counts, -min_count, "right"))
        similarity = self._unit_words[:frequent] @ direction
        best = largest(similarity, count + 1)
        nearest = zip(best.tolist(), similarity[best].tolist(), strict=True)
        return [Neighbour(self.words[id], near) for id, near in nearest if id != excluded][:count]

    def _in_corpus(
        self, direction: Array, count: int, excluded: float | None, min_count: int
    ) -> list[Neighbour]:
        supported = self._support(self.vocabulary.numeral_values) >= min_count
        values = self.vocabulary.numeral_values[supported]
        similarity = (self._unit_numerals @ direction)[supported]
        best = largest(similarity, count + 1)
        best = best[values[best] != excluded] if excluded is not None else best
        return named(values, similarity, best[:count].tolist())

    def _on_line(
        self, direction: Array, count: int, excluded: float | None, min_count: int
    ) -> list[Neighbour]:
        supported = self._line_support >= min_count
        line, similarity = self._line[supported], (self._unit_line @ direction)[supported]
        finer = between_neighbours(self._line, line[largest(similarity, count)])
        finer = finer[self._support(finer) >= min_count]
        values = np.concatenate([line, finer])
        similarity = np.concatenate([similarity, self._units(finer) @ direction])
        best = apart_from_each_other(values, similarity, count, excluded)
        return named(values, similarity, best)

    def _support(self, values: Floats) -> npt.NDArray[np.int64]:
        """Return how many numerals of the corpus are within SUPPORT_DISTANCE of each value."""
        before = np.concatenate([[0], np.cumsum(self.vocabulary.numeral_counts)])
        corpus, positions = squash(self.vocabulary.numeral_values), squash(values)
        first = np.searchsorted(corpus, positions - SUPPORT_DISTANCE, "left")
        last = np.searchsorted(corpus, positions + SUPPORT_DISTANCE, "right")
        support: npt.NDArray[np.int64] = before[last] - before[first]
        return support

    @cached_property
    def _default_count(self) -> int:
        """The count that tokens must reach by default: those that do make up 99 % of the text."""
        vocabulary = self.vocabulary
        counts = np.concatenate([vocabulary.word_counts, vocabulary.numeral_counts])
        return min(LARGEST_DEFAULT_COUNT, count_that_covers(counts, FREQUENT_FRACTION))

    @cached_property
    def _line_support(self) -> npt.NDArray[np.int64]:
        return self._support(self._line)

    @cached_property
    def _unit_words(self) -> Array:
        return unit(self.word_rows)

    @cached_property
    def _unit_numerals(self) -> Array:
        return self._units(self.vocabulary.numeral_values)

    @cached_property
    def _line(self) -> Floats:
        """The numerals of the corpus and the round numbers between them, ascending."""
        values = self.vocabulary.numeral_values
        return np.union1d(values, round_numbers(float(values.min()), float(values.max())))

    @cached_property
    def _unit_line(self) -> Array:
        return self._units(self._line)

    def _units(self, values: Floats) -> Array:
        assert self.numerals is not None
        return unit(self.numerals.vectors(values, kinds=np.full(len(values), self.numeral_kind)))


def count_that_covers(counts: npt.NDArray[np.int64], fraction: float) -> int:
    """Return the largest count that tokens of this fraction of the text reach; at least 1."""
    if not len(counts):
        return 1
    descending = np.sort(counts)[::-1]
    covered = np.cumsum(descending)
    return max(1, int(descending[np.searchsorted(covered, fraction * covered[-1])]))


def named(values: Floats, similarity: Array, chosen: list[int]) -> list[Neighbour]:
    return [
        Neighbour(plain_number(float(values[index])), float(similarity[index])) for index in chosen
    ]


def apart_from_each_other(
    values: Floats, similarity: Array, count: int, excluded: float | None
) -> list[int]:
    """Return the indices of the most similar values, none near a better or the excluded one."""
    positions = squash(values).tolist()
    taken = [] if excluded is None else [float(squash(excluded))]  # ascending
    chosen: list[int] = []
    for index in np.argsort(-similarity, kind="stable").tolist():
        position = positions[index]
        rank = bisect(taken, position)
        if all(abs(position - other) > SAME_NUMBER for other in taken[max(rank - 1, 0) : rank + 1]):
            taken.insert(rank, position)
            chosen.append(index)
        if len(chosen) == count:
            break
    return chosen


def largest(values: Array, count: int) -> npt.NDArray[np.intp]:
    """Return the indices of the largest values, the largest first; ties keep their order."""
    if count < len(values):
        threshold = -np.partition(-values, count)[count]
        indices = np.flatnonzero(values >= threshold)
    else:
        indices = np.arange(len(values))
    order = indices[np.argsort(-values[indices], kind="stable")]
    return order[:count]


def unit(rows: Array) -> npt.NDArray[np.float32]:
    """Return the rows scaled to length 1; a row of zeros stays zero."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: npt.NDArray[np.float32] = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled

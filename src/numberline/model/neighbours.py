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
    ) -> list[Neighbour]:
        """Return the `count` nearest tokens, the nearest first, without the excluded one."""
        one_of(*KINDS)("kind", kind)
        one_of(*AMONG)("among", among)
        count = as_count("count", count)
        direction = unit(vector)
        neighbours: list[Neighbour] = []
        if kind != "numerals":
            id = None if excluded is None else int(excluded.ids[0])
            neighbours += self._words(direction, count, id)
        if kind != "words" and self.numerals is not None:
            value = None if excluded is None else next(iter(excluded.values.tolist()), None)
            nearest = self._in_corpus if among == "corpus" else self._on_line
            neighbours += nearest(direction, count, value)
        return sorted(neighbours, key=lambda one: -one.similarity)[:count]

    def _words(self, direction: Array, count: int, excluded: int | None) -> list[Neighbour]:
        similarity = self._unit_words @ direction
        best = largest(similarity, count + 1)
        nearest = zip(best.tolist(), similarity[best].tolist(), strict=True)
        return [Neighbour(self.words[id], near) for id, near in nearest if id != excluded][:count]

    def _in_corpus(self, direction: Array, count: int, excluded: float | None) -> list[Neighbour]:
        values, similarity = self.vocabulary.numeral_values, self._unit_numerals @ direction
        best = largest(similarity, count + 1)
        best = best[values[best] != excluded] if excluded is not None else best
        return named(values, similarity, best[:count].tolist())

    def _on_line(self, direction: Array, count: int, excluded: float | None) -> list[Neighbour]:
        similarity = self._unit_line @ direction
        finer = between_neighbours(self._line, self._line[largest(similarity, count)])
        values = np.concatenate([self._line, finer])
        similarity = np.concatenate([similarity, self._units(finer) @ direction])
        best = apart_from_each_other(values, similarity, count, excluded)
        return named(values, similarity, best)

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

"""A vector → the words and numerals whose vectors point the same way."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.extras import optional
from numberline.model.arguments import one_of, positive
from numberline.model.lookup import NUMERAL
from numberline.model.number_grid import between_neighbours, round_numbers
from numberline.numerals.squash import squash
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.numerals import plain_number
from numberline.reading.vocabulary import Vocabulary

KINDS = ("words", "numerals", "both")
AMONG = ("line", "corpus")
ADDED_ALONE = 2000  # words, by one thread
APART = 0.005  # on the squashed number line, half a percent: what is nearer is not listed as well


class Neighbour(NamedTuple):
    token: str
    similarity: float  # cosine


@dataclass(frozen=True, eq=False)
class Neighbours:
    words: list[str]
    word_rows: Array
    vocabulary: Vocabulary
    numerals: NumeralVectors | None

    def nearest(
        self,
        query: Array,
        count: int,
        *,
        kind: str = "words",
        among: str = "line",
        exact: bool = True,
        itself: tuple[int, float] | None = None,  # id and value, as Lookup.read gives them
    ) -> list[Neighbour]:
        one_of("kind", kind, KINDS)
        one_of("among", among, AMONG)
        count = positive("count", count)
        own_id, own_value = itself or (None, None)
        direction = unit(query)
        found: list[Neighbour] = []
        if kind != "numerals":
            found += self._words(direction, count, exact, own_id)
        if kind != "words" and self.numerals is not None:
            value = own_value if own_id == NUMERAL else None
            found += self._numerals(direction, count, among, value)
        return sorted(found, key=lambda neighbour: -neighbour.similarity)[:count]

    def _words(
        self, direction: Array, count: int, exact: bool, own_id: int | None
    ) -> list[Neighbour]:
        if exact or not self.words:  # an index does not search for none
            similarity = self._unit_words @ direction
            best = largest(similarity, count + 1)
            nearest = zip(best.tolist(), similarity[best].tolist(), strict=True)
        else:
            matches = self._index.search(direction, min(count + 1, len(self.words)))
            nearest = zip(matches.keys.tolist(), (1 - matches.distances).tolist(), strict=True)
        return [Neighbour(self.words[at], near) for at, near in nearest if at != own_id][:count]

    def _numerals(
        self, direction: Array, count: int, among: str, own_value: float | None
    ) -> list[Neighbour]:
        if among == "corpus":
            values, similarity = self.vocabulary.numeral_values, self._unit_numerals @ direction
            chosen = [at for at in largest(similarity, count + 1) if values[at] != own_value]
        else:
            values, similarity = self._line, self._unit_line @ direction
            finer = between_neighbours(values, values[largest(similarity, count)])
            values = np.concatenate([values, finer])
            similarity = np.concatenate([similarity, self._units(finer) @ direction])
            chosen = apart_from_each_other(values, similarity, count, own_value)
        return [
            Neighbour(plain_number(float(values[at])), float(similarity[at]))
            for at in chosen[:count]
        ]

    @cached_property
    def _unit_words(self) -> Array:
        return unit(self.word_rows)

    @cached_property
    def _unit_numerals(self) -> Array:
        return self._units(self.vocabulary.numeral_values)

    @cached_property
    def _line(self) -> npt.NDArray[np.float64]:
        """The numerals of the corpus and round numbers between its ends, ascending."""
        values = self.vocabulary.numeral_values
        return np.union1d(values, round_numbers(float(values.min()), float(values.max())))

    @cached_property
    def _unit_line(self) -> Array:
        return self._units(self._line)

    def _units(self, values: npt.NDArray[np.float64]) -> Array:
        assert self.numerals is not None
        return unit(self.numerals.vectors(values))

    @cached_property
    def _index(self) -> Any:
        usearch = optional("usearch.index", "index")
        index = usearch.Index(ndim=self.word_rows.shape[1], metric="cos", dtype="f32")
        ids, rows = np.arange(len(self.words)), np.ascontiguousarray(self.word_rows)
        # Threads that begin an index together lose words: each links to what it sees of the others.
        index.add(ids[:ADDED_ALONE], rows[:ADDED_ALONE], threads=1)
        if len(ids) > ADDED_ALONE:
            index.add(ids[ADDED_ALONE:], rows[ADDED_ALONE:])
        return index


def apart_from_each_other(
    values: npt.NDArray[np.float64], similarity: Array, count: int, own_value: float | None
) -> list[int]:
    """The places of the most similar values, none of them near a better one or the own value."""
    on_line = squash(values).tolist()
    taken = [] if own_value is None else [float(squash(own_value))]  # ascending
    chosen: list[int] = []
    for at in np.argsort(-similarity, kind="stable").tolist():
        here = bisect(taken, on_line[at])
        beside = taken[max(here - 1, 0) : here + 1]
        if all(abs(on_line[at] - other) > APART for other in beside):
            taken.insert(here, on_line[at])
            chosen.append(at)
        if len(chosen) == count:
            break
    return chosen


def largest(values: Array, count: int) -> npt.NDArray[np.intp]:
    """The places of the largest values, the largest first; of equal ones the first."""
    if count < len(values):
        threshold = -np.partition(-values, count)[count]
        places = np.flatnonzero(values >= threshold)
    else:
        places = np.arange(len(values))
    order = places[np.argsort(-values[places], kind="stable")]
    return order[:count]


def unit(rows: Array) -> npt.NDArray[np.float32]:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: npt.NDArray[np.float32] = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled

"""Prototypes of a self-organizing map, weighted by closeness on the squashed number line.

The weight of a prototype p for a numeral n is |g(p) - g(n)|^-beta, normalised, where g squashes.
With log="dataset" the map itself is fitted to squashed values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.fields import (
    LARGEST_SIZE,
    one_of,
    or_none,
    positive_number,
    setting,
    whole_number,
)
from numberline.numerals.base import (
    Encoder,
    FittedEncoder,
    Side,
    number_of_prototypes,
    prototypes_setting,
)
from numberline.numerals.rows import SparseRows, rows_of_columns
from numberline.numerals.som_fit import fit_som, fit_som_unsquashed
from numberline.numerals.squash import squarable, squash, unsquash
from numberline.numerals.state import require_ascending
from numberline.numerals.values import finite_numbers

SHORTEST_DISTANCE = 1e-4  # a numeral at a prototype has almost all its weight there
BATCH = 1024  # values whose distances are held at once, so that they stay in the cache
LARGEST_BETA = 1000  # far below it the nearest prototype has all the weight


@dataclass(frozen=True, eq=False)
class FittedSom(FittedEncoder):
    encoder: Som
    positions: Floats  # where prototypes lie on the squashed line, ascending

    def __post_init__(self) -> None:
        require_ascending("positions", self.positions)

    @property
    def size(self) -> int:
        return len(self.positions)

    @property
    def labels(self) -> Floats:
        return unsquash(self.positions)

    def weights(self, values: npt.ArrayLike, side: Side = "input") -> SparseRows:
        positions = squash(finite_numbers(values))
        entries = min(self.encoder.nearest or self.size, self.size)
        weights = np.empty((len(positions), entries), np.float32)
        indices = np.empty((len(positions), entries), np.int32)
        for first in range(0, len(positions), BATCH):
            batch = slice(first, first + BATCH)
            indices[batch], weights[batch] = self._weigh(positions[batch], entries)
        return rows_of_columns(indices, weights, self.size)

    def _weigh(self, positions: Floats, entries: int) -> tuple[Array, Array]:
        distances = np.abs(positions[:, None] - self.positions)
        distances = np.maximum(distances, SHORTEST_DISTANCE).astype(np.float32)
        nearest = np.argpartition(distances, entries - 1, axis=1)[:, :entries]
        distances = np.take_along_axis(distances, nearest, axis=1)
        # Relative to the nearest, so that no power overflows or makes all weights vanish.
        closeness = distances.min(axis=1, keepdims=True) / distances
        if self.encoder.beta != 1:
            closeness **= np.float32(self.encoder.beta)
        return nearest, closeness / closeness.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class Som(Encoder):
    """A self-organizing map: each numeral has weights on the prototypes nearest to it."""

    prototypes: int | None = prototypes_setting()
    log: str = setting(
        "dataset",
        "When numbers are squashed: to fit the map and to weigh ('dataset'), or only to weigh "
        "('similarity').",
        one_of("dataset", "similarity"),
    )
    beta: float = setting(
        1.0, "How steeply weights fall with distance.", positive_number(LARGEST_BETA)
    )
    nearest: int | None = setting(
        8,
        "Number of prototypes with a weight; 'none' weighs all, as in the paper, ten times slower "
        "and no better.",
        or_none(whole_number(1, LARGEST_SIZE)),
    )

    name: ClassVar[str] = "som"
    fitted_class: ClassVar[type[FittedEncoder]] = FittedSom

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedSom:
        size = number_of_prototypes(self.prototypes, len(values))
        if self.log == "dataset":
            return FittedSom(self, fit_som(squash(values), counts, size))
        return FittedSom(self, squash(fit_som_unsquashed(squarable(values), counts, size)))

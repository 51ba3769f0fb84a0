"""The fixed baseline: [f(n); 1 … 1] / 2D, where f squashes. Nothing is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.numerals.base import Encoder, FittedEncoder, Side
from numberline.numerals.rows import SparseRows
from numberline.numerals.squash import squash
from numberline.numerals.values import finite_numbers


@dataclass(frozen=True, eq=False)
class FittedFixed(FittedEncoder):
    encoder: Fixed
    is_frozen: ClassVar[bool] = True

    @property
    def size(self) -> int:
        return 2  # the direction of f(n), and that of all ones

    def weights(self, values: npt.ArrayLike, side: Side = "input") -> SparseRows:
        positions = squash(finite_numbers(values))
        # Two floats hold a double, so that 10^6 and 10^6 + 1 stay apart in double precision.
        rounded = positions.astype(np.float32)
        rest = positions - rounded
        weights = np.stack([rounded, rest, np.ones_like(rest)], axis=1).astype(np.float32)
        indices = np.tile(np.array([0, 0, 1], np.int32), len(positions))
        offsets = 3 * np.arange(len(positions) + 1, dtype=np.int64)
        return SparseRows(offsets, indices, weights.ravel(), self.size)

    def starting_tables(self, dim: int, rng: np.random.Generator) -> tuple[Array, Array]:
        table = np.zeros((2, dim), np.float32)
        table[0, 0] = table[1, 1:] = 1 / (2 * dim)
        return table, table.copy()


@dataclass(frozen=True)
class Fixed(Encoder):
    """The squashed number and many ones: a vector that is not trained."""

    name: ClassVar[str] = "fixed"
    fitted_class: ClassVar[type[FittedEncoder]] = FittedFixed

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedFixed:
        return FittedFixed(self)

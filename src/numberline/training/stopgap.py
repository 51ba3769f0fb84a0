"""Lets the old trainer train the new numerals until the new trainer is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from numberline.kernels import native
from numberline.numerals.base import SIDES, Side
from numberline.numerals.rows import Array, SparseRows
from numberline.numerals.vectors import PrototypeVectors


@dataclass(frozen=True, eq=False)
class OldRows:
    rows: SparseRows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, chosen: Any) -> OldRows:
        return OldRows(self.rows[chosen])

    def __matmul__(self, table: Array) -> Array:
        return self.rows @ table

    def adjoint(self, changes: Array) -> Array:
        total = np.zeros((self.rows.size, changes.shape[1]), changes.dtype)
        self.add_adjoint(changes, total)
        return total

    def add_adjoint(self, changes: Array, total: Array) -> None:
        rows, kernels = self.rows, native()
        if kernels is not None and changes.dtype == total.dtype == np.float32:
            kernels.sparse_adjoint(
                offsets=rows.offsets,
                columns=rows.indices,
                shares=rows.weights,
                changes=np.ascontiguousarray(changes),
                total=total,
            )
            return
        repeated = np.repeat(changes, np.diff(rows.offsets), axis=0)
        np.add.at(total, rows.indices, rows.weights[:, None] * repeated)

    @property
    def nbytes(self) -> int:
        return self.rows.offsets.nbytes + self.rows.indices.nbytes + self.rows.weights.nbytes

    def squares(self) -> Array:
        return np.add.reduceat(self.rows.weights.astype(np.float64) ** 2, self.rows.offsets[:-1])


class TrainableNumerals:
    """What the old trainer called an encoder."""

    has_own_outputs = True

    def __init__(self, numerals: PrototypeVectors) -> None:
        self.numerals = numerals
        self.is_trained = not numerals.fitted.is_frozen

    def groups(self, values: Array) -> Array:
        return np.arange(len(values), dtype=np.int32)

    def prepare(self, values: Any, side: Side = "input") -> OldRows:
        return OldRows(self.numerals.fitted.weights(values, side))

    def prepare_sides(self, values: Any) -> dict[Side, OldRows]:
        return {side: self.prepare(values, side) for side in SIDES}

    def compose(self, values: Any, side: Side = "input") -> Array:
        return self._rows(values, side) @ self.numerals.table(side)

    def absorb(self, values: Any, changes: Array, side: Side = "input") -> None:
        if self.is_trained:
            self._rows(values, side).add_adjoint(changes, self.numerals.table(side))

    def _rows(self, values: Any, side: Side) -> OldRows:
        return values if isinstance(values, OldRows) else self.prepare(values, side)

    def state(self) -> dict[str, Array]:
        return self.numerals.state()

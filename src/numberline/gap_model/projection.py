"""Rows and their weights → the few directions in which the rows differ most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats

ROWS_AT_A_TIME = 1 << 14  # so that tables mapped from disk are never copied whole


@dataclass(frozen=True, eq=False)
class Projection:
    """A matrix that keeps the directions of the largest weighted squares: rows @ matrix."""

    matrix: npt.NDArray[np.float32]  # [dim, kept]

    def __call__(self, rows: Array) -> npt.NDArray[np.float32]:
        projected = np.empty((len(rows), self.matrix.shape[1]), np.float32)
        for first in range(0, len(rows), ROWS_AT_A_TIME):
            part = slice(first, first + ROWS_AT_A_TIME)
            projected[part] = rows[part] @ self.matrix
        return projected


def fit_projection(rows: Array, weights: Floats, size: int) -> Projection:
    """Return a projection to at most `size` dimensions; projected numbers have a mean square of 1.

    The directions are the first eigenvectors of the weighted sum of squares.
    """
    squares = np.zeros((rows.shape[1], rows.shape[1]))
    for first in range(0, len(rows), ROWS_AT_A_TIME):
        part = np.asarray(rows[first : first + ROWS_AT_A_TIME], np.float64)
        squares += (part * weights[first : first + ROWS_AT_A_TIME, None]).T @ part
    sizes, directions = np.linalg.eigh(squares / max(weights.sum(), np.finfo(float).tiny))
    kept = directions[:, ::-1][:, :size]
    mean_square = max(sizes[::-1][:size].mean(), np.finfo(np.float32).tiny)
    return Projection((kept / np.sqrt(mean_square)).astype(np.float32))

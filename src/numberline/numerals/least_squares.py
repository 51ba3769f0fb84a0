"""Rows of weights and a target for each → the table whose products with the rows come nearest."""

from __future__ import annotations

import numpy as np

from numberline.arrays import Array, Floats
from numberline.numerals.rows import SparseRows

STEPS = 30  # more change the fractions of kinds on Wikipedia by less than a thousandth


def least_squares(rows: SparseRows, targets: Array, counts: Floats) -> Array:
    """Return a table [prototypes, columns] that minimises Σ counts |rows @ table - targets|².

    By conjugate gradients on Wᵀ C W x = Wᵀ C y, for all columns at once. They start from zeros, so
    prototypes that no row uses stay zero.
    """
    transposed = transpose(rows)
    weights = (counts / counts.sum()).astype(np.float32)[:, None]
    table = np.zeros((rows.size, targets.shape[1]), np.float32)
    residual = transposed @ (weights * targets)
    direction, square = residual.copy(), (residual**2).sum(axis=0)
    for _ in range(STEPS):
        image = rows @ direction
        curvature = (weights * image**2).sum(axis=0)
        step = divided(square, curvature)
        table += step * direction
        residual -= step * (transposed @ (weights * image))
        before, square = square, (residual**2).sum(axis=0)
        direction = residual + divided(square, before) * direction
    return table


def transpose(rows: SparseRows) -> SparseRows:
    """Return the rows' columns as rows."""
    order = np.argsort(rows.indices, kind="stable")
    numbers = np.repeat(np.arange(len(rows), dtype=np.int32), np.diff(rows.offsets))
    ends = np.cumsum(np.bincount(rows.indices, minlength=rows.size))
    offsets = np.concatenate([[0], ends]).astype(np.int64)
    return SparseRows(offsets, numbers[order], rows.weights[order], len(rows))


def divided(numerators: Array, denominators: Array) -> Array:
    """Return quotients, 0 where a column has reached its minimum and both are zero."""
    quotients: Array = numerators / np.where(denominators > 0, denominators, 1)
    return quotients

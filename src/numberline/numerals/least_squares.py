"""Rows of weights and a target for each → the table whose products with the rows come nearest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from numberline.arrays import Array, Floats
from numberline.numerals.rows import SparseRows

STEPS = 40  # at most; on Wikipedia all encoders are done after 20
LEAST = 1e-10  # of the first squared residual, below which a column is done
NEGLIGIBLE = 1e-12  # of the largest square: weights that are rounding errors of zero
RIDGE = 1e-5  # of the diagonal: without it, rows that are almost alike get tables without bound


def least_squares(rows: SparseRows, targets: Array, counts: Floats) -> Array:
    """Return a table [prototypes, columns] that minimises Σ counts |rows @ table - targets|².

    By conjugate gradients on (Wᵀ C W + λ D) x = Wᵀ C y with D the diagonal of Wᵀ C W, for all
    columns at once, divided by D. They start from zeros, so prototypes that no row uses stay zero.
    """
    transposed = transpose(rows)
    weights = (counts / counts.sum()).astype(np.float32)[:, None]
    diagonal = squared(transposed) @ weights
    is_used = diagonal > NEGLIGIBLE * diagonal.max(initial=0)
    scale = np.where(is_used, 1 / np.where(is_used, diagonal, 1), 0)
    table = np.zeros((rows.size, targets.shape[1]), np.float32)
    residual = transposed @ (weights * targets)
    direction = scale * residual
    square = first = (residual * direction).sum(axis=0)
    for _ in range(STEPS):
        image = rows @ direction
        ridge = RIDGE * diagonal * direction
        curvature = (weights * image**2).sum(axis=0) + (ridge * direction).sum(axis=0)
        is_done = (square <= LEAST * first) | (curvature <= 0)
        if is_done.all():
            break
        step = np.where(is_done, 0, square / np.where(is_done, 1, curvature))
        table += step * direction
        residual -= step * (transposed @ (weights * image) + ridge)
        before, square = square, (residual * scale * residual).sum(axis=0)
        direction = scale * residual + square / np.where(before > 0, before, 1) * direction
    return table


def squared(rows: SparseRows) -> SparseRows:
    return replace(rows, weights=rows.weights**2)


def transpose(rows: SparseRows) -> SparseRows:
    """Return the rows' columns as rows."""
    order = np.argsort(rows.indices, kind="stable")
    numbers = np.repeat(np.arange(len(rows), dtype=np.int32), np.diff(rows.offsets))
    ends = np.cumsum(np.bincount(rows.indices, minlength=rows.size))
    offsets = np.concatenate([[0], ends]).astype(np.int64)
    return SparseRows(offsets, numbers[order], rows.weights[order], len(rows))

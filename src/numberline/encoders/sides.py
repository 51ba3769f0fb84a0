"""Vectors of two sides whose products matter: the same products of other vectors.

Whatever is done to all input vectors may be undone in the output vectors. Scores are products of
the two and stay as they are; distances within a side do not.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from numberline.encoders.weights import Array

ROWS_AT_A_TIME = 4096  # that are changed while they are in the cache
TOO_SHORT = 1e-5  # compared with the numbers it was computed from: an axis that rounding has made


def main_axes(rows: Array, number: int) -> Array:
    """The axes along which rows differ most from their mean, each of length 1; fewer if alike."""
    _, lengths, axes = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    found: Array = axes[:number][lengths[:number] > TOO_SHORT * np.abs(rows).max(initial=0)]
    return found


def move_length(
    axes: Array, factor: float, inputs: Iterable[Array], outputs: Iterable[Array]
) -> None:
    """Multiply what input vectors have along the axes, and divide that of output vectors."""
    for tables, times in ((inputs, factor), (outputs, 1 / factor)):
        for table in tables:
            stretch(table, axes, times)


def stretch(table: Array, axes: Array, times: float) -> None:
    """Multiply what rows have along axes of length 1, at right angles, in place."""
    for first in range(0, len(table), ROWS_AT_A_TIME):
        rows = table[first : first + ROWS_AT_A_TIME]
        rows += (times - 1) * (rows @ axes.T) @ axes


def axis_of(direction: Array) -> Array:
    """One axis, or none where there is no direction."""
    length = np.linalg.norm(direction)
    axes: Array = direction[None] / length if length > 0 else np.empty_like(direction[None][:0])
    return axes


def in_common(rows: Array, others: Array) -> Array:
    """What the means of both have alike: where the line through them is nearest to zero."""
    if not len(rows):
        return np.zeros_like(others[0])
    mean = rows.mean(axis=0)
    apart = others.mean(axis=0) - mean
    squared = apart @ apart
    nearest: Array = mean - (mean @ apart / squared if squared > 0 else 0) * apart
    return nearest

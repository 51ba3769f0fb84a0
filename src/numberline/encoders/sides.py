"""Vectors of two sides whose products matter: the same products of other vectors.

Whatever is done to all input vectors may be undone in the output vectors. Scores are products of
the two and stay as they are; distances within a side do not.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from numberline.encoders.weights import Array

ROWS_AT_A_TIME = 4096  # that are changed while they are in the cache


def move_length(
    direction: Array, factor: float, inputs: Iterable[Array], outputs: Iterable[Array]
) -> None:
    """Multiply what input vectors have along a direction, and divide that of output vectors."""
    length = np.linalg.norm(direction)
    if length > 0:
        axis = direction / length
        for tables, times in ((inputs, factor), (outputs, 1 / factor)):
            for table in tables:
                stretch(table, axis, times)


def stretch(table: Array, axis: Array, times: float) -> None:
    """Multiply what rows have along an axis of length 1, in place."""
    for first in range(0, len(table), ROWS_AT_A_TIME):
        rows = table[first : first + ROWS_AT_A_TIME]
        rows += np.outer((times - 1) * (rows @ axis), axis)

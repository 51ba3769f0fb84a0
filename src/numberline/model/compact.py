"""Rows of floats ↔ rows of small integers with a scale each: a quarter of the size on disk.

The largest number of a row becomes 127. Others are rounded to the nearest integer, so that each is
off by at most half a 127th of the largest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array

LARGEST = 127
ROWS_AT_A_TIME = 1 << 12  # so that they stay in the cache
Rows = npt.NDArray[np.float32]


def compact_rows(rows: Array) -> tuple[npt.NDArray[np.int8], Rows]:
    """Return rows of integers and the scale of each row."""
    scales = (np.abs(rows).max(axis=1, initial=0) / LARGEST).astype(np.float32)
    divisors = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(rows / divisors).astype(np.int8), scales


def expanded_rows(integers: Array, scales: Array) -> Rows:
    """Return the floats of compact rows."""
    if scales.shape != integers.shape[:1]:
        raise ValueError("its compact rows do not have one scale each")
    rows = np.empty(integers.shape, np.float32)
    for first in range(0, len(rows), ROWS_AT_A_TIME):
        part = slice(first, first + ROWS_AT_A_TIME)
        np.multiply(integers[part], scales[part, None], out=rows[part], dtype=np.float32)
    return rows

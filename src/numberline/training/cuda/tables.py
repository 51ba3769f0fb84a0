"""Tables of vectors on their way to the device and back, without more copies than needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from numberline.encoders.weights import Array
from numberline.extras import optional
from numberline.training.tables import Rows, zero_rows


def rows_to_device(rows: Array, stride: int) -> Any:
    """Rows of floats, padded with zeros, which training leaves zeros; at least one."""
    cupy = optional("cupy", "cuda")
    there = cupy.asarray(np.asarray(rows, np.float32))[:, :stride]
    padded = cupy.zeros((max(1, len(rows)), stride), np.float32)
    padded[: len(rows), : there.shape[1]] = there
    return padded


def rows_to_host(rows: Any, count: int, dim: int) -> Rows:
    """The first of them, padded as kernels of the CPU want them."""
    host = zero_rows(count, dim)
    if count and host.shape[1] == rows.shape[1]:
        rows[:count].get(out=host)
    else:
        host[:, : rows.shape[1]] = rows[:count].get()
    return host

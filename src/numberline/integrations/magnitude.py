"""Values → vectors of length 1 whose cosine says how near the values are on the squashed line.

The cosine of two values at distance d is nearly the bell curve exp(-(d / SCALE)² / 2). The
frequencies of the circles are quantiles of a normal distribution, and the mean of
cos(frequency · d) over a normal distribution is that curve; 32 circles come within 0.14 of it at
any distance up to a factor of ten million.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from numberline.arrays import Floats
from numberline.numerals.squash import squash

SCALE = 0.25  # beyond 1, d is ln(ratio): the cosine is .93 at 10 %, .26 at 50 %, .03 at twice
CIRCLES = 32
SIZE = 2 * CIRCLES
_FREQUENCIES = np.array(
    [NormalDist().inv_cdf((1 + (index + 0.5) / CIRCLES) / 2) / SCALE for index in range(CIRCLES)]
)


def magnitude_vectors(values: Floats) -> Floats:
    """Return one row per value: its position on each circle, as cosine and sine."""
    angles = squash(values)[:, None] * _FREQUENCIES
    rows: Floats = np.concatenate([np.cos(angles), np.sin(angles)], axis=1) / np.sqrt(CIRCLES)
    return rows

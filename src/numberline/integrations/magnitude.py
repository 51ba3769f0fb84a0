"""Values → vectors of length 1 whose cosine says how near the values are on the squashed line.

The cosine of two values is exp(-(d / SCALE)² / 2) with d their distance there: the frequencies of
the circles are quantiles of a normal distribution, and the mean of cos(frequency · d) over such a
distribution is that bell curve. With 32 of them it is met to within 0.14 at any distance up to a
factor of ten million.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from numberline.arrays import Floats
from numberline.numerals.squash import squash

SCALE = 0.25  # beyond 1 d is ln(ratio): 10 % apart gives 0.93, 50 % 0.26, twice as much 0.03
CIRCLES = 32
SIZE = 2 * CIRCLES
_FREQUENCIES = np.array(
    [NormalDist().inv_cdf((1 + (place + 0.5) / CIRCLES) / 2) / SCALE for place in range(CIRCLES)]
)


def magnitude_vectors(values: Floats) -> Floats:
    phases = squash(values)[:, None] * _FREQUENCIES
    rows: Floats = np.concatenate([np.cos(phases), np.sin(phases)], axis=1) / np.sqrt(CIRCLES)
    return rows

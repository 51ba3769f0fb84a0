"""Numerals and how likely each is → a density at even steps of the squashed number line."""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats
from numberline.numerals.squash import squash

BLUR = 1.2  # bins: deviation of the bell that smooths
REACH = 5  # bins that it covers to either side


def density_on_line(values: Floats, masses: Floats, low: float, high: float, bins: int) -> Floats:
    """Mass in each bin between two values, smoothed; what lies outside is left out."""
    edges = np.linspace(squash(low), squash(high), bins + 1)
    heights = np.histogram(squash(values), edges, weights=masses)[0]
    bell = np.exp(-0.5 * (np.arange(-REACH, REACH + 1) / BLUR) ** 2)
    smooth: Floats = np.convolve(heights, bell / bell.sum(), mode="same")
    return smooth[:bins]


def central_range(values: Floats, masses: Floats, outside: float) -> tuple[float, float]:
    """The values between which all but a share at either end lies; `values` ascend."""
    shares = np.cumsum(masses) / masses.sum()
    reached = np.searchsorted(shares, [outside, 1 - outside])
    low, high = values[np.minimum(reached, len(values) - 1)].tolist()
    return low, high

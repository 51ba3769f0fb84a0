"""Numbers → steps and densities along the squashed number line, and short texts for them."""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats
from numberline.model.distribution import smoothed_histogram
from numberline.numerals.squash import squash, unsquash
from numberline.reading.numerals import plain_number

BLUR = 1.2  # bins: standard deviation of the bell that smooths a density
WHOLE_NUMBERS = 8  # a stretch with fewer of them is walked in decimals


def density_on_line(values: Floats, masses: Floats, low: float, high: float, bins: int) -> Floats:
    """Return the mass in each bin between two values, smoothed; mass outside is left out."""
    edges = np.linspace(squash(low), squash(high), bins + 1)
    return smoothed_histogram(squash(values), masses, edges, BLUR)


def central_range(values: Floats, masses: Floats, outside: float) -> tuple[float, float]:
    """Return two values with the fraction `outside` of the mass beyond each; `values` ascend."""
    fractions = np.cumsum(masses) / masses.sum()
    indices = np.searchsorted(fractions, [outside, 1 - outside])
    low, high = values[np.minimum(indices, len(values) - 1)].tolist()
    return low, high


def steps_between(low: float, high: float, count: int) -> Floats:
    """Return up to `count` numbers at even steps of the squashed line, between the two ends.

    Beyond ±1 they are whole numbers, if the stretch has enough: the words near a number with
    decimals may be other ones (prices, measures), and the two would alternate.
    """
    values = unsquash(np.linspace(squash(low), squash(high), count + 2)[1:-1])
    if np.floor(high) < np.ceil(low) + WHOLE_NUMBERS - 1:  # high - low might overflow
        return values
    whole = np.clip(np.rint(values), np.ceil(low), np.floor(high))
    return np.unique(np.where(np.abs(values) < 1, values, whole))


def short_number(value: float) -> str:
    """Return a number with as many digits as matter: 1987.3, 8,186,447, 3.1e+20."""
    if abs(value) >= 1e15:
        return f"{value:.4g}"
    if abs(value) >= 1e5:
        return f"{value:,.0f}"
    return plain_number(float(f"{value:.5g}"))

"""Numbers ↔ the squashed number line, where equal steps are equal ratios (Eq. 2 of the paper)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


LARGEST_SQUARABLE = 1e140  # sums of billions of such squares are still finite


def squash(values: npt.ArrayLike) -> Floats:
    """x within [-1, 1]; beyond, the logarithm of the magnitude plus one, with the sign of x."""
    numbers = np.asarray(values, np.float64)
    magnitudes = np.abs(numbers)
    logarithms = np.log(np.maximum(magnitudes, 1.0)) + 1.0
    return np.where(magnitudes <= 1.0, numbers, np.copysign(logarithms, numbers))


def unsquash(squashed: npt.ArrayLike) -> Floats:
    """The inverse of squash; infinite beyond the largest number there is."""
    places = np.asarray(squashed, np.float64)
    distances = np.abs(places)
    with np.errstate(over="ignore"):
        magnitudes = np.exp(np.maximum(distances, 1.0) - 1.0)
    return np.where(distances <= 1.0, places, np.copysign(magnitudes, places))


def squash_slope(values: npt.ArrayLike) -> Floats:
    """The derivative of squash."""
    slopes: Floats = 1 / np.maximum(np.abs(np.asarray(values, np.float64)), 1.0)
    return slopes


def squarable(values: npt.ArrayLike) -> Floats:
    """Numbers whose squares can be summed; beyond the largest such, all are one."""
    return np.clip(np.asarray(values, np.float64), -LARGEST_SQUARABLE, LARGEST_SQUARABLE)

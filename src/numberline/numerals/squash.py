"""Numbers ↔ the squashed number line, where equal steps are equal ratios (Eq. 2 of the paper)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats

LARGEST_SQUARABLE = 1e140  # sums of billions of such squares are still finite


def squash(values: npt.ArrayLike) -> Floats:
    """Return x within [-1, 1]; beyond, the log of the magnitude plus one, with the sign of x."""
    numbers = np.asarray(values, np.float64)
    magnitudes = np.abs(numbers)
    logarithms = np.log(np.maximum(magnitudes, 1.0)) + 1.0
    return np.where(magnitudes <= 1.0, numbers, np.copysign(logarithms, numbers))


def unsquash(positions: npt.ArrayLike) -> Floats:
    """Return the inverse of squash; infinite beyond the largest number there is."""
    squashed = np.asarray(positions, np.float64)
    distances = np.abs(squashed)
    with np.errstate(over="ignore"):
        magnitudes = np.exp(np.maximum(distances, 1.0) - 1.0)
    return np.where(distances <= 1.0, squashed, np.copysign(magnitudes, squashed))


def squash_slope(values: npt.ArrayLike) -> Floats:
    """Return the derivative of squash."""
    slopes: Floats = 1 / np.maximum(np.abs(np.asarray(values, np.float64)), 1.0)
    return slopes


def squarable(values: npt.ArrayLike) -> Floats:
    """Return numbers whose squares can be summed; all beyond the largest such become it."""
    return np.clip(np.asarray(values, np.float64), -LARGEST_SQUARABLE, LARGEST_SQUARABLE)


def position_of(values: Floats, log: str) -> Floats:
    """Return where values lie on the line that prototypes are fitted on: as log="none" or squashed.

    `number_at` is the inverse.
    """
    return values if log == "none" else squash(values)


def number_at(positions: Floats, log: str) -> Floats:
    return positions if log == "none" else unsquash(positions)

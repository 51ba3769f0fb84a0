"""Numbers ↔ the squashed number line, where equal steps are equal ratios (Eq. 2 of the paper)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.fields import one_of, setting

LARGEST_SQUARABLE = 1e140  # billions of its squares have a finite sum


def squash(values: npt.ArrayLike) -> Floats:
    """Return x if it lies in [-1, 1], and 1 + log |x| with the sign of x if not."""
    numbers = np.asarray(values, np.float64)
    magnitudes = np.abs(numbers)
    logarithms = np.log(np.maximum(magnitudes, 1.0)) + 1.0
    return np.where(magnitudes <= 1.0, numbers, np.copysign(logarithms, numbers))


def unsquash(positions: npt.ArrayLike) -> Floats:
    """Return the numbers at positions on the squashed line; too large ones become infinite."""
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
    """Return numbers whose squares can be summed: larger ones become LARGEST_SQUARABLE."""
    return np.clip(np.asarray(values, np.float64), -LARGEST_SQUARABLE, LARGEST_SQUARABLE)


def line_setting() -> Any:
    return setting(
        "dataset",
        "Number line that prototypes are fitted on: squashed ('dataset') or plain ('none').",
        one_of("dataset", "none"),
    )


def position_of(values: Floats, log: str) -> Floats:
    """Return the positions of values on the line that `line_setting` names."""
    return values if log == "none" else squash(values)


def number_at(positions: Floats, log: str) -> Floats:
    """Return the values at positions on the line that `line_setting` names."""
    return positions if log == "none" else unsquash(positions)

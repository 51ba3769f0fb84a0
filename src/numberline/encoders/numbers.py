"""What a caller gives → a row of finite numbers, or an error that says what is wrong with it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.config import LARGEST_COUNT
from numberline.encoders.squash import Floats
from numberline.errors import NumeralsError, describe

ROUNDED = 32 * np.finfo(float).eps  # that numbers may be off, computed or off the squashed line


def finite_numbers(values: npt.ArrayLike) -> Floats:
    """One number, or a row of them; what is not finite lies nowhere on the line."""
    try:
        numbers = np.atleast_1d(np.asarray(values, np.float64))
    except (TypeError, ValueError, OverflowError):
        raise NumeralsError(f"numbers are needed, not {describe(values)}") from None
    if numbers.ndim > 1:
        raise NumeralsError(f"a row of numbers is needed, not an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        place = int(np.argmin(np.isfinite(numbers)))
        raise NumeralsError(f"{numbers[place]} at place {place} is no finite number")
    return numbers


def have_decimals(numbers: Floats) -> npt.NDArray[np.bool_]:
    """Whether digits are needed after the point; not by 5.0, nor by 36.6 + 0.4."""
    away = np.abs(numbers - np.rint(numbers))
    return away > ROUNDED * np.abs(numbers)


def distinct_numerals(values: npt.ArrayLike, counts: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Values ascending and each once; the counts of equal ones are added."""
    numbers, weights = finite_numbers(values), finite_numbers(counts)
    if len(numbers) != len(weights):
        raise NumeralsError(f"{len(numbers)} values came with {len(weights)} counts")
    is_count = (weights > 0) & (weights <= LARGEST_COUNT)
    if not is_count.all():
        raise NumeralsError(f"{weights[np.argmin(is_count)]} is no count; it must be above 0")
    distinct, places = np.unique(numbers, return_inverse=True)
    return distinct, np.bincount(places, weights, len(distinct)).astype(np.float64)

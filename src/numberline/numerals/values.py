"""What a caller gives → finite numbers, or an error that says what is wrong with it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import CorpusError, NumeralsError, describe
from numberline.fields import LARGEST_COUNT

ROUNDING_ERROR = 32 * np.finfo(float).eps  # relative, of numbers that were computed


def finite_numbers(values: npt.ArrayLike) -> Floats:
    """Return one number, or several, as an array of doubles; refuse what is not on the line."""
    try:
        numbers = np.atleast_1d(np.asarray(values, np.float64))
    except (TypeError, ValueError, OverflowError):
        raise NumeralsError(f"numbers are needed, not {describe(values)}") from None
    if numbers.ndim > 1:
        raise NumeralsError(f"a row of numbers is needed, not an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        index = int(np.argmin(np.isfinite(numbers)))
        raise NumeralsError(f"{numbers[index]} at place {index} is no finite number")
    return numbers


def have_decimals(numbers: Floats) -> npt.NDArray[np.bool_]:
    """Tell which numbers need digits after the point; 5.0 and 36.6 + 0.4 do not."""
    away = np.abs(numbers - np.rint(numbers))
    return away > ROUNDING_ERROR * np.abs(numbers)


def distinct_numerals(values: npt.ArrayLike, counts: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return what `fit` takes: each value once, ascending, and the sum of its counts."""
    numbers, occurrences = finite_numbers(values), finite_numbers(counts)
    if len(numbers) != len(occurrences):
        raise NumeralsError(f"{len(numbers)} values came with {len(occurrences)} counts")
    is_count = (occurrences > 0) & (occurrences <= LARGEST_COUNT)
    if not is_count.all():
        raise NumeralsError(f"{occurrences[np.argmin(is_count)]} is no count; it must be above 0")
    if not len(numbers):
        raise CorpusError("no numerals to learn prototypes from")
    distinct, inverse = np.unique(numbers, return_inverse=True)
    return distinct, np.bincount(inverse, occurrences, len(distinct)).astype(np.float64)

"""Numbers of any kind → arrays of finite doubles, or an error that says what is wrong."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import CorpusError, NumeralsError, describe
from numberline.fields import LARGEST_COUNT

ROUNDING_ERROR = 32 * np.finfo(float).eps  # relative error of numbers that were computed


def finite_numbers(values: npt.ArrayLike) -> Floats:
    """Return a number, or a sequence of numbers, as an array; refuse all but finite ones."""
    try:
        numbers = np.atleast_1d(np.asarray(values, np.float64))
    except (TypeError, ValueError, OverflowError):
        raise NumeralsError(f"numbers are needed, not {describe(values)}") from None
    if numbers.ndim > 1:
        raise NumeralsError(f"a row of numbers is needed, not an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        index = int(np.argmin(np.isfinite(numbers)))
        raise NumeralsError(f"{numbers[index]} at index {index} is no finite number")
    return numbers


def have_decimals(numbers: Floats) -> npt.NDArray[np.bool_]:
    """Return which numbers need digits after the point; 5.0 and 36.6 + 0.4 do not."""
    distances = np.abs(numbers - np.rint(numbers))
    return distances > ROUNDING_ERROR * np.abs(numbers)


def distinct_numerals(values: npt.ArrayLike, counts: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return each value once, ascending, and the sum of its counts, as `fit` takes them."""
    numbers, occurrences = finite_numbers(values), finite_numbers(counts)
    if len(numbers) != len(occurrences):
        raise NumeralsError(f"{len(numbers)} values came with {len(occurrences)} counts")
    is_count = (occurrences > 0) & (occurrences <= LARGEST_COUNT)
    if not is_count.all():
        wrong = occurrences[np.argmin(is_count)]
        raise NumeralsError(f"{wrong} is no count: it must be above 0 and below 2^63")
    if not len(numbers):
        raise CorpusError("no numerals to learn prototypes from")
    distinct, inverse = np.unique(numbers, return_inverse=True)
    return distinct, np.bincount(inverse, occurrences, len(distinct)).astype(np.float64)

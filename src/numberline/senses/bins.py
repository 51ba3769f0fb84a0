"""Numbers → bins of their size and form: the part of their look that tells years from counts.

Whole numbers that may be years have a bin for each decade. Others have two for each power of ten.
Both are divided by form: zeros at the end, digits after the point.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats

FIRST_YEAR, LAST_YEAR = 1000, 2100
YEAR_FORMS = 3  # none, one, or more zeros at the end
FORMS = 5  # these, one digit after the point, more of them
SMALLEST_POWER, LARGEST_POWER = -2.5, 8.0
SIZES = round(2 * (LARGEST_POWER - SMALLEST_POWER)) + 1
YEAR_BINS = (LAST_YEAR - FIRST_YEAR) // 10 * YEAR_FORMS
BINS = YEAR_BINS + SIZES * FORMS


def bins_of(values: Floats) -> npt.NDArray[np.int32]:
    """Return the bin of each number, below BINS."""
    sizes = np.abs(values)
    is_whole = np.rint(sizes) == sizes
    zeros = np.zeros(len(sizes), np.int32)
    for power in (10, 100):
        zeros += is_whole & (sizes > 0) & (np.mod(sizes, power) == 0)
    one_decimal = np.isclose(sizes * 10, np.rint(sizes * 10), rtol=0, atol=1e-9 * (1 + sizes))
    forms = np.where(is_whole, zeros, np.where(one_decimal, FORMS - 2, FORMS - 1))
    powers = np.log10(np.maximum(sizes, 10**SMALLEST_POWER))
    steps = np.floor(2 * (np.minimum(powers, LARGEST_POWER) - SMALLEST_POWER)).astype(np.int32)
    bins = YEAR_BINS + steps * FORMS + forms
    may_be_year = is_whole & (values >= FIRST_YEAR) & (values < LAST_YEAR)
    years = np.where(may_be_year, values, FIRST_YEAR).astype(np.int32)
    decades = (years - FIRST_YEAR) // 10
    return np.where(may_be_year, decades * YEAR_FORMS + zeros, bins).astype(np.int32)

"""Numbers → rows of features: their vectors in few dimensions, their size, how they are written.

The number in a gap is of no known kind; those around it are of the kind that the text says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.gap_model.projection import Projection, fit_projection
from numberline.numerals.base import SIDES
from numberline.numerals.squash import squash
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.numerals import plain_number

PROJECTED = 128  # dimensions kept of both vectors of a number
COUNT_POWER = 0.5  # a projection by counts alone would serve the few most frequent numerals only
SQUASHED_UNIT = 10.0  # squashed values of most numbers are then between -2 and 2

# The number of choices of each trait of a written number.
DECIMALS, WHOLE_DIGITS, ZEROS, LAST_DIGITS = 5, 11, 7, 10
FIRST_YEAR, LAST_YEAR = 1000, 2100  # whole numbers between them may be years
FORM = DECIMALS + WHOLE_DIGITS + ZEROS + LAST_DIGITS + 1


@dataclass(frozen=True, eq=False)
class NumberFeatures:
    """A function from numbers to rows of features."""

    numerals: NumeralVectors
    projection: Projection  # of input and output vectors side by side

    def __call__(
        self, values: Floats, kinds: npt.NDArray[np.int32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return [numbers, features]: projected vectors, squashed value, form."""
        positions = squash(values)[:, None] / SQUASHED_UNIT
        vectors = self.projection(both_vectors(self.numerals, values, kinds))
        return np.hstack([vectors, positions, forms(values)]).astype(np.float32)


def number_feature_size(projected: int) -> int:
    return projected + 1 + FORM


def fit_number_features(numerals: NumeralVectors, values: Floats, counts: Floats) -> NumberFeatures:
    rows = both_vectors(numerals, values)
    size = min(PROJECTED, rows.shape[1])
    return NumberFeatures(numerals, fit_projection(rows, counts**COUNT_POWER, size))


def both_vectors(
    numerals: NumeralVectors, values: Floats, kinds: npt.NDArray[np.int32] | None = None
) -> npt.NDArray[np.float32]:
    return np.hstack([numerals.vectors(values, side, kinds) for side in SIDES])


def forms(values: Floats) -> npt.NDArray[np.float32]:
    """Return how numbers are written: one column per choice of each trait, 1 where it is so."""
    rows = np.zeros((len(values), FORM), np.float32)
    if len(values):
        traits = np.array([traits_of(value) for value in values.tolist()])
        starts = np.cumsum([0, DECIMALS, WHOLE_DIGITS, ZEROS])
        np.put_along_axis(rows, traits[:, :4] + starts, 1, axis=1)
        rows[:, -1] = traits[:, 4]
    return rows


def traits_of(value: float) -> tuple[int, int, int, int, bool]:
    """Return decimals, digits before the point, zeros at the end, the last digit, may be a year."""
    whole, _, decimals = plain_number(abs(value)).partition(".")
    if not whole.isdecimal():  # written with an exponent
        return 0, WHOLE_DIGITS - 1, ZEROS - 1, 0, False
    zeros = len(whole) - len(whole.rstrip("0")) if whole != "0" else 0
    return (
        min(len(decimals), DECIMALS - 1),
        min(len(whole), WHOLE_DIGITS - 1),
        min(zeros, ZEROS - 1),
        int(whole[-1]),
        not decimals and FIRST_YEAR <= abs(value) <= LAST_YEAR,
    )

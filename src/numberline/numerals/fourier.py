"""Sines and cosines of the value, one pair per power of ten: its digits, as points on circles.

A period of 10 gives the last digit, one of 100 the last two, and so on; a trained linear map makes
a vector of them. Numerals with similar digits have similar vectors, which suits years, codes and
exact arithmetic better than magnitudes. The mean over the corpus is subtracted from these features,
and a constant is added: otherwise each numeral would move the vectors of all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.numerals.base import Encoder, FittedEncoder, Side
from numberline.numerals.rows import SparseRows, rows_of_table
from numberline.numerals.state import require_ascending, require_equal_lengths
from numberline.numerals.values import finite_numbers

SMALLEST_POWER, LARGEST_POWER = -3, 16  # of ten, as a double holds no more digits
COVERED_FRACTION = 0.999  # fraction of occurrences all of whose digits have a period


@dataclass(frozen=True, eq=False)
class FittedFourier(FittedEncoder):
    encoder: Fourier
    periods: Floats  # powers of ten, ascending
    mean_cosines: Floats  # over the corpus
    mean_sines: Floats

    def __post_init__(self) -> None:
        require_ascending("periods", self.periods)
        require_equal_lengths(
            periods=self.periods, mean_cosines=self.mean_cosines, mean_sines=self.mean_sines
        )

    @property
    def size(self) -> int:
        return 2 * len(self.periods) + 1

    def weights(self, values: npt.ArrayLike, side: Side = "input") -> SparseRows:
        """Return a constant, then cosines and sines minus their means; rows have length about 1."""
        cosines, sines = circles(finite_numbers(values), self.periods)
        constant = np.ones((len(cosines), 1))
        features = [constant, cosines - self.mean_cosines, sines - self.mean_sines]
        return rows_of_table(np.concatenate(features, axis=1) / np.sqrt(len(self.periods)))


@dataclass(frozen=True)
class Fourier(Encoder):
    """The digits of a number, as sines and cosines with powers of ten for periods."""

    name: ClassVar[str] = "fourier"
    fitted_class: ClassVar[type[FittedEncoder]] = FittedFourier

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedFourier:
        periods = periods_of(values, counts)
        means = (np.average(part, axis=0, weights=counts) for part in circles(values, periods))
        return FittedFourier(self, periods, *means)


def periods_of(values: Floats, counts: Floats) -> Floats:
    """Return the powers of ten from the last decimal that a corpus uses to the first digit."""
    decimals_used = covering([decimals(value) for value in values.tolist()], counts)
    with np.errstate(divide="ignore"):
        magnitudes = np.floor(np.log10(np.abs(values))) + 1
    digits_used = covering(np.where(np.isfinite(magnitudes), magnitudes, 0), counts)
    # One period beyond the first digit, on which 9 does not lie beside 0 again.
    first, last = max(1 - decimals_used, SMALLEST_POWER), min(digits_used + 1, LARGEST_POWER)
    powers = np.arange(first, last + 1)
    return np.power(10.0, powers if len(powers) else [1], dtype=np.float64)


def circles(values: Floats, periods: Floats) -> tuple[Floats, Floats]:
    """Return cosines and sines of each value (row) for each period (column)."""
    phases = 2 * np.pi * (np.fmod(values[:, None], periods) / periods)
    return np.cos(phases), np.sin(phases)


def decimals(value: float) -> int:
    """Return the number of digits after the point of the shortest way to write a value."""
    digits, _, exponent = repr(value).partition("e")
    after_point = len(digits.partition(".")[2].rstrip("0"))
    return max(0, after_point - int(exponent or 0))


def covering(sizes: npt.ArrayLike, counts: Floats) -> int:
    """Return the smallest size that COVERED_FRACTION of all occurrences do not exceed."""
    order = np.argsort(sizes, kind="stable")
    reached = np.searchsorted(np.cumsum(counts[order]), COVERED_FRACTION * counts.sum())
    return int(np.asarray(sizes)[order][reached])

"""Sines and cosines of the value, one pair per power of ten: its digits, as points on circles.

A period of 10 tells the last digit, one of 100 the last two, and so on; a trained linear map makes
a vector of them. Two numerals are alike where their digits are, which suits years, codes and exact
arithmetic better than magnitudes. The features are taken relative to their mean over the corpus,
with a constant beside them: the same vectors can be learnt, but not all numerals pull at all.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from numberline.encoders.base import LinearEncoder
from numberline.encoders.numbers import finite_numbers
from numberline.encoders.squash import Floats
from numberline.encoders.weights import DenseWeights

SMALLEST_POWER, LARGEST_POWER = -3, 16  # tenths of a percent; all digits that a double holds
COVERED = 0.999  # share of occurrences whose last decimal and first digit get a period


class FourierEncoder(LinearEncoder):
    name = "fourier"
    fitted = ("periods", "mean_cosines", "mean_sines")
    is_average = False
    periods: Floats  # powers of ten, ascending
    mean_cosines: Floats  # over the corpus
    mean_sines: Floats

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        first = covering([decimals(value) for value in values.tolist()], counts)
        with np.errstate(divide="ignore"):
            magnitudes = np.floor(np.log10(np.abs(values))) + 1
        last = covering(np.where(np.isfinite(magnitudes), magnitudes, 0), counts)
        # One period beyond the first digit, on which 9 does not lie beside 0 again.
        powers = np.arange(max(1 - first, SMALLEST_POWER), min(last + 1, LARGEST_POWER) + 1)
        self.periods = np.power(10.0, powers if len(powers) else [1], dtype=np.float64)
        cosines, sines = self._circles(values)
        self.mean_cosines = np.average(cosines, axis=0, weights=counts)
        self.mean_sines = np.average(sines, axis=0, weights=counts)
        return self

    @property
    def basis_size(self) -> int:
        return 2 * len(self.periods) + 1

    def weights(self, values: npt.ArrayLike) -> DenseWeights:
        """A constant, then cosines and sines without their mean; of a length of about 1."""
        cosines, sines = self._circles(finite_numbers(values))
        features = [
            np.ones((len(cosines), 1)),
            cosines - self.mean_cosines,
            sines - self.mean_sines,
        ]
        table = np.concatenate(features, axis=1) / np.sqrt(len(self.periods))
        return DenseWeights(table.astype(np.float32))

    def _circles(self, values: Floats) -> tuple[Floats, Floats]:
        numbers = values[:, None]
        phases = 2 * np.pi * (np.fmod(numbers, self.periods) / self.periods)
        return np.cos(phases), np.sin(phases)


def decimals(value: float) -> int:
    """Digits after the point of the shortest way to write a value."""
    digits, _, exponent = repr(value).partition("e")
    after_point = len(digits.partition(".")[2].rstrip("0"))
    return max(0, after_point - int(exponent or 0))


def covering(sizes: npt.ArrayLike, counts: Floats) -> int:
    """The size that the share COVERED of all occurrences does not exceed."""
    order = np.argsort(sizes, kind="stable")
    reached = np.searchsorted(np.cumsum(counts[order]), COVERED * counts.sum())
    return int(np.asarray(sizes)[order][reached])

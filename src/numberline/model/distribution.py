"""Scores of the corpus' numerals in one context → a distribution over the number line.

Skip-gram makes v_n · o_c the logarithm of how many times as often n and c meet as they would by
chance. If contexts were independent, q(n) exp s0(n) would be proportional to the probability of n
in this context, with q the probability that n is drawn as a negative. As contexts repeat each
other, scores are multiplied by SHARPNESS.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.fields import as_count, as_fraction
from numberline.numerals.squash import squash, squash_slope

SHARPNESS = 0.7  # fraction of a score that repeats no other context
LIKELY = 3  # default number of likely values
SAME_VALUE = 0.05  # on the squashed number line, about 5 %: only the likelier one is listed
ROUNDING = 1e-5  # relative: sums in another order give the same numeral another score
GRID_POINTS = 4096  # of the smoothed density
BANDWIDTH = 0.02  # of the smoothing, on the squashed number line: about 2 %


class LikelyNumber(NamedTuple):
    """A value, and the probability of all numbers within about 5 % of it."""

    value: float
    probability: float


@dataclass(frozen=True, eq=False)
class NumeralDistribution:
    """The probability of numbers in a gap, at points of the number line.

    `values` ascend; their `probabilities` sum to 1, as do those `in_general`, without a context. A
    point is a frequent numeral, or stands for several rare ones around it. `nominal` calibrates
    quantiles: it turns the fraction of numbers that a middle part shall hold into the probability
    that the part needs.
    """

    values: Floats
    probabilities: Floats
    in_general: Floats
    nominal: Callable[[float], float] = float

    @cached_property
    def density(self) -> Floats:
        """The smoothed probability per unit of value, at each value."""
        return smoothed_density(self.values, self.probabilities)

    @property
    def median(self) -> float:
        """The value in the middle: a number is as likely below it as above."""
        return self.quantile(0.5)

    def quantile(self, fraction: float) -> float:
        """Return the value that is above this fraction of numbers in such a gap, if calibrated."""
        distance = 2 * as_fraction("fraction", fraction) - 1  # of the middle, -1 to 1
        fraction = (1 + math.copysign(self.nominal(abs(distance)), distance)) / 2
        index = int(np.searchsorted(self._cumulative, fraction * (1 - 1e-12)))
        return float(self.values[min(index, len(self.values) - 1)])

    def interval(self, fraction: float = 0.9) -> tuple[float, float]:
        """Return the ends of the middle part that holds this fraction of numbers."""
        fraction = as_fraction("fraction", fraction)
        return self.quantile((1 - fraction) / 2), self.quantile((1 + fraction) / 2)

    @property
    def mode(self) -> float:
        """The likeliest value."""
        return float(self.values[int(np.argmax(self.probabilities))])

    @property
    def lifts(self) -> Floats:
        """How many times likelier each value is here than in general."""
        return self.probabilities / self.in_general

    def likely(self, count: int = LIKELY) -> list[float]:
        """Return the likeliest values, the likeliest first, none near a likelier one."""
        return [number.value for number in self.likely_numbers(count)]

    def likely_numbers(self, count: int = LIKELY) -> list[LikelyNumber]:
        """Return the likeliest values with their probabilities, which include what is near."""
        count = as_count("count", count)
        positions = squash(self.values)
        remaining = self.probabilities.copy()
        numbers: list[LikelyNumber] = []
        while len(numbers) < count and remaining.max() > 0:
            best = int(np.argmax(remaining))
            is_near = np.abs(positions - positions[best]) <= SAME_VALUE
            numbers.append(LikelyNumber(float(self.values[best]), float(remaining[is_near].sum())))
            remaining[is_near] = 0
        return numbers

    @cached_property
    def _cumulative(self) -> Floats:
        return np.cumsum(self.probabilities)


@dataclass(frozen=True, eq=False)
class CorpusScores:
    """How well each numeral of the corpus fits one context."""

    values: Floats  # ascending
    negative_probabilities: Floats  # how likely each was drawn as a negative; sums to 1
    scores: Floats

    def percentile(self, score: float) -> float:
        """Return the fraction of drawn negatives that score less; equal ones count half."""
        above = self.scores - score
        is_equal = np.abs(above) <= ROUNDING * max(1.0, abs(score))
        less = self.negative_probabilities[(above < 0) & ~is_equal].sum()
        return float(less + self.negative_probabilities[is_equal].sum() / 2)

    def log_lift(self, scores: Floats) -> Floats:
        """Return log lifts: how many times likelier such scores are here than in general."""
        best = self.scores.max()
        lifts: Floats = SHARPNESS * (scores - best) - np.log(self._likelihoods.sum())
        return lifts

    def distribution(self) -> NumeralDistribution:
        """Return the probabilities of the numerals in this context."""
        probabilities = self._likelihoods / self._likelihoods.sum()
        return NumeralDistribution(self.values, probabilities, self.negative_probabilities)

    @cached_property
    def _likelihoods(self) -> Floats:
        """Proportional to the probabilities; relative to the largest, so that exp is finite."""
        best = self.scores.max()
        likelihoods: Floats = self.negative_probabilities * np.exp(SHARPNESS * (self.scores - best))
        return likelihoods


def smoothed_density(values: Floats, probabilities: Floats) -> Floats:
    """Return the probability per unit of value, smoothed on the squashed number line.

    On that line a numeral of any scale is smoothed by about the same ratio.
    """
    positions = squash(values)
    first, last = positions[0] - 5 * BANDWIDTH, positions[-1] + 5 * BANDWIDTH  # room for the bell
    grid, step = np.linspace(first, last, GRID_POINTS, retstep=True)
    edges = np.linspace(first - step / 2, last + step / 2, GRID_POINTS + 1)
    smooth = smoothed_histogram(positions, probabilities, edges, BANDWIDTH / step) / step
    density: Floats = np.interp(positions, grid, smooth) * squash_slope(values)
    return density


def smoothed_histogram(positions: Floats, masses: Floats, edges: Floats, blur: float) -> Floats:
    """Return the mass in each bin, smoothed by a bell; `blur` is its deviation in bins."""
    heights = np.histogram(positions, edges, weights=masses)[0]
    reach = int(np.ceil(4 * blur))
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / blur) ** 2)
    smooth: Floats = np.convolve(heights, bell / bell.sum(), mode="same")
    return smooth[: len(heights)]

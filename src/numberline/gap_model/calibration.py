"""Held-out numerals and how well they fit → probabilities that can be relied on.

sharpness   scores times it give the held-out numerals the largest likelihood
coverage    how large a nominal middle part must be to hold a fraction of the held-out numerals
wrongness   log odds that a number is wrong, by how it fits (a logistic regression on held-out
            numerals, half of which were replaced)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import EncoderStateError
from numberline.numerals.state import required_array

OWNER = "the gap model"  # of arrays, in messages
LEVELS = np.linspace(0, 1, 41)  # fractions whose coverage is kept
SHARPNESSES = np.linspace(0.4, 1.6, 61)
SMALLEST_PROBABILITY = 1e-5  # whose logarithm is evidence
RIDGE = 1e-3  # keeps the regression finite where the two kinds do not overlap
STEPS = 25  # of Newton's method


@dataclass(frozen=True, eq=False)
class Calibration:
    sharpness: float
    coverage: Floats  # [LEVELS] the nominal fraction for each
    wrongness: Floats  # weights of `evidence`

    def nominal(self, fraction: float) -> float:
        """Return the nominal fraction whose middle part holds this fraction of numbers."""
        return float(np.interp(fraction, LEVELS, self.coverage))

    def log_odds(self, *evidence: Floats) -> Floats:
        """Return the log odds that numbers are wrong, if as many are wrong as are right."""
        odds: Floats = columns_of(*evidence) @ self.wrongness
        return odds

    def state(self) -> dict[str, Array]:
        return {
            "sharpness": np.array([self.sharpness]),
            "coverage": self.coverage,
            "wrongness": self.wrongness,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Array]) -> Calibration:
        sharpness = required_array(state, "sharpness", (1,), OWNER)
        coverage = required_array(state, "coverage", (len(LEVELS),), OWNER)
        wrongness = required_array(state, "wrongness", (EVIDENCE,), OWNER)
        if not SHARPNESSES[0] <= sharpness[0] <= SHARPNESSES[-1]:
            raise EncoderStateError(
                f"sharpness in the state of {OWNER} is {sharpness[0]}, but must be from "
                f"{SHARPNESSES[0]} to {SHARPNESSES[-1]}"
            )
        if not ((coverage >= 0) & (coverage <= 1)).all():
            raise EncoderStateError(f"coverage in the state of {OWNER} is not between 0 and 1")
        return cls(float(sharpness[0]), coverage, wrongness)


EVIDENCE = 5  # columns of the regression
UNCALIBRATED = Calibration(1.0, LEVELS, np.zeros(EVIDENCE))


def columns_of(log_lift: Floats, beyond: Floats, near: Floats, near_in_general: Floats) -> Floats:
    """Return the columns of the regression: 1, and logarithms of what a Fit says of numbers.

    How often the very number occurs would tell more, but not of numbers that were never seen.
    """
    probabilities = (
        np.log(np.maximum(one, SMALLEST_PROBABILITY)) for one in (beyond, near, near_in_general)
    )
    return np.stack([np.ones_like(log_lift), log_lift, *probabilities], axis=-1)


def best_sharpness(own: Array, scores: Array, fractions: Floats) -> float:
    """Return the factor of scores at which the true numbers are likeliest.

    `own` [contexts] are scores of the true numbers, `scores` [contexts, support] those of all. The
    loss is convex, so that its slope tells on which side the best factor is.
    """
    best = scores.max(axis=1)
    below_best, fractions = scores - best[:, None], fractions.astype(scores.dtype)

    def loss(factor: float) -> float:
        likelihoods = np.exp(below_best * scores.dtype.type(factor)) @ fractions
        return float(np.mean(factor * (best - own) + np.log(likelihoods)))

    first, last = 0, len(SHARPNESSES) - 1
    while first < last:
        middle = (first + last) // 2
        if loss(SHARPNESSES[middle]) <= loss(SHARPNESSES[middle + 1]):
            last = middle
        else:
            first = middle + 1
    return float(SHARPNESSES[first])


def needed_fractions(below: Floats, up_to: Floats) -> Floats:
    """Return how large a middle part must be to hold each number.

    `below` is the probability of smaller numbers, `up_to` that of numbers up to it.
    """
    needed: Floats = np.maximum(np.maximum(1 - 2 * up_to, 2 * below - 1), 0)
    return needed


def coverage_of(needed: Floats) -> Floats:
    """Return the nominal fraction for each level; the whole line is needed to hold all numbers."""
    coverage = np.quantile(needed, LEVELS)
    coverage[0], coverage[-1] = 0, 1
    return coverage


def fit_wrongness(columns: Floats, is_wrong: Floats) -> Floats:
    """Return the weights of a logistic regression, by Newton's method.

    The first column is 1. Its weight is shifted to what it would be if as many were wrong as right.
    """
    weights = np.zeros(columns.shape[1])
    for _ in range(STEPS):
        probabilities = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        gradient = columns.T @ (probabilities - is_wrong) + RIDGE * weights
        curvature = (columns.T * (probabilities * (1 - probabilities))) @ columns
        weights -= np.linalg.solve(curvature + RIDGE * np.eye(len(weights)), gradient)
    wrong = is_wrong.sum()
    weights[0] -= np.log((wrong + 1) / (len(is_wrong) - wrong + 1))  # 1: there may be none
    return weights

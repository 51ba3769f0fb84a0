"""Scores of the points of a support in contexts → sums of their probabilities.

A point with the fraction q of all numerals has in a context the probability

    p = q exp(score) / Σ q exp(score)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.kernels import native

Vectors = npt.NDArray[np.float32]
Ends = npt.NDArray[np.int64]


class SupportSums(NamedTuple):
    """Sums of probabilities over the number line, one of each for every context."""

    log_sum: Floats  # [contexts] log Σ q exp(score)
    below: Floats  # [contexts] Σ q of the points whose score is below the limit
    before: Floats  # [contexts, ends] the probability of the points before each end
    counts: Ends  # [contexts, bounds] the points up to which the sum of p is below each bound


def support_sums(
    scores: Vectors, fractions: Vectors, limits: Vectors, ends: Ends, bounds: Floats
) -> SupportSums:
    """Return sums for scores [contexts, points] and ends [contexts, ends], indices of points."""
    if (kernels := native()) is None:
        return defined_sums(scores, fractions, limits, ends, bounds)
    log_sum, below, before, counts = kernels.support_sums(
        scores=scores, fractions=fractions, limits=limits, ends=ends, bounds=bounds
    )
    shape = len(scores), len(bounds)
    return SupportSums(log_sum, below, before.reshape(ends.shape), counts.reshape(shape))


def log_sums(scores: Vectors, fractions: Vectors) -> Floats:
    """Return log Σ q exp(score) of each context."""
    largest = scores.max(axis=1, keepdims=True)
    sums = np.exp(scores - largest) @ fractions
    logarithms: Floats = (largest[:, 0] + np.log(sums)).astype(np.float64)
    return logarithms


def defined_sums(
    scores: Vectors, fractions: Vectors, limits: Vectors, ends: Ends, bounds: Floats
) -> SupportSums:
    largest = scores.max(axis=1, keepdims=True)
    likelihoods = fractions * np.exp(scores - largest, dtype=np.float64)
    totals = likelihoods.sum(axis=1, keepdims=True)
    sums = np.cumsum(likelihoods / totals, axis=1)
    log_sum = (largest + np.log(totals))[:, 0]
    below = np.where(scores < limits[:, None], fractions, 0).sum(axis=1, dtype=np.float64)
    before = np.take_along_axis(np.pad(sums, ((0, 0), (1, 0))), ends, axis=1)
    counts = (sums[:, None] < bounds[:, None]).sum(axis=2)
    return SupportSums(log_sum, below, before, counts)

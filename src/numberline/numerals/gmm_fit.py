"""Distinct values and counts → a one-dimensional Gaussian mixture, by soft or hard EM.

A value that occurs c times has weight c, so the result is that of EM on all occurrences, at the
cost of EM on the distinct values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.kernels import native
from numberline.numerals.gmm_start import Floor
from numberline.numerals.mixture import Mixture, log_constants, log_joint, log_sum

MAX_STEPS = 100
TOLERANCE = 1e-3  # EM stops when the mean log-likelihood changes by less
BATCH = 4096  # values whose responsibilities are held at once


class Sums(NamedTuple):
    """Sums over the values of each component: all that the M-step needs."""

    mass: Floats
    moment: Floats  # about the component's old mean, which keeps digits
    square: Floats
    log_likelihood: float  # mean per occurrence


def fit_gmm(
    values: Floats,
    counts: Floats,
    start: Mixture,
    em: str,
    floor: Floor,
    steps: int = MAX_STEPS,
    tolerance: float = TOLERANCE,
) -> Mixture:
    """Improve `start` by soft or hard EM until the likelihood hardly changes; means ascend."""
    mixture, previous = start, -np.inf
    for _ in range(steps):
        sums = fast_expectation(values, counts, mixture, em)
        mixture = maximization(sums, mixture, floor)
        if abs(sums.log_likelihood - previous) < tolerance:
            break
        previous = sums.log_likelihood
    order = np.argsort(mixture.means, kind="stable")
    return Mixture(*(part[order] for part in mixture))


def expectation(values: Floats, counts: Floats, mixture: Mixture, em: str) -> Sums:
    """Split each value among components by their posterior, or (hard) give it to the likeliest."""
    mass, moment, square = (np.zeros(len(mixture.means)) for _ in range(3))
    log_likelihood = 0.0
    for first in range(0, len(values), BATCH):
        batch, count = values[first : first + BATCH], counts[first : first + BATCH]
        joint = log_joint(batch, mixture)
        evidence = log_sum(joint)
        if em == "hard":
            likeliest = np.argmax(joint, axis=1)
            weights = np.zeros_like(joint)
            weights[np.arange(len(batch)), likeliest] = count
        else:
            weights = np.exp(joint - evidence[:, None]) * count[:, None]
        offset = batch[:, None] - mixture.means
        mass += weights.sum(axis=0)
        moment += (weights * offset).sum(axis=0)
        square += (weights * offset * offset).sum(axis=0)
        log_likelihood += float(evidence @ count)
    return Sums(mass, moment, square, log_likelihood / float(counts.sum()))


def fast_expectation(values: Floats, counts: Floats, mixture: Mixture, em: str) -> Sums:
    """Return the sums of `expectation`, computed natively; values must be squarable."""
    if (kernels := native()) is None:
        return expectation(values, counts, mixture, em)
    mass, moment, square, log_likelihood = kernels.mixture_expectation(
        values=values,
        weights=counts,
        constants=log_constants(mixture),
        means=mixture.means,
        precisions=1 / mixture.deviations,
        hard=em == "hard",
    )
    return Sums(mass, moment, square, log_likelihood / float(counts.sum()))


def maximization(sums: Sums, mixture: Mixture, floor: Floor) -> Mixture:
    """Return the mixture that fits these sums best; empty components stay as they are."""
    is_alive = sums.mass > 1e-10 * sums.mass.sum()
    mass = np.where(is_alive, sums.mass, 1.0)
    shift = np.where(is_alive, sums.moment / mass, 0.0)
    variance = np.where(is_alive, sums.square / mass - shift**2, mixture.deviations**2)
    priors = np.maximum(sums.mass, 1e-12 * sums.mass.sum())
    means = mixture.means + shift
    return Mixture(priors / priors.sum(), means, np.sqrt(np.maximum(variance, floor(means))))

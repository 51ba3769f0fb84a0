"""Distinct values and counts → a one-dimensional Gaussian mixture, by soft or hard EM.

A value that occurs c times weighs c: the result is that of EM on all occurrences, at the price of
the distinct ones. The steps are functions of the mixture; the loop around them is written once.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from numberline.encoders.squash import Floats

Kind = Literal["soft", "hard"]
STEPS = 100
TOLERANCE = 1e-3  # change of the mean log-likelihood at which EM stops
RELATIVE_VARIANCE_FLOOR = (
    1e-6  # of the variance of all values; 1, 2, 3 stay apart at 300 components
)
BATCH = 4096  # values whose responsibilities are held at once
FARTHEST = 1e150  # standard deviations
LOG_2_PI = float(np.log(2 * np.pi))


class Mixture(NamedTuple):
    """Components in ascending order of their means."""

    shares: Floats  # mixing coefficients, sum to 1
    means: Floats
    deviations: Floats  # standard deviations, above 0


class Sums(NamedTuple):
    """What the M-step needs to know about the values that fell to each component."""

    mass: Floats
    moment: Floats  # about the component's old mean, which keeps digits
    square: Floats
    log_likelihood: float  # mean per occurrence


def fit_gmm(
    values: Floats,
    counts: Floats,
    start: Mixture,
    kind: Kind = "soft",
    steps: int = STEPS,
    tolerance: float = TOLERANCE,
) -> Mixture:
    """Improve `start` until the likelihood hardly changes."""
    floor = variance_floor(values, counts)
    mixture, previous = start, -np.inf
    for _ in range(steps):
        sums = fast_expectation(values, counts, mixture, kind)
        mixture = maximization(sums, mixture, floor)
        if abs(sums.log_likelihood - previous) < tolerance:
            break
        previous = sums.log_likelihood
    order = np.argsort(mixture.means, kind="stable")
    return Mixture(*(part[order] for part in mixture))


def expectation(values: Floats, counts: Floats, mixture: Mixture, kind: Kind) -> Sums:
    """Share out each value among the components, or give it to the likeliest one."""
    mass, moment, square = (np.zeros(len(mixture.means)) for _ in range(3))
    log_likelihood = 0.0
    for first in range(0, len(values), BATCH):
        batch, weight = values[first : first + BATCH], counts[first : first + BATCH]
        joint = log_joint(batch, mixture)
        evidence = log_sum(joint)
        if kind == "hard":
            likeliest = np.argmax(joint, axis=1)
            shares = np.zeros_like(joint)
            shares[np.arange(len(batch)), likeliest] = weight
        else:
            shares = np.exp(joint - evidence[:, None]) * weight[:, None]
        offset = batch[:, None] - mixture.means
        mass += shares.sum(axis=0)
        moment += (shares * offset).sum(axis=0)
        square += (shares * offset * offset).sum(axis=0)
        log_likelihood += float(evidence @ weight)
    return Sums(mass, moment, square, log_likelihood / float(counts.sum()))


def fast_expectation(values: Floats, counts: Floats, mixture: Mixture, kind: Kind) -> Sums:
    """As expectation, natively; for values that lie near enough to be squared, as in a fit."""
    from numberline._native import mixture_expectation

    mass, moment, square, log_likelihood = mixture_expectation(
        values=values,
        weights=counts,
        constants=log_constants(mixture),
        means=mixture.means,
        precisions=1 / mixture.deviations,
        hard=kind == "hard",
    )
    return Sums(mass, moment, square, log_likelihood / float(counts.sum()))


def maximization(sums: Sums, mixture: Mixture, floor: float) -> Mixture:
    """The mixture that fits best what fell to each component; empty components stay as they are."""
    is_alive = sums.mass > 1e-10 * sums.mass.sum()
    mass = np.where(is_alive, sums.mass, 1.0)
    shift = np.where(is_alive, sums.moment / mass, 0.0)
    variance = np.where(is_alive, sums.square / mass - shift**2, mixture.deviations**2)
    shares = np.maximum(sums.mass, 1e-12 * sums.mass.sum())
    return Mixture(
        shares / shares.sum(), mixture.means + shift, np.sqrt(np.maximum(variance, floor))
    )


def log_joint(values: Floats, mixture: Mixture) -> Floats:
    """log P(Z = k) + log P(U = value | Z = k) for each value (row) and component (column)."""
    return log_constants(mixture) - 0.5 * scaled_offsets(values, mixture) ** 2


def log_constants(mixture: Mixture) -> Floats:
    """What of a component's log density does not depend on the value."""
    constants: Floats = np.log(mixture.shares) - np.log(mixture.deviations) - 0.5 * LOG_2_PI
    return constants


def scaled_offsets(values: Floats, mixture: Mixture) -> Floats:
    """Distances from the means in standard deviations, made small enough to be squared.

    Beyond FARTHEST all but the widest component have vanished, and only ratios count.
    """
    with np.errstate(over="ignore"):
        offsets = (0.5 * values[:, None] - 0.5 * mixture.means) / (0.5 * mixture.deviations)
    offsets = np.clip(offsets, -1e300, 1e300)
    farthest = np.abs(offsets).max(axis=1, keepdims=True)
    scaled: Floats = offsets * (FARTHEST / np.maximum(farthest, FARTHEST))
    return scaled


def log_sum(logarithms: Floats) -> Floats:
    """log Σ exp of each row, whatever its size."""
    largest = logarithms.max(axis=1)
    total: Floats = largest + np.log(np.exp(logarithms - largest[:, None]).sum(axis=1))
    return total


def posterior(values: Floats, mixture: Mixture) -> Floats:
    """P(Z = k | U = value); rows sum to 1 also where all densities vanish."""
    joint = log_joint(values, mixture)
    joint -= joint.max(axis=1, keepdims=True)
    shares = np.exp(joint)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def variance_floor(values: Floats, counts: Floats) -> float:
    mean = np.average(values, weights=counts)
    spread = float(np.average((values - mean) ** 2, weights=counts))
    return RELATIVE_VARIANCE_FLOOR * spread if spread > 0 else 1.0


def start_at(means: Floats, values: Floats, counts: Floats) -> Mixture:
    """Appendix A: each value belongs to its nearest mean; deviations and shares follow."""
    means = np.sort(means)
    nearest = np.searchsorted(0.5 * (means[1:] + means[:-1]), values)
    mass = np.bincount(nearest, counts, len(means))
    square = np.bincount(nearest, counts * (values - means[nearest]) ** 2, len(means))
    centre = np.bincount(nearest, counts * (values - means[nearest]), len(means))
    safe_mass = np.maximum(mass, 1e-300)
    variance = np.maximum(
        square / safe_mass - (centre / safe_mass) ** 2, variance_floor(values, counts)
    )
    shares = np.maximum(mass, 1e-12 * mass.sum())
    return Mixture(shares / shares.sum(), means, np.sqrt(variance))

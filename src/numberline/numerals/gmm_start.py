"""Distinct values and counts → the mixture that EM starts from, in the three ways of the paper."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from numberline.arrays import Floats
from numberline.numerals.mixture import Mixture
from numberline.numerals.som_fit import k_means

FitMap = Callable[[Floats, Floats, int], Floats]  # values, counts, number → prototypes
Floor = Callable[[Floats], Floats]  # means → the smallest variance of a component there

# Fraction of the variance of all values; 1, 2, 3 stay apart at 300 components.
RELATIVE_VARIANCE_FLOOR = 1e-6
RELATIVE_DEVIATION_FLOOR = 2e-3  # fraction of a mean, for numbers that are not squashed
SMALL_FRACTION = 0.01  # fraction of the occurrences whose numbers count as small
SMALLEST_VARIANCE = 1e-280  # below it, squared distances lose their digits


def starting_mixture(
    em_start: str,
    values: Floats,
    counts: Floats,
    components: int,
    rng: np.random.Generator,
    fit_map: FitMap,
    floor: Floor,
) -> Mixture:
    """Return the mixture that EM starts from; `em_start` is random, som or kmeans."""
    if em_start == "som":
        means = fit_map(values, counts, components)
    else:
        means = rng.choice(values, components, replace=False, p=counts / counts.sum())
    if em_start == "kmeans":
        means = k_means(means, values, counts)
    return start_at(means, values, counts, floor)


def start_at(means: Floats, values: Floats, counts: Floats, floor: Floor) -> Mixture:
    """Return a mixture with these means, each with the deviation and prior of its nearest values.

    Deviations are taken from the mean itself, not from the centre of its values: otherwise a mean
    near a single value would be too narrow to reach it.
    """
    means = np.sort(means)
    nearest = np.searchsorted(0.5 * (means[1:] + means[:-1]), values)
    mass = np.bincount(nearest, counts, len(means))
    square = np.bincount(nearest, counts * (values - means[nearest]) ** 2, len(means))
    variance = square / np.where(mass > 0, mass, 1.0)
    priors = np.maximum(mass, 1e-12 * mass.sum())
    return Mixture(priors / priors.sum(), means, np.sqrt(np.maximum(variance, floor(means))))


def even_floor(values: Floats, counts: Floats) -> Floor:
    """Return the same smallest variance for all means, for values on the squashed line."""
    smallest = variance_floor(values, counts)
    return lambda means: np.full(len(means), smallest)


def relative_floor(values: Floats, counts: Floats) -> Floor:
    """Return a smallest variance that grows with the mean, but not below that of small numbers.

    Numbers that are not squashed need it: the few largest determine the variance of all, and even
    a small fraction of it would be wider than all other numbers together.
    """
    sizes = np.abs(values[values != 0])
    order = np.argsort(sizes)
    mass = np.cumsum(counts[values != 0][order])
    smallest = sizes[order][np.searchsorted(mass, SMALL_FRACTION * mass[-1])] if len(sizes) else 1.0

    def floor(means: Floats) -> Floats:
        deviations = RELATIVE_DEVIATION_FLOOR * np.maximum(np.abs(means), smallest)
        return np.maximum(deviations**2, SMALLEST_VARIANCE)

    return floor


def variance_floor(values: Floats, counts: Floats) -> float:
    """Return a small fraction of the variance of all occurrences; 1 if they do not vary."""
    mean = np.average(values, weights=counts)
    spread = float(np.average((values - mean) ** 2, weights=counts))
    floor = RELATIVE_VARIANCE_FLOOR * spread
    return floor if floor > SMALLEST_VARIANCE else 1.0

"""Where EM begins: the three starts of the paper's appendix A."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from numberline.encoders.mixture import Mixture
from numberline.encoders.som_fit import fit_som, k_means
from numberline.encoders.squash import Floats

FitMap = Callable[[Floats, Floats, int], Floats]  # values, counts and how many → prototypes
Floor = Callable[[Floats], Floats]  # means → the smallest variance that a component there may have

# Of the variance of all values; 1, 2, 3 stay apart at 300 components.
RELATIVE_VARIANCE_FLOOR = 1e-6
RELATIVE_DEVIATION_FLOOR = 2e-3  # of a mean, for numbers that are not squashed
SMALL_SHARE = 0.01  # of the occurrences, whose numbers are small
SMALLEST_VARIANCE = 1e-280  # values that vary less are one, as far as squares can tell


def starting_mixture(
    kind: str,
    values: Floats,
    counts: Floats,
    components: int,
    rng: np.random.Generator,
    fit_map: FitMap = fit_som,
    floor: Floor | None = None,
) -> Mixture:
    """`kind` is random, som or kmeans; values are distinct and ascending."""
    if kind == "som":
        means = fit_map(values, counts, components)
    else:
        means = rng.choice(values, components, replace=False, p=counts / counts.sum())
    if kind == "kmeans":
        means = k_means(means, values, counts)
    return start_at(means, values, counts, floor)


def start_at(means: Floats, values: Floats, counts: Floats, floor: Floor | None = None) -> Mixture:
    """Each value belongs to its nearest mean; deviations and shares follow.

    Deviations are about the mean itself, not about the centre of its values: a mean with a single
    value beside it would otherwise be so narrow as to lose it.
    """
    means = np.sort(means)
    nearest = np.searchsorted(0.5 * (means[1:] + means[:-1]), values)
    mass = np.bincount(nearest, counts, len(means))
    square = np.bincount(nearest, counts * (values - means[nearest]) ** 2, len(means))
    smallest = (floor or even_floor(values, counts))(means)
    variance = square / np.where(mass > 0, mass, 1.0)
    shares = np.maximum(mass, 1e-12 * mass.sum())
    return Mixture(shares / shares.sum(), means, np.sqrt(np.maximum(variance, smallest)))


def even_floor(values: Floats, counts: Floats) -> Floor:
    """The same everywhere, for values of which all distances count alike."""
    smallest = variance_floor(values, counts)
    return lambda means: np.full(len(means), smallest)


def relative_floor(values: Floats, counts: Floats) -> Floor:
    """A share of the number itself, but not less than that of the smallest numbers there are.

    It is for numbers that are not squashed: their variance is that of the largest few, and a floor
    made of it would be wider than all the others together.
    """
    sizes = np.abs(values[values != 0])
    order = np.argsort(sizes)
    mass = np.cumsum(counts[values != 0][order])
    smallest = sizes[order][np.searchsorted(mass, SMALL_SHARE * mass[-1])] if len(sizes) else 1.0

    def floor(means: Floats) -> Floats:
        deviations = RELATIVE_DEVIATION_FLOOR * np.maximum(np.abs(means), smallest)
        return np.maximum(deviations**2, SMALLEST_VARIANCE)

    return floor


def variance_floor(values: Floats, counts: Floats) -> float:
    mean = np.average(values, weights=counts)
    spread = float(np.average((values - mean) ** 2, weights=counts))
    floor = RELATIVE_VARIANCE_FLOOR * spread
    return floor if floor > SMALLEST_VARIANCE else 1.0

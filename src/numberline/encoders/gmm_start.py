"""Where EM begins: the three starts of the paper's appendix A."""

from __future__ import annotations

import numpy as np

from numberline.encoders.mixture import Mixture
from numberline.encoders.som_fit import fit_som, nearest_means
from numberline.encoders.squash import Floats

KMEANS_STEPS = 100
# Of the variance of all values; 1, 2, 3 stay apart at 300 components.
RELATIVE_VARIANCE_FLOOR = 1e-6
SMALLEST_VARIANCE = 1e-280  # values that vary less are one, as far as squares can tell


def starting_mixture(
    kind: str, values: Floats, counts: Floats, components: int, rng: np.random.Generator
) -> Mixture:
    """`kind` is random, som or kmeans; values are distinct and ascending."""
    if kind == "som":
        means = fit_som(values, counts, components)
    else:
        means = rng.choice(values, components, replace=False, p=counts / counts.sum())
    return start_at(k_means(means, values, counts) if kind == "kmeans" else means, values, counts)


def k_means(means: Floats, values: Floats, counts: Floats) -> Floats:
    """Lloyd's algorithm on a line."""
    for _ in range(KMEANS_STEPS):
        previous, means = means, nearest_means(np.sort(means), values, counts)
        if np.array_equal(previous, means):
            break
    return means


def start_at(means: Floats, values: Floats, counts: Floats) -> Mixture:
    """Each value belongs to its nearest mean; deviations and shares follow.

    Deviations are about the mean itself, not about the centre of its values: a mean with a single
    value beside it would otherwise be so narrow as to lose it.
    """
    means = np.sort(means)
    nearest = np.searchsorted(0.5 * (means[1:] + means[:-1]), values)
    mass = np.bincount(nearest, counts, len(means))
    square = np.bincount(nearest, counts * (values - means[nearest]) ** 2, len(means))
    floor = variance_floor(values, counts)
    variance = square / np.where(mass > 0, mass, 1.0)
    shares = np.maximum(mass, 1e-12 * mass.sum())
    return Mixture(shares / shares.sum(), means, np.sqrt(np.maximum(variance, floor)))


def variance_floor(values: Floats, counts: Floats) -> float:
    mean = np.average(values, weights=counts)
    spread = float(np.average((values - mean) ** 2, weights=counts))
    floor = RELATIVE_VARIANCE_FLOOR * spread
    return floor if floor > SMALLEST_VARIANCE else 1.0

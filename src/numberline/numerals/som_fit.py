"""Distinct values and counts → prototypes of a one-dimensional self-organizing map.

In this batch form of the map, every prototype moves towards the mean of the values that are nearest
to it or to its neighbours on the map. On a line the values nearest to a prototype are an interval,
so a step sums over each interval once.
"""

from __future__ import annotations

import math

import numpy as np

from numberline.arrays import Floats
from numberline.numerals.squash import squash, unsquash

STEPS = 200
KMEANS_STEPS = 100
FIRST_RATE, LAST_RATE = 1.0, 0.5  # fraction of the way to its target that a prototype moves
FARTHEST_NEIGHBOUR = 8.0  # in neighbourhood widths; beyond it, Gaussian weights are below 1e-13
LAST_NEIGHBOURHOOD = 0.3  # in prototypes; at the end each follows almost only its nearest values


def fit_som(values: Floats, counts: Floats, prototypes: int) -> Floats:
    """Return ascending prototypes of distinct ascending values that occur `counts` times."""
    positions = starting_positions(values, counts, prototypes)
    first_neighbourhood = max(prototypes / 20, 1.0)
    for step in range(STEPS):
        progress = step / (STEPS - 1)
        rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * progress
        neighbourhood = first_neighbourhood ** (1 - progress) * LAST_NEIGHBOURHOOD**progress
        target = neighbourhood_means(positions, values, counts, neighbourhood)
        positions = np.sort(positions + rate * (target - positions))
    return positions


def fit_som_unsquashed(values: Floats, counts: Floats, prototypes: int) -> Floats:
    """Return prototypes on the line as it is: a map without neighbourhoods, which is k-means.

    A neighbourhood would draw prototypes of small numbers towards the mean of the largest. One
    numeral of 10^60 outweighs all others, and prototype after prototype would follow it.
    """
    start = unsquash(starting_positions(squash(values), counts, prototypes))
    return k_means(start, values, counts)


def k_means(means: Floats, values: Floats, counts: Floats) -> Floats:
    """Return the means after Lloyd's algorithm has improved them."""
    for _ in range(KMEANS_STEPS):
        previous, means = means, nearest_means(np.sort(means), values, counts)
        if np.array_equal(previous, means):
            break
    return means


def starting_positions(values: Floats, counts: Floats, prototypes: int) -> Floats:
    """Return the means of the quantiles of all occurrences and of the distinct values."""
    fractions = (np.arange(prototypes) + 0.5) / prototypes
    mass = (np.cumsum(counts) - 0.5 * counts) / counts.sum()
    occurrence_quantiles = np.interp(fractions, mass, values)
    distinct_quantiles = np.interp(fractions, np.linspace(0, 1, len(values)), values)
    return np.sort(0.5 * (occurrence_quantiles + distinct_quantiles))


def neighbourhood_means(
    positions: Floats, values: Floats, counts: Floats, neighbourhood: float
) -> Floats:
    """Return the target of each prototype: the mean of its values and those of its neighbours."""
    mass, moment = (blurred(sums, neighbourhood) for sums in cell_sums(positions, values, counts))
    is_alone = mass <= 1e-12 * counts.sum()
    return np.where(is_alone, positions, moment / np.where(is_alone, 1.0, mass))


def blurred(sums: Floats, neighbourhood: float) -> Floats:
    """Return each sum plus those of its neighbours, weighted by a Gaussian of the distance."""
    reach = min(len(sums) - 1, math.ceil(FARTHEST_NEIGHBOUR * neighbourhood))
    distances = np.arange(-reach, reach + 1)
    kernel = np.exp(-0.5 * (distances / neighbourhood) ** 2)
    return np.convolve(sums, kernel)[reach : reach + len(sums)]


def nearest_means(positions: Floats, values: Floats, counts: Floats) -> Floats:
    """Return the mean of the values nearest to each position, or the position if there are none."""
    mass, moment = cell_sums(positions, values, counts)
    return np.where(mass > 0, moment / np.where(mass > 0, mass, 1.0), positions)


def cell_sums(positions: Floats, values: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return mass and first moment of the values that are nearest to each position."""
    borders = np.searchsorted(values, 0.5 * (positions[1:] + positions[:-1]))
    borders = np.concatenate([[0], borders, [len(values)]])
    cells = np.repeat(np.arange(len(positions)), np.diff(borders))
    mass: Floats = np.bincount(cells, counts, len(positions)).astype(np.float64)
    moment: Floats = np.bincount(cells, counts * values, len(positions)).astype(np.float64)
    return mass, moment

"""Distinct squashed values and counts → prototypes of a one-dimensional self-organizing map.

The batch form of the map: every prototype moves towards the mean of the values that are nearest to
it or to its neighbours on the map. On a line the values nearest to a prototype are an interval, so
that sums over them come from running totals, and a step costs as much as there are prototypes.
"""

from __future__ import annotations

import numpy as np

from numberline.encoders.squash import Floats

STEPS = 200
FIRST_RATE, LAST_RATE = 1.0, 0.5  # share of the way to the new place that a prototype moves
LAST_NEIGHBOURHOOD = 0.3  # in prototypes: at the end each follows almost only its own values


def fit_som(values: Floats, counts: Floats, prototypes: int, steps: int = STEPS) -> Floats:
    """Prototypes, ascending. `values` are distinct and ascending, `counts` their weights."""
    mass = np.concatenate([[0.0], np.cumsum(counts)])
    moment = np.concatenate([[0.0], np.cumsum(counts * values)])
    places = starting_places(values, counts, prototypes)
    first_neighbourhood = max(prototypes / 20, 1.0)
    for step in range(steps):
        progress = step / max(1, steps - 1)
        rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * progress
        neighbourhood = first_neighbourhood ** (1 - progress) * LAST_NEIGHBOURHOOD**progress
        target = neighbourhood_means(places, values, mass, moment, neighbourhood)
        places = np.sort(places + rate * (target - places))
    return places


def starting_places(values: Floats, counts: Floats, prototypes: int) -> Floats:
    """Half-way between even steps along the line and even shares of the numerals."""
    shares = (np.arange(prototypes) + 0.5) / prototypes
    mass = (np.cumsum(counts) - 0.5 * counts) / counts.sum()
    quantiles = np.interp(shares, mass, values)
    even = np.interp(shares, np.linspace(0, 1, len(values)), values)
    return np.sort(0.5 * (quantiles + even))


def neighbourhood_means(
    places: Floats, values: Floats, mass: Floats, moment: Floats, neighbourhood: float
) -> Floats:
    """Where each prototype is drawn: the mean of the values around it, near ones counting more."""
    borders = np.searchsorted(values, 0.5 * (places[1:] + places[:-1]))
    borders = np.concatenate([[0], borders, [len(values)]])
    cell_mass, cell_moment = np.diff(mass[borders]), np.diff(moment[borders])
    distance = np.arange(len(places))
    kernel = np.exp(-0.5 * ((distance[:, None] - distance) / neighbourhood) ** 2)
    total = kernel @ cell_mass
    return np.where(
        total > 1e-12 * mass[-1], kernel @ cell_moment / np.maximum(total, 1e-300), places
    )

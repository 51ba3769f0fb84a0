"""Places on a line and how often each occurs → knots there, and the two around any place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.encoders.squash import Floats


def interpolation(
    knots: Floats, places: Floats
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float32]]:
    """The knots to the left and to the right of each place, and their shares: two columns each."""
    inside = np.clip(places, knots[0], knots[-1])
    left = np.searchsorted(knots, inside, side="right") - 1
    right = np.minimum(left + 1, len(knots) - 1)
    # Halved, so that the gap between -1e308 and 1e308 is a number too.
    gap = np.maximum(0.5 * knots[right] - 0.5 * knots[left], np.finfo(float).tiny)
    share = np.clip((0.5 * inside - 0.5 * knots[left]) / gap, 0, 1).astype(np.float32)
    return np.stack([left, right], axis=1), np.stack([1 - share, share], axis=1)


def quantile_knots(places: Floats, counts: Floats, size: int) -> Floats:
    """So many of the places, ascending, with even shares of the counts between them."""
    # The largest doubles may meet where they are squashed.
    distinct, merged = np.unique(places, return_inverse=True)
    mass = np.bincount(merged, counts).astype(np.float64)
    return distinct[quantile_indices(mass, min(size, len(distinct)))]


def quantile_indices(counts: Floats, size: int) -> npt.NDArray[np.intp]:
    """Distinct places with even shares of the counts between them, the first and last included."""
    if size == 1:
        return even_places(counts, 1)
    inner = 1 + even_places(counts[1:-1], size - 2)
    return np.concatenate([[0], inner, [len(counts) - 1]])


def even_places(counts: Floats, size: int) -> npt.NDArray[np.intp]:
    """Quantiles of counts that are capped, so that no numeral, however frequent, holds two."""
    if size == 0:
        return np.empty(0, np.intp)
    falling = np.sort(counts)[::-1]
    rest = counts.sum() - np.concatenate([[0.0], np.cumsum(falling)])
    capped = np.arange(size)  # the cap if so many are capped: what remains, shared by the others
    caps = rest[:size] / (size - capped)
    cap = caps[np.argmax(falling[:size] <= caps * (1 + 1e-12))]
    steps = np.arange(size)
    found = np.searchsorted(np.cumsum(np.minimum(counts, cap)), (steps + 0.5) * cap)
    # Rounding may bring two to one place, or beyond the last.
    apart = np.maximum.accumulate(found - steps) + steps
    return np.minimum(apart, len(counts) - size + steps)


def evenly_of(knots: Floats, size: int) -> Floats:
    """So many of them, or all, the first and last included where there are several."""
    if size == 1:
        return knots[[(len(knots) - 1) // 2]]
    steps = np.linspace(0, len(knots) - 1, min(size, len(knots)))
    return knots[np.rint(steps).astype(np.intp)]

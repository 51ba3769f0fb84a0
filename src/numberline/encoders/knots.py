"""Places on a line and how often each occurs → knots there, and the two around any place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from numberline.encoders.squash import Floats

Indices = npt.NDArray[np.intp]
Choice = Callable[[Floats, int], Indices]  # of counts of places, so many

ROUNDING = 1e-9  # of a share: what lies on the border of two is in the second


def interpolation(knots: Floats, places: Floats) -> tuple[Indices, npt.NDArray[np.float32]]:
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
    return chosen_knots(places, counts, size, even_places)


def frequent_knots(places: Floats, counts: Floats, size: int) -> Floats:
    """So many of the places, ascending: of each of even shares of the counts the most frequent."""
    return chosen_knots(places, counts, size, frequent_places)


def chosen_knots(places: Floats, counts: Floats, size: int, choose: Choice) -> Floats:
    # The largest doubles may meet where they are squashed.
    distinct, merged = np.unique(places, return_inverse=True)
    mass = np.bincount(merged, counts).astype(np.float64)
    return distinct[spanning(mass, min(size, len(distinct)), choose)]


def spanning(counts: Floats, size: int, choose: Choice) -> Indices:
    """So many distinct places, the first and last included where there are several."""
    if size == 1:
        return choose(counts, 1)
    if size == 2:
        return np.array([0, len(counts) - 1])
    inner = 1 + choose(counts[1:-1], size - 2)
    return np.concatenate([[0], inner, [len(counts) - 1]])


def even_places(counts: Floats, size: int) -> Indices:
    """Where each of so many even shares of the counts has its middle."""
    ends = np.cumsum(in_shares(counts, size))
    steps = np.arange(size)
    found = np.searchsorted(ends, steps + 0.5)
    # Rounding may bring two to one place, or beyond the last.
    apart = np.maximum.accumulate(found - steps) + steps
    return np.minimum(apart, len(counts) - size + steps)


def frequent_places(counts: Floats, size: int) -> Indices:
    """Where each of so many even shares of the counts has its largest; of equals the middle one.

    A place belongs to the share in which its middle lies. The middles of two neighbours are at most
    a share apart, so no share is without one.
    """
    own = in_shares(counts, size)
    middles = np.cumsum(own) - own / 2 + ROUNDING
    shares = np.minimum(middles.astype(np.intp), size - 1)
    from_middle = np.abs(middles - shares - 0.5)
    best_first = np.lexsort((from_middle, -counts, shares))  # within each share
    return best_first[np.unique(shares[best_first], return_index=True)[1]]


def in_shares(counts: Floats, size: int) -> Floats:
    """Counts in units of one of so many even shares; no numeral, however frequent, has more than 1.

    What the frequent ones have beyond that is left out, and the others share the rest.
    """
    falling = np.sort(counts)[::-1]
    rest = np.cumsum(falling[::-1])[::-1]  # from the smallest on, so that they are not lost
    capped = np.arange(size)  # the cap if so many are capped: what remains, shared by the others
    caps = rest[:size] / (size - capped)
    cap = caps[np.argmax(falling[:size] <= caps * (1 + 1e-12))]
    shares: Floats = np.minimum(counts, cap) / cap
    return shares


def evenly_of(knots: Floats, size: int) -> Floats:
    """So many of them, or all, the first and last included where there are several."""
    if size == 1:
        return knots[[(len(knots) - 1) // 2]]
    steps = np.linspace(0, len(knots) - 1, min(size, len(knots)))
    return knots[np.rint(steps).astype(np.intp)]

"""Places on a line and how often each occurs → knots there, and the two around any place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from numberline.encoders.squash import Floats

Indices = npt.NDArray[np.intp]
Choice = Callable[[slice, int], Indices]  # of a part of the places, so many

ROUNDING = 1e-9  # of a share: what lies on the border of two is in the second

# Of the counts, at either end: what lies beyond the outermost frequent knots. A text's largest
# numeral may be 2e80: nearly all of the line, and what is large would be alike, up to there.
OUTLYING = 1e-4


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
    distinct, own = counted_together(places, counts)
    chosen = spanning(len(distinct), size, lambda part, so_many: even_places(own[part], so_many))
    return distinct[chosen]


def frequent_knots(
    places: Floats,
    counts: Floats,
    size: int,
    *,
    of_line: float = 0.0,
    favoured: Floats | None = None,
) -> Floats:
    """So many of the places, ascending: of each of even shares of the counts the most frequent.

    A part of what is shared may be the line instead: millions are rare in most texts, and have much
    of the line. Places that are favoured have a share each, however rare they are. The outermost
    knots are where all but outliers end.
    """
    distinct, own = without_outliers(*counted_together(places, counts), size)
    shared = (1 - of_line) * own / own.sum() + of_line * parts_of_line(distinct)
    return distinct[most_frequent(distinct, own, shared, size, favoured)]


def frequent_of_knots(
    knots: Floats, places: Floats, counts: Floats, size: int, favoured: Floats
) -> Floats:
    """So many of the knots, ascending: of even shares of them the most frequent, and all favoured.

    Places and counts are what they were found by.
    """
    distinct, own = counted_together(places, counts)
    own_of_knots = own[np.searchsorted(distinct, knots)]
    shared = np.full(len(knots), 1 / len(knots))
    return knots[most_frequent(knots, own_of_knots, shared, size, favoured)]


def most_frequent(
    places: Floats, counts: Floats, shared: Floats, size: int, favoured: Floats | None
) -> Indices:
    """Where so many even shares, of what sums to 1, have their largest count, and the outermost."""
    if favoured is not None:
        shared = np.where(np.isin(places, favoured), 1, shared)  # as much as all the others

    def within(part: slice, so_many: int) -> Indices:
        return frequent_places(counts[part], shared[part], so_many)

    return spanning(len(places), size, within)


def counted_together(places: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Distinct places and their counts: the largest doubles may meet where they are squashed."""
    distinct, merged = np.unique(places, return_inverse=True)
    return distinct, np.bincount(merged, counts).astype(np.float64)


def without_outliers(places: Floats, counts: Floats, size: int) -> tuple[Floats, Floats]:
    """Ascending places, the outermost of which stand for all beyond; all if too few were left."""
    few = OUTLYING * counts.sum()
    first = int(np.searchsorted(np.cumsum(counts), few))
    end = len(counts) - int(np.searchsorted(np.cumsum(counts[::-1]), few))
    if end - first < size:
        return places, counts
    kept = counts[first:end].copy()
    kept[0] += counts[:first].sum()
    kept[-1] += counts[end:].sum()
    return places[first:end], kept


def parts_of_line(places: Floats) -> Floats:
    """What is nearest to each of the ascending places, of the line from the first to the last."""
    borders = np.concatenate([places[:1], places[:-1] / 2 + places[1:] / 2, places[-1:]])
    lengths = np.diff(borders / 2)  # halved, so that from -1e308 to 1e308 is a number too
    parts: Floats = lengths / max(lengths.sum(), np.finfo(float).tiny)
    return parts


def spanning(length: int, size: int, choose: Choice) -> Indices:
    """So many of the places, or all, the first and last included where there are several."""
    size = min(size, length)
    if size == 1:
        return choose(slice(None), 1)
    if size == 2:
        return np.array([0, length - 1])
    inner = 1 + choose(slice(1, -1), size - 2)
    return np.concatenate([[0], inner, [length - 1]])


def even_places(counts: Floats, size: int) -> Indices:
    """Where each of so many even shares of the counts has its middle."""
    ends = np.cumsum(in_shares(counts, size))
    steps = np.arange(size)
    found = np.searchsorted(ends, steps + 0.5)
    # Rounding may bring two to one place, or beyond the last.
    apart = np.maximum.accumulate(found - steps) + steps
    return np.minimum(apart, len(counts) - size + steps)


def frequent_places(counts: Floats, shared: Floats, size: int) -> Indices:
    """Where so many even shares, of what is shared, have their largest count; of equals the middle.

    A place belongs to the share in which its middle lies. The middles of two neighbours are at most
    a share apart, so no share is without one.
    """
    own = in_shares(shared, size)
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

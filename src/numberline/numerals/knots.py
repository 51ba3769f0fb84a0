"""Positions on a line and their counts → knots, and the two knots around any position."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats

Indices = npt.NDArray[np.intp]

ROUNDING = 1e-9  # in groups; puts a middle on the border of two groups safely in the second

# Fraction of the occurrences at either end that may lie beyond the outermost knots. If a text's
# largest numeral, say 2e80, were a knot, all other large numbers would have the same vector.
OUTLIER_FRACTION = 1e-4


def interpolation(
    knots: Floats, positions: Floats
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Return two tables: the knots left and right of each position, and their weights."""
    inside = np.clip(positions, knots[0], knots[-1])
    left = np.searchsorted(knots, inside, side="right") - 1
    right = np.minimum(left + 1, len(knots) - 1)
    # Halved, so that the gap between -1e308 and 1e308 is a number too.
    gap = np.maximum(0.5 * knots[right] - 0.5 * knots[left], np.finfo(float).tiny)
    to_right = np.clip((0.5 * inside - 0.5 * knots[left]) / gap, 0, 1).astype(np.float32)
    indices = np.stack([left, right], axis=1).astype(np.int32)
    return indices, np.stack([1 - to_right, to_right], axis=1)


def frequent_knots(positions: Floats, counts: Floats, size: int) -> Floats:
    """Split the occurrences into `size` equal groups; return the most frequent position of each.

    Positions ascend. The first and the last knot are the outermost ones that are no outliers.
    """
    distinct, occurrences = without_outliers(*counted_together(positions, counts), size)
    size = min(size, len(distinct))
    if size == 1:
        return distinct[most_frequent(occurrences, 1)]
    if size == 2:
        return distinct[[0, -1]]
    inner = distinct[1:-1][most_frequent(occurrences[1:-1], size - 2)]
    return np.concatenate([distinct[:1], inner, distinct[-1:]])


def counted_together(positions: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return distinct positions and their counts: the largest doubles are equal when squashed."""
    distinct, inverse = np.unique(positions, return_inverse=True)
    return distinct, np.bincount(inverse, counts).astype(np.float64)


def without_outliers(positions: Floats, counts: Floats, size: int) -> tuple[Floats, Floats]:
    """Return positions without outliers, whose counts go to the outermost position that stays.

    All positions stay if fewer than `size` would.
    """
    limit = OUTLIER_FRACTION * counts.sum()
    first = int(np.searchsorted(np.cumsum(counts), limit))
    end = len(counts) - int(np.searchsorted(np.cumsum(counts[::-1]), limit))
    if end - first < size:
        return positions, counts
    kept = counts[first:end].copy()
    kept[0] += counts[:first].sum()
    kept[-1] += counts[end:].sum()
    return positions[first:end], kept


def most_frequent(counts: Floats, size: int) -> Indices:
    """Return the index of the largest count in each of `size` equal groups, ties to the middle.

    An index is in the group that holds its middle. The middles of two neighbours are at most a
    group apart, so no group is empty.
    """
    sizes = in_groups(counts, size)
    middles = np.cumsum(sizes) - sizes / 2 + ROUNDING
    groups = np.minimum(middles.astype(np.intp), size - 1)
    from_middle = np.abs(middles - groups - 0.5)
    best_first = np.lexsort((from_middle, -counts, groups))  # within each group
    return best_first[np.unique(groups[best_first], return_index=True)[1]]


def in_groups(counts: Floats, size: int) -> Floats:
    """Return each count as a fraction, at most 1, of one of `size` equal groups.

    A numeral that would fill more than a group is one group; the others form the rest.
    """
    falling = np.sort(counts)[::-1]
    rest = np.cumsum(falling[::-1])[::-1]  # from the smallest up, so that none is rounded away
    capped = np.arange(size)  # how many counts are cut; the others form the remaining groups
    caps = rest[:size] / (size - capped)
    cap = caps[np.argmax(falling[:size] <= caps * (1 + 1e-12))]
    groups: Floats = np.minimum(counts, cap) / cap
    return groups

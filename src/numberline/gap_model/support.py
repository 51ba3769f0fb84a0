"""The numerals of a corpus → at most 2,048 points of the number line, to give probabilities to.

The most frequent numerals are points of their own. The others are put together with their
neighbours in groups of about equal counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats

FREQUENT = 1024  # numerals that are points of their own
GROUPS = 1024  # of all others


@dataclass(frozen=True, eq=False)
class Support:
    """Points of the number line, ascending, with the fraction of all occurrences at each."""

    values: Floats  # of a group, the value in the middle of its occurrences
    fractions: Floats  # sum to 1
    members: npt.NDArray[np.int64]  # the point of each numeral of the corpus

    def __len__(self) -> int:
        return len(self.values)

    def means(self, rows: Array, counts: Floats) -> npt.NDArray[np.float32]:
        """Return the mean row of each point's numerals, weighted by their counts."""
        sums = np.zeros((len(self), rows.shape[1]))
        np.add.at(sums, self.members, rows * counts[:, None])
        totals = np.bincount(self.members, counts, len(self))
        return (sums / totals[:, None]).astype(np.float32)


def support_of(values: Floats, counts: Floats) -> Support:
    """Return the points for distinct ascending values."""
    keys = group_keys(counts)
    _, groups = np.unique(keys, return_inverse=True)
    middles = values[middle_members(groups, counts)]
    ranks = np.argsort(np.argsort(middles, kind="stable"), kind="stable")
    members = ranks[groups]
    totals = np.bincount(members, counts)
    return Support(np.sort(middles), totals / totals.sum(), members)


def group_keys(counts: Floats) -> npt.NDArray[np.int64]:
    """Return a number for each numeral: equal ones are put together.

    A frequent numeral has a number of its own; the others have that of their part of the counts.
    """
    keys = np.arange(len(counts), dtype=np.int64)
    is_rare = np.ones(len(counts), bool)
    is_rare[np.argsort(-counts, kind="stable")[:FREQUENT]] = False
    rare = np.flatnonzero(is_rare)
    if len(rare) > GROUPS:
        before = np.cumsum(counts[rare]) - counts[rare] / 2
        keys[rare] = len(counts) + (before / counts[rare].sum() * GROUPS).astype(np.int64)
    return keys


def middle_members(groups: npt.NDArray[np.intp], counts: Floats) -> npt.NDArray[np.int64]:
    """Return, for each group, the index of the member in the middle of its occurrences."""
    order = np.argsort(groups, kind="stable")  # members of a group still ascend
    sums = np.cumsum(counts[order])
    ends = np.cumsum(np.bincount(groups))
    starts = np.concatenate([[0.0], sums[ends[:-1] - 1]])
    middles = (starts + sums[ends - 1]) / 2
    return order[np.minimum(np.searchsorted(sums, middles), len(order) - 1)]

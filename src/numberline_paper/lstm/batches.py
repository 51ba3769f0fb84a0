"""Planned windows → batches of them as padded arrays: which rows are trained on which, how often.

A group is up to four neighbouring centres with the negatives that they share. Its input columns are
all tokens that its windows reach; its output columns are the centres, then the negatives. In
skip-gram every token is an input. In CBOW an input is the mean of a centre's contexts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.training import CENTRES_PER_GROUP, PlannedWindows

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RowsOfSide:
    """The rows of one side that a batch needs, each once, and the columns that need them."""

    ids: Ids  # [rows] ascending
    index: Ids  # [groups, columns] into ids

    @staticmethod
    def of(ids: Ids) -> RowsOfSide:
        distinct, index = np.unique(ids, return_inverse=True)
        return RowsOfSide(distinct, index.reshape(ids.shape))


@dataclass(frozen=True, eq=False)
class WindowBatch:
    """The pairs of rows that a step trains."""

    inputs: RowsOfSide
    outputs: RowsOfSide
    counts: Floats  # [groups, inputs, outputs] how often a pair is trained; 0 for padding
    means: Floats | None  # cbow: [groups, centres, columns] weight of a column in a centre's input

    @property
    def pairs(self) -> int:
        """Return the number of pairs of an input and a centre."""
        return int(self.counts[:, :, :CENTRES_PER_GROUP].sum())


def batches(plan: PlannedWindows, objective: str, groups: int) -> Iterator[WindowBatch]:
    """Yield all windows of a plan, `groups` groups at a time."""
    for first in range(0, len(plan.negatives), groups):
        yield batch_of(plan, objective, first, min(first + groups, len(plan.negatives)))


def batch_of(
    plan: PlannedWindows, objective: str, first_group: int, last_group: int
) -> WindowBatch:
    """Return the batch of the groups first_group … last_group - 1."""
    groups = np.arange(first_group, last_group)[:, None]
    tokens_of_groups = plan.first_centre + CENTRES_PER_GROUP * groups + np.arange(CENTRES_PER_GROUP)
    is_centre = tokens_of_groups < plan.last_centre  # the last group may have fewer than four
    centres = np.minimum(tokens_of_groups, plan.last_centre - 1)
    tokens, is_context = contexts_of(plan, centres)
    counts = (is_context & is_centre[:, None]).astype(np.float64)
    means = None
    if objective == "cbow":
        means = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)).swapaxes(1, 2)
        counts = np.eye(CENTRES_PER_GROUP) * is_centre[:, None]
    negatives = plan.negatives[first_group:last_group]
    is_other = negatives[:, None] != plan.ids[centres][:, :, None]
    return WindowBatch(
        RowsOfSide.of(plan.ids[tokens]),
        RowsOfSide.of(np.hstack([plan.ids[centres], negatives])),
        np.concatenate([counts, counts @ is_other.astype(np.float64)], axis=2),
        means,
    )


def contexts_of(plan: PlannedWindows, centres: Ids) -> tuple[Ids, npt.NDArray[np.bool_]]:
    """Return the tokens around each group's centres, and whether each is a context of each."""
    first, last = plan.first_context[centres], plan.last_context[centres]
    begin = first.min(axis=1, keepdims=True)
    tokens = begin + np.arange((last.max(axis=1, keepdims=True) - begin).max())
    at = tokens[:, :, None]
    is_context = (at >= first[:, None]) & (at < last[:, None]) & (at != centres[:, None])
    return np.minimum(tokens, len(plan.ids) - 1), is_context

"""A plan of windows → batches of them as padded arrays: which rows meet, and how often.

A group is up to four neighbouring centres with the negatives that they share. On the input side its
columns are all tokens that its windows reach; on the output side the centres, then the negatives.
In skip-gram every token is an input. In CBOW an input is the mean of a centre's contexts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.training.plan import CENTRES_PER_GROUP

Ints = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PlanArrays:
    """A WindowPlan as arrays: training/plan.py explains it."""

    ids: Ints  # [tokens]
    first_context: Ints  # [tokens] contexts are first … last - 1, but the centre
    last_context: Ints
    first_centre: int
    last_centre: int
    negatives: Ints  # [groups, negatives]

    @staticmethod
    def of(plan: Mapping[str, Any], negatives_per_group: int) -> PlanArrays:
        names = ("ids", "first_context", "last_context", "negatives")
        ids, first, last, negatives = (np.asarray(plan[name], np.int64) for name in names)
        negatives = negatives.reshape(-1, negatives_per_group)
        return PlanArrays(ids, first, last, plan["first_centre"], plan["last_centre"], negatives)


@dataclass(frozen=True, eq=False)
class RowsOfSide:
    """The rows of one side that a batch needs, each once, and the columns that need them."""

    ids: Ints  # [rows] ascending
    index: Ints  # [groups, columns] into ids

    @staticmethod
    def of(ids: Ints) -> RowsOfSide:
        distinct, index = np.unique(ids, return_inverse=True)
        return RowsOfSide(distinct, index.reshape(ids.shape))


@dataclass(frozen=True, eq=False)
class WindowBatch:
    """What a step trains: which rows tell which others, and how often."""

    inputs: RowsOfSide
    outputs: RowsOfSide
    counts: Weights  # [groups, inputs, outputs] how often an input tells an output; 0 for padding
    means: Weights | None  # cbow: [groups, centres, columns]; a centre's input is a mean of columns

    @property
    def pairs(self) -> int:
        """Return how often a centre is told."""
        return int(self.counts[:, :, :CENTRES_PER_GROUP].sum())


def batches(plan: PlanArrays, objective: str, groups: int) -> Iterator[WindowBatch]:
    """Yield batches of so many groups."""
    for first in range(0, len(plan.negatives), groups):
        yield batch_of(plan, objective, first, min(first + groups, len(plan.negatives)))


def batch_of(plan: PlanArrays, objective: str, first_group: int, last_group: int) -> WindowBatch:
    """Return the batch of the groups first_group … last_group - 1."""
    groups = np.arange(first_group, last_group)[:, None]
    asked = plan.first_centre + CENTRES_PER_GROUP * groups + np.arange(CENTRES_PER_GROUP)
    is_centre = asked < plan.last_centre  # the last group may have fewer than four
    centres = np.minimum(asked, plan.last_centre - 1)
    tokens, is_context = contexts_of(plan, centres)
    told = (is_context & is_centre[:, None]).astype(np.float64)
    means = None
    if objective == "cbow":
        means = (told / np.maximum(told.sum(axis=1, keepdims=True), 1)).swapaxes(1, 2)
        told = np.eye(CENTRES_PER_GROUP) * is_centre[:, None]
    negatives = plan.negatives[first_group:last_group]
    is_other = negatives[:, None] != plan.ids[centres][:, :, None]
    return WindowBatch(
        RowsOfSide.of(plan.ids[tokens]),
        RowsOfSide.of(np.hstack([plan.ids[centres], negatives])),
        np.concatenate([told, told @ is_other.astype(np.float64)], axis=2),
        means,
    )


def contexts_of(plan: PlanArrays, centres: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return the tokens around the centres of each group, and whether each is a context of each."""
    first, last = plan.first_context[centres], plan.last_context[centres]
    begin = first.min(axis=1, keepdims=True)
    tokens = begin + np.arange((last.max(axis=1, keepdims=True) - begin).max())
    at = tokens[:, :, None]
    is_context = (at >= first[:, None]) & (at < last[:, None]) & (at != centres[:, None])
    return np.minimum(tokens, len(plan.ids) - 1), is_context

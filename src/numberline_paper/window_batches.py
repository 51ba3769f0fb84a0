"""A plan of windows → batches of them as padded arrays: which rows meet, and how often.

A draw is up to four neighbouring centres with the negatives that they share. Its inputs are all
tokens that the windows reach, its outputs the centres and then the negatives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.training.plan import CENTRES_PER_DRAW

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PlanArrays:
    """A WindowPlan as arrays."""

    ids: Ints  # [tokens]
    first_context: Ints  # [tokens] contexts are first … last - 1, but the centre
    last_context: Ints
    first_centre: int
    last_centre: int
    negatives: Ints  # [draws, negatives]


@dataclass(frozen=True, eq=False)
class RowsOfSide:
    """The rows of one side that a batch needs, each once, and where it needs them."""

    ids: Ints  # [rows] ascending
    index: Ints  # [draws, columns] into ids

    @staticmethod
    def of(ids: Ints) -> RowsOfSide:
        distinct, index = np.unique(ids, return_inverse=True)
        return RowsOfSide(distinct, index.reshape(ids.shape))


@dataclass(frozen=True, eq=False)
class WindowBatch:
    """counts[draw, i, o] says how often input i tells output o; it is 0 where one is padding."""

    inputs: RowsOfSide
    outputs: RowsOfSide
    counts: npt.NDArray[np.float32]

    @property
    def pairs(self) -> int:
        """Return the number of pairs of a centre and a context."""
        return int(self.counts[:, :, :CENTRES_PER_DRAW].sum())


def batches(plan: PlanArrays, draws: int) -> Iterator[WindowBatch]:
    """Yield so many draws at a time."""
    for first in range(0, len(plan.negatives), draws):
        yield batch_of(plan, first, min(first + draws, len(plan.negatives)))


def batch_of(plan: PlanArrays, first_draw: int, last_draw: int) -> WindowBatch:
    draws = np.arange(first_draw, last_draw)[:, None]
    asked = plan.first_centre + CENTRES_PER_DRAW * draws + np.arange(CENTRES_PER_DRAW)
    centres = np.minimum(asked, plan.last_centre - 1)  # the last draw may have fewer of them
    first, last = plan.first_context[centres], plan.last_context[centres]
    tokens = first.min(axis=1, keepdims=True) + np.arange((last.max(axis=1) - first.min(axis=1)).max())
    at = tokens[:, :, None]
    is_context = (at >= first[:, None]) & (at < last[:, None]) & (at != centres[:, None])
    is_context &= (asked < plan.last_centre)[:, None]
    negatives = plan.negatives[first_draw:last_draw]
    is_other = negatives[:, None] != plan.ids[centres][:, :, None]
    counts = is_context.astype(np.float32)
    return WindowBatch(
        RowsOfSide.of(plan.ids[np.minimum(tokens, len(plan.ids) - 1)]),
        RowsOfSide.of(np.hstack([plan.ids[centres], negatives])),
        np.concatenate([counts, counts @ is_other.astype(np.float32)], axis=2),
    )

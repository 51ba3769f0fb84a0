"""The text of a launch → its plan, on the device: which tokens meet in which window.

The definition is training/plan.py: the same draws, so the same windows and negatives. Nothing here
waits for the device.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from numberline.extras import optional
from numberline.training.cuda.kernels import CudaKernels
from numberline.training.cuda.structs import (
    DeviceAliasTable,
    DevicePlan,
    DeviceSampling,
    DeviceText,
)
from numberline.training.cuda.text import sent
from numberline.training.plan import CENTRES_PER_DRAW
from numberline.training.sampling import AliasTable, Sampling


class Planner:
    def __init__(self, kernels: CudaKernels, sampling: Sampling) -> None:
        self._kernels, self._sampling = kernels, sampling_to_device(sampling)
        self._cupy = optional("cupy", "cuda")

    def plan(self, text: DeviceText) -> DevicePlan:
        empty, each = self._cupy.empty, self._kernels.for_each
        tokens, ranges = int(text.tokens), int(text.range_count)
        kept_before = self._kept_before(text)
        draws = empty(ranges, np.int32)
        each("count_draws", ranges, text, kept_before, draws)
        most_draws, negatives = tokens // CENTRES_PER_DRAW + ranges, self._kernels.shape.negatives
        ids, first_context, last_context = (empty(tokens, np.int32) for _ in range(3))
        plan = DevicePlan(
            *(ids, first_context, last_context),
            draws=empty((most_draws, 2), np.int32),
            positions=empty(most_draws, np.int64),
            negatives=empty((most_draws, negatives), np.int32),
            draws_before=self._summed(draws),
        )
        each("plan_windows", tokens, text, kept_before, plan)
        each("draw_negatives", most_draws * negatives, text, self._sampling, plan)
        return plan

    def _kept_before(self, text: DeviceText) -> Any:
        """Return how many tokens are kept before each, and in all."""
        tokens = int(text.tokens)
        is_kept = self._cupy.empty(tokens, np.int32)
        self._kernels.for_each("mark_kept", tokens, text, self._sampling, is_kept)
        self._kernels.for_each("drop_lonely", tokens, text, self._summed(is_kept), is_kept)
        return self._summed(is_kept)

    def _summed(self, counts: Any) -> Any:
        """Return the sums before each count, and of all."""
        sums = self._cupy.zeros(len(counts) + 1, np.int32)
        self._cupy.cumsum(counts, out=sums[1:])
        return sums


def sampling_to_device(sampling: Sampling) -> DeviceSampling:
    return DeviceSampling(
        sent(sampling.keep_probability),
        alias_table_to_device(sampling.negatives),
        alias_table_to_device(sampling.numeral_negatives),
        np.int32(sampling.words),
        np.int32(sampling.numerals_per_draw),
    )


def alias_table_to_device(table: AliasTable) -> DeviceAliasTable:
    thresholds, others = sent(table.thresholds), sent(table.others)
    return DeviceAliasTable(thresholds, others, np.uint32(len(table.others)))

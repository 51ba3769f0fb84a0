"""The text of a launch → its plan, on the device: which tokens meet in which windows.

The definition is training/plan.py: equal draws give equal windows and negatives. Nothing here waits
for the device.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from numberline.extras import optional
from numberline.training.cuda.kernels import CudaKernels
from numberline.training.cuda.structs import DevicePlan, DeviceText, on_device
from numberline.training.plan import CENTRES_PER_GROUP
from numberline.training.sampling import Sampling


class Planner:
    def __init__(self, kernels: CudaKernels, sampling: Sampling) -> None:
        self._kernels, self._sampling = kernels, on_device(sampling)
        self._cumsum = optional("cupy", "cuda").cumsum

    def plan(self, text: DeviceText) -> DevicePlan:
        tokens, blocks, launch = int(text.tokens), int(text.block_count), self._kernels.for_each
        plan = self._room_for(tokens, blocks)
        launch("mark_kept", tokens, text, self._sampling, plan)
        self._cumsum(plan.is_kept, out=plan.kept_before[1:])
        launch("drop_lonely", tokens, text, plan)
        self._cumsum(plan.is_kept, out=plan.kept_before[1:])
        launch("count_groups", blocks, text, plan)
        self._cumsum(plan.group_counts, out=plan.groups_before[1:])
        launch("plan_windows", tokens, text, plan)
        launch("draw_negatives", plan.negatives.size, text, self._sampling, plan)
        return plan

    def _room_for(self, tokens: int, blocks: int) -> DevicePlan:
        def room(*shape: int, kind: Any = np.int32) -> Any:
            return optional("cupy", "cuda").zeros(shape, kind)

        max_groups = tokens // CENTRES_PER_GROUP + blocks
        return DevicePlan(
            is_kept=room(tokens),
            kept_before=room(tokens + 1),
            group_counts=room(blocks),
            groups_before=room(blocks + 1),
            ids=room(tokens),
            first_context=room(tokens),
            last_context=room(tokens),
            groups=room(max_groups, 2),
            first_tokens=room(max_groups, kind=np.int64),
            negatives=room(max_groups, self._kernels.shape.negatives),
            block_count=np.int32(blocks),
        )

"""Ids of tokens and bounds of gaps → the ids of the tokens on both sides of each gap."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

NEAR = 5  # tokens on each side whose places count one by one
FAR = 20  # tokens on each side in all; those beyond the near ones are summed
NO_TOKEN = -1  # where a text ends before

Ids = npt.NDArray[np.int64]
Bounds = npt.NDArray[np.int64]


def neighbours(
    ids: npt.NDArray[Any], text_starts: Bounds, starts: Bounds, ends: Bounds, text_ends: Bounds
) -> Ids:
    """Return the ids around gaps: [gaps, 2 · FAR], in the order of the text.

    Gap g takes the place of tokens starts[g] up to ends[g] of a text that stretches from
    text_starts[g] up to text_ends[g].
    """
    distances = np.arange(FAR)
    left = starts[:, None] - FAR + distances
    right = ends[:, None] + distances
    is_inside = np.hstack([left >= text_starts[:, None], right < text_ends[:, None]])
    if not len(ids):
        return np.full(is_inside.shape, NO_TOKEN, np.int64)
    tokens = np.clip(np.hstack([left, right]), 0, len(ids) - 1)
    return np.where(is_inside, ids[tokens], NO_TOKEN).astype(np.int64)

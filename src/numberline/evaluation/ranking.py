"""Scores of candidates → the rank of the right one and the best one; ties favour nobody."""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats
from numberline.evaluation.candidates import Indices


def middle_ranks(scores: Floats, right: Indices) -> Floats:
    """Return the rank of the right candidate in each row, 1 for the best; ties share the middle.

    A score that ignores the context has a mean rank of (candidates + 1) / 2 if every candidate is
    the right one once.
    """
    right_score = scores[np.arange(len(scores)), right][:, None]
    better = (scores > right_score).sum(axis=1)
    equal = (scores == right_score).sum(axis=1)  # the right one among them
    ranks: Floats = better + (equal + 1) / 2
    return ranks


def middle_best(scores: Floats) -> Indices:
    """Return the index of the best candidate of each row; of several, the middle one in order."""
    is_best = scores == scores.max(axis=1, keepdims=True)
    best_so_far = is_best.cumsum(axis=1)
    middle = (best_so_far[:, -1:] + 1) // 2
    indices: Indices = np.argmax(best_so_far == middle, axis=1)
    return indices

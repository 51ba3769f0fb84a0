"""Scores of candidates → the rank of the right one and the best one; ties favour nobody."""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats
from numberline.evaluation.candidates import Places


def middle_ranks(scores: Floats, right: Places) -> Floats:
    """Of the right candidate in each row, 1 for the best; those that tie share their middle rank.

    A score that does not look at the context gives a mean of (candidates + 1) / 2 if every
    candidate is the right one once.
    """
    own = scores[np.arange(len(scores)), right][:, None]
    better = (scores > own).sum(axis=1)
    equal = (scores == own).sum(axis=1)  # itself among them
    ranks: Floats = better + (equal + 1) / 2
    return ranks


def middle_best(scores: Floats) -> Places:
    """The best candidate of each row; of those that tie the middle one, in the order they have."""
    is_best = scores == scores.max(axis=1, keepdims=True)
    best_so_far = is_best.cumsum(axis=1)
    middle = (best_so_far[:, -1:] + 1) // 2
    places: Places = np.argmax(best_so_far == middle, axis=1)
    return places

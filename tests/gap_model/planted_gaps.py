"""Texts in which the order of words decides how large a number is, and a model of them."""

from functools import cache

import numpy as np

import numberline as nl
from tests.training.small_corpora import FILLERS

SETTINGS = {"dim": 12, "epochs": 2, "threads": 1, "min_count": 1, "sample": 0, "learning_rate": 0.1}
LEFT, RIGHT = "filleraa ___ box fillerbc", "filleraa box ___ fillerbc"


def ordered(sentences=4000, seed=1):
    """Small numbers stand before "box", large ones after it; none ends with 0."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(sentences):
        before, after = random.choice(FILLERS, 2)
        if random.random() < 0.5:
            middle = f"{10 * random.integers(10) + random.integers(1, 10)} box"
        else:
            middle = f"box {10 * random.integers(200, 900) + random.integers(1, 10)}"
        lines.append(f"{before} {middle} {after}")
    return lines


@cache
def ordered_model():
    return nl.train(ordered(), **SETTINGS)

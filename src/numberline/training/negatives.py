"""Counts → how often a token is kept, and from what negatives are drawn.

Words and numerals are drawn in their actual ratio in the text, and each kind from its own counts to
the power 3/4, as in the paper. One alias table over all ids says all that: a draw is one look-up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array

POWER = 0.75
FULL = 2**32  # thresholds are compared with 32 random bits


@dataclass(frozen=True, eq=False)
class AliasTable:
    """A place is drawn evenly; it is kept if 32 random bits are below its threshold."""

    thresholds: npt.NDArray[np.uint32]
    others: npt.NDArray[np.int32]  # what is taken instead


def keep_shares(word_counts: Array, tokens: int, sample: float) -> npt.NDArray[np.float32]:
    """word2vec's rule: (√(f/t) + 1) t/f of a word's occurrences stay; above 1 all do."""
    if sample == 0:
        return np.ones(len(word_counts), np.float32)
    ratio = sample * tokens / np.maximum(word_counts, 1)
    return np.minimum(np.sqrt(ratio) + ratio, 1.0).astype(np.float32)


def negative_shares(word_counts: Array, numeral_counts: Array) -> Floats:
    """The probability of each id, words first."""
    kinds = [np.asarray(counts, np.float64) for counts in (word_counts, numeral_counts)]
    total = sum(float(counts.sum()) for counts in kinds)
    shares = [
        counts.sum() / total * counts**POWER / (counts**POWER).sum() if len(counts) else counts
        for counts in kinds
    ]
    return np.concatenate(shares)


def numeral_shares(numeral_counts: Array) -> Floats:
    """The probability of each numeral where only numerals are drawn."""
    return negative_shares(np.zeros(0), numeral_counts)


def alias_table(shares: Floats) -> AliasTable:
    """Vose's method: places with less than an even share are filled up by those with more."""
    if not len(shares):
        return AliasTable(np.zeros(0, np.uint32), np.zeros(0, np.int32))
    left = (shares * (len(shares) / shares.sum())).tolist()
    thresholds, others = [FULL - 1] * len(left), list(range(len(left)))
    small = [place for place, share in enumerate(left) if share < 1]
    large = [place for place, share in enumerate(left) if share >= 1]
    while small and large:
        filled, filler = small.pop(), large[-1]
        thresholds[filled] = min(int(left[filled] * FULL), FULL - 1)
        others[filled] = filler
        left[filler] -= 1 - left[filled]
        if left[filler] < 1:
            small.append(large.pop())
    return AliasTable(np.array(thresholds, np.uint32), np.array(others, np.int32))

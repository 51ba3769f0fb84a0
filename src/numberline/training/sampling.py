"""Counts → what is drawn at random in training: which tokens stay, and the negatives.

Words and numerals are drawn in their actual ratio in the text, and each kind from its own counts to
the power 3/4, as in the paper. One alias table over all ids says all that: a draw is one look-up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.config import TrainingConfig
from numberline.numerals.rows import Array
from numberline.numerals.squash import Floats
from numberline.text.vocabulary import Vocabulary

COUNT_POWER = 0.75
FULL_THRESHOLD = 2**32  # thresholds are compared with 32 random bits


@dataclass(frozen=True, eq=False)
class AliasTable:
    """An index is drawn evenly; it is kept if 32 random bits are below its threshold."""

    thresholds: npt.NDArray[np.uint32]
    others: npt.NDArray[np.int32]  # what is taken instead


@dataclass(frozen=True, eq=False)
class Sampling:
    """Everything that `plan_windows` draws from."""

    keep_probability: npt.NDArray[np.float32]  # [words] of an occurrence
    negatives: AliasTable  # over words and numerals
    numeral_negatives: AliasTable  # over numerals alone; empty if none are drawn from it
    window: int  # most tokens on each side
    negatives_per_draw: int
    numerals_per_draw: int  # of the negatives, if a numeral is among the centres of the draw

    @property
    def words(self) -> int:
        return len(self.keep_probability)


def sampling_of(vocabulary: Vocabulary, tokens: int, config: TrainingConfig) -> Sampling:
    """Return the distributions of a corpus of so many tokens."""
    words, numerals = vocabulary.word_counts, vocabulary.numeral_counts
    of_numerals = config.negatives_of_numerals if len(numerals) else 0
    return Sampling(
        keep_probabilities(words, tokens, config.sample),
        alias_table(negative_probabilities(words, numerals)),
        alias_table(numeral_probabilities(numerals) if of_numerals else np.zeros(0)),
        config.window,
        config.negatives,
        of_numerals,
    )


def keep_probabilities(word_counts: Array, tokens: int, sample: float) -> npt.NDArray[np.float32]:
    """Return word2vec's rule: of frequency f, (√(f/t) + 1) t/f of the occurrences, at most all."""
    if sample == 0:
        return np.ones(len(word_counts), np.float32)
    ratio = sample * tokens / np.maximum(word_counts, 1)
    return np.minimum(np.sqrt(ratio) + ratio, 1.0).astype(np.float32)


def negative_probabilities(word_counts: Array, numeral_counts: Array) -> Floats:
    """Return the probability that a negative is each id, words first."""
    kinds = [np.asarray(counts, np.float64) for counts in (word_counts, numeral_counts)]
    total = sum(float(counts.sum()) for counts in kinds)
    parts = [
        counts.sum() / total * counts**COUNT_POWER / (counts**COUNT_POWER).sum()
        if len(counts)
        else counts
        for counts in kinds
    ]
    return np.concatenate(parts)


def numeral_probabilities(numeral_counts: Array) -> Floats:
    """Return the probability of each numeral where only numerals are drawn."""
    return negative_probabilities(np.zeros(0), numeral_counts)


def alias_table(probabilities: Floats) -> AliasTable:
    """Vose's method: indices with less than an even share are filled up by those with more."""
    if not len(probabilities):
        return AliasTable(np.zeros(0, np.uint32), np.zeros(0, np.int32))
    left = (probabilities * (len(probabilities) / probabilities.sum())).tolist()
    thresholds, others = [FULL_THRESHOLD - 1] * len(left), list(range(len(left)))
    small = [index for index, share in enumerate(left) if share < 1]
    large = [index for index, share in enumerate(left) if share >= 1]
    while small and large:
        filled, filler = small.pop(), large[-1]
        thresholds[filled] = min(int(left[filled] * FULL_THRESHOLD), FULL_THRESHOLD - 1)
        others[filled] = filler
        left[filler] -= 1 - left[filled]
        if left[filler] < 1:
            small.append(large.pop())
    return AliasTable(np.array(thresholds, np.uint32), np.array(others, np.int32))

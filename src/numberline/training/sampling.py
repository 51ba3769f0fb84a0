"""Counts → what is drawn at random in training: which tokens stay, and the negatives.

Words and numerals are drawn in their actual ratio in the text, and each kind from its own counts to
the power 3/4, as in the paper. One alias table over all ids says all that: a draw is one look-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import Settings

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


def sampling_of(vocabulary: Vocabulary, tokens: int, settings: Settings) -> Sampling:
    """Return the distributions of a corpus of so many tokens."""
    words, numerals = vocabulary.word_counts, vocabulary.numeral_counts
    of_numerals = 2 * settings.negatives // 5 if len(numerals) else 0
    return Sampling(
        keep_probabilities(words, tokens, settings.sample),
        alias_table(negative_probabilities(words, numerals)),
        alias_table(numeral_probabilities(numerals) if of_numerals else np.zeros(0)),
        settings.window,
        settings.negatives,
        of_numerals,
    )


def score_offset(negatives: int) -> float:
    """Return what is taken from every score: the log odds of a negative against the centre.

    With it x · o estimates the pointwise mutual information of two tokens from the first step on;
    without it all vectors would first learn this offset, in one direction that tells nothing apart.
    """
    return math.log(negatives)


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
    """Vose's method, all at once: indices of less than an even share are filled up by the others.

    Large ones fill small ones in order, each until it has less than an even share left itself; then
    the next one fills it, too. Sums of what is missing and of what is to spare tell where that is.
    """
    count = len(probabilities)
    left, others = np.ones(count), np.arange(count, dtype=np.int32)
    if count:
        even_shares = probabilities * (count / probabilities.sum())
        is_large = even_shares >= min(1, even_shares.max())  # one at least, however they round
        small, large = np.flatnonzero(~is_large), np.flatnonzero(is_large)
        missing = np.concatenate([[0], np.cumsum(1 - even_shares[small])])  # before each small one
        spare = np.cumsum(even_shares[large] - 1)  # up to each large one
        left[small] = even_shares[small]
        fillers = np.searchsorted(spare, missing[:-1])
        others[small] = large[np.minimum(fillers, len(large) - 1)]
        emptied = np.searchsorted(missing, spare[:-1], side="right")
        left[large[:-1]] = np.minimum(1, 1 + spare[:-1] - np.append(missing, 0)[emptied])
        others[large[:-1]] = large[1:]
    thresholds = np.minimum(left * FULL_THRESHOLD, FULL_THRESHOLD - 1)
    return AliasTable(thresholds.astype(np.uint32), others)

"""Ids around gaps, and numbers → lifts: how many times likelier a number is there than in general.

With h the vector of a context, v that of a number, and q the fractions of the corpus' numerals:

    log lift(n) = a h · v_n - log Σ_m q_m exp(a h · v_m)

so that q times lift is a distribution over the number line. `a`, the sharpness, is calibrated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.gap_model.contexts import (
    ContextTables,
    context_features,
    number_table,
    word_table,
)
from numberline.gap_model.model import GapModel
from numberline.gap_model.neighbours import Ids
from numberline.gap_model.network import context_vectors, number_vectors
from numberline.gap_model.numbers import NumberFeatures
from numberline.gap_model.support import Support, support_of
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.vocabulary import Vocabulary

CONTEXTS_AT_A_TIME = 256  # so that their scores stay in the cache
INTERVAL = 0.9
ROUNDING = 1e-4  # of scores: a number's own score differs a little from its score in a batch

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Fit:
    """How well a number fits each of several contexts."""

    log_lift: Floats
    # The probability that a number drawn from the context's distribution fits no better; small for
    # a number that does not belong there.
    tail: Floats
    percentile: Floats  # the fraction of the corpus' numerals that fit less well
    interval: Floats  # [contexts, 2] the ends of the part that holds INTERVAL of the probability


@dataclass(frozen=True, eq=False)
class GapScorer:
    """A gap model together with the vectors that it was trained on."""

    model: GapModel
    word_input: Array
    numerals: NumeralVectors
    vocabulary: Vocabulary

    @cached_property
    def words(self) -> Vectors:
        return word_table(self.model.word_projection, self.word_input)

    @cached_property
    def number_features(self) -> NumberFeatures:
        return NumberFeatures(self.numerals, self.model.number_projection)

    @cached_property
    def support(self) -> Support:
        counts = self.vocabulary.numeral_counts.astype(np.float64)
        return support_of(self.vocabulary.numeral_values, counts)

    @cached_property
    def support_vectors(self) -> Vectors:
        counts = self.vocabulary.numeral_counts.astype(np.float64)
        return self.support.means(self.vectors_of(self.vocabulary.numeral_values), counts)

    @cached_property
    def fractions(self) -> Vectors:
        return self.support.fractions.astype(np.float32)

    @cached_property
    def log_fractions(self) -> Vectors:
        return np.log(self.fractions)

    def vectors_of(self, values: Floats) -> Vectors:
        """Return one row per number."""
        distinct, indices = np.unique(values, return_inverse=True)
        rows: Vectors = number_vectors(self.model.parameters, self.number_features(distinct))
        return rows[indices.reshape(-1)]

    def contexts(self, ids: Ids, values: Floats) -> Vectors:
        """Return one row per gap, times the sharpness. Ids from the words on are `values`.

        `ids` [gaps, 2 · FAR] are those of `neighbours`.
        """
        features = self.number_features(values)
        tables = ContextTables(self.words, number_table(features))
        sharpness = np.float32(self.model.calibration.sharpness)
        rows = np.empty((len(ids), self.support_vectors.shape[1]), np.float32)
        for first in range(0, len(ids), CONTEXTS_AT_A_TIME):
            part = slice(first, first + CONTEXTS_AT_A_TIME)
            features = context_features(tables, ids[part])
            rows[part] = context_vectors(self.model.parameters, features) * sharpness
        return rows

    def log_lifts(self, contexts: Vectors, numbers: Vectors) -> Floats:
        """Return [contexts, numbers]."""
        log_sums = np.concatenate([np.zeros(0), *(sums for _, _, sums in self.scores(contexts))])
        lifts: Floats = (contexts @ numbers.T).astype(np.float64) - log_sums[:, None]
        return lifts

    def fits(self, contexts: Vectors, numbers: Vectors) -> Fit:
        """Return how well each number fits the context of the same row."""
        own = np.einsum("gd,gd->g", contexts, numbers)
        lifts, tails, percentiles = (np.empty(len(own)) for _ in range(3))
        intervals = np.empty((len(own), 2))
        for part, scores, log_sums in self.scores(contexts):
            lifts[part] = own[part] - log_sums
            is_no_better = (scores <= own[part, None] + ROUNDING).astype(np.float32)
            percentiles[part] = (scores < own[part, None] - ROUNDING) @ self.fractions
            probabilities = self.probabilities(scores, log_sums)
            tails[part] = np.einsum("gs,gs->g", probabilities, is_no_better)
            intervals[part] = self.intervals(probabilities)
        return Fit(lifts, tails, percentiles, intervals)

    def probabilities(self, scores: Vectors, log_sums: Floats) -> Vectors:
        """Return the probability of each point of the support: [contexts, support]."""
        exponents = scores + self.log_fractions
        exponents -= log_sums[:, None].astype(np.float32)
        result: Vectors = np.exp(exponents, out=exponents)
        return result

    def intervals(self, probabilities: Vectors) -> Floats:
        """Return the ends of the middle parts that hold INTERVAL of the probability."""
        nominal = self.model.calibration.nominal(INTERVAL)
        sums = np.cumsum(probabilities, axis=1)
        bounds = (1 - nominal) / 2, (1 + nominal) / 2
        ends = [(sums < bound).sum(axis=1) for bound in bounds]
        return self.support.values[np.minimum(ends, len(self.support) - 1).T]

    def distributions(self, contexts: Vectors) -> Iterator[Floats]:
        """Yield, for each context, the probability of each point of the support."""
        for _, scores, log_sums in self.scores(contexts):
            yield from self.probabilities(scores, log_sums).astype(np.float64)

    def scores(self, contexts: Vectors) -> Iterator[tuple[slice, Vectors, Floats]]:
        """Yield contexts, their scores of the support, and log Σ q exp(score) of each."""
        for first in range(0, len(contexts), CONTEXTS_AT_A_TIME):
            part = slice(first, first + CONTEXTS_AT_A_TIME)
            scores = contexts[part] @ self.support_vectors.T
            largest = scores.max(axis=1, keepdims=True)
            sums = np.exp(scores - largest + self.log_fractions).sum(axis=1)
            yield part, scores, (largest[:, 0] + np.log(sums)).astype(np.float64)

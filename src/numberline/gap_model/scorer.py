"""Ids around gaps, and numbers → lifts: how many times likelier a number is there than in general.

With h the vector of a context, v that of a number, and q the fractions of the corpus' numerals:

    log lift(n) = a h · v_n - log Σ_m q_m exp(a h · v_m)

so that q times lift is a distribution over the number line. `a`, the sharpness, is calibrated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
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
from numberline.gap_model.network import context_vectors, number_vectors
from numberline.gap_model.numbers import NumberFeatures
from numberline.gap_model.places import Ids
from numberline.gap_model.support import Support, support_of
from numberline.numerals.squash import squash
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.vocabulary import Vocabulary

CONTEXTS_AT_A_TIME = 256  # so that their scores stay in the cache
INTERVAL = 0.9
NEAR_BY = 0.5  # on the squashed number line: a factor of 1.6
ROUNDING = 1e-4  # of scores: a number's own score differs a little from its score in a batch

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Fit:
    """How well a number fits each of several contexts."""

    log_lift: Floats
    percentile: Floats  # the fraction of the corpus' numerals that fit less well
    beyond: Floats  # twice the probability of numbers at least as far out, on the rarer side
    near: Floats  # the probability of numbers within a factor of about 1.6
    near_in_general: Floats  # the same without the context
    interval: Floats  # [contexts, 2] the ends of the part that holds INTERVAL of the probability

    @property
    def evidence(self) -> tuple[Floats, Floats, Floats, Floats]:
        """What tells whether a number is wrong, as Calibration.log_odds takes it."""
        return self.log_lift, self.beyond, self.near, self.near_in_general


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
    def positions(self) -> Floats:
        """The points of the support on the squashed number line."""
        return squash(self.support.values)

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
        """Return one row per gap, times the sharpness.

        `ids` [gaps, 2 · FAR] are those of `neighbours`; behind the words, id words + n stands for
        the number values[n].
        """
        first_number = len(self.vocabulary.words)
        is_number = ids >= first_number
        distinct, indices = np.unique(values[ids[is_number] - first_number], return_inverse=True)
        ids = ids.copy()
        ids[is_number] = first_number + indices.reshape(-1)
        tables = ContextTables(self.words, number_table(self.number_features(distinct)))
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

    def fits(self, contexts: Vectors, values: Floats) -> Fit:
        """Return how well each value fits the context of the same row."""
        own = np.einsum("gd,gd->g", contexts, self.vectors_of(values))
        found = {one.name: np.empty(len(own)) for one in fields(Fit)}
        found["interval"] = np.empty((len(own), 2))
        for part, scores, log_sums in self.scores(contexts):
            found["log_lift"][part] = own[part] - log_sums
            less = (scores < own[part, None] - ROUNDING) @ self.fractions
            found["percentile"][part] = np.minimum(less, 1)  # sums of fractions are rounded
            sums = np.cumsum(self.probabilities(scores, log_sums), axis=1)
            found["beyond"][part] = self.beyond(sums, values[part])
            found["near"][part] = self.near(sums, values[part])
            found["interval"][part] = self.intervals(sums)
        in_general = np.broadcast_to(np.cumsum(self.fractions), (len(own), len(self.support)))
        found["near_in_general"] = self.near(in_general, values)
        return Fit(**found)

    def beyond(self, sums: Vectors, values: Floats) -> Floats:
        """Return twice the smaller of the probabilities up to each value, and from it on."""
        up_to = sum_before(sums, np.searchsorted(self.support.values, values, "right"))
        from_it = 1 - sum_before(sums, np.searchsorted(self.support.values, values, "left"))
        return 2 * np.minimum(up_to, from_it)

    def near(self, sums: Vectors, values: Floats) -> Floats:
        """Return the probability of numbers within NEAR_BY of each value on the squashed line."""
        positions = squash(values)
        first = np.searchsorted(self.positions, positions - NEAR_BY, "left")
        end = np.searchsorted(self.positions, positions + NEAR_BY, "right")
        return sum_before(sums, end) - sum_before(sums, first)

    def intervals(self, sums: Vectors) -> Floats:
        """Return the ends of the middle parts that hold INTERVAL of the probability."""
        nominal = self.model.calibration.nominal(INTERVAL)
        bounds = (1 - nominal) / 2, (1 + nominal) / 2
        ends = [(sums < bound).sum(axis=1) for bound in bounds]
        return self.support.values[np.minimum(ends, len(self.support) - 1).T]

    def probabilities(self, scores: Vectors, log_sums: Floats) -> Vectors:
        """Return the probability of each point of the support: [contexts, support]."""
        exponents = scores + self.log_fractions
        exponents -= log_sums[:, None].astype(np.float32)
        result: Vectors = np.exp(exponents, out=exponents)
        return result

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


def sum_before(sums: Vectors, ends: npt.NDArray[np.intp]) -> Floats:
    """Return for each row of running sums the sum of what comes before an index."""
    rows = np.arange(len(sums))
    return np.where(ends > 0, sums[rows, np.maximum(ends - 1, 0)], 0).astype(np.float64)

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
from numberline.gap_model.network import context_vectors, number_vectors
from numberline.gap_model.numbers import NumberFeatures
from numberline.gap_model.places import Ids
from numberline.gap_model.sums import Ends, SupportSums, Vectors, log_sums, support_sums
from numberline.gap_model.support import Support, support_of
from numberline.numerals.squash import squash
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.vocabulary import Vocabulary

CONTEXTS_AT_A_TIME = 256  # so that their scores stay in the cache
INTERVAL = 0.9
NEAR_BY = 0.5  # on the squashed number line: a factor of 1.6
ROUNDING = 1e-4  # of scores: a number's own score differs a little from its score in a batch


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
        """The evidence that a number is wrong, as Calibration.log_odds takes it."""
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

    def vectors_of(self, values: Floats) -> Vectors:
        """Return one row per number."""
        distinct, indices = np.unique(values, return_inverse=True)
        rows: Vectors = number_vectors(self.model.parameters, self.number_features(distinct))
        return rows[indices.reshape(-1)]

    def contexts(self, ids: Ids, values: Floats, kinds: npt.NDArray[np.int32]) -> Vectors:
        """Return one row per gap, times the sharpness.

        `ids` [gaps, 2 · FAR] are those of `neighbours`; behind the words, id words + n stands for
        the number values[n], of kinds[n].
        """
        first_number = len(self.vocabulary.words)
        is_number = ids >= first_number
        numerals = ids[is_number] - first_number
        pairs = values[numerals] + 1j * kinds[numerals]  # one number each, to be compared
        distinct, indices = np.unique(pairs, return_inverse=True)
        ids = ids.copy()
        ids[is_number] = first_number + indices.reshape(-1)
        beside = self.number_features(distinct.real, distinct.imag.astype(np.int32))
        tables = ContextTables(self.words, number_table(beside))
        sharpness = np.float32(self.model.calibration.sharpness)
        rows = np.empty((len(ids), self.support_vectors.shape[1]), np.float32)
        for first in range(0, len(ids), CONTEXTS_AT_A_TIME):
            part = slice(first, first + CONTEXTS_AT_A_TIME)
            features = context_features(tables, ids[part])
            rows[part] = context_vectors(self.model.parameters, features) * sharpness
        return rows

    def log_lifts(self, contexts: Vectors, numbers: Vectors) -> Floats:
        """Return [contexts, numbers]."""
        lifts: Floats = (contexts @ numbers.T).astype(np.float64)
        for part, scores in self.scores(contexts):
            lifts[part] -= log_sums(scores, self.fractions)[:, None]
        return lifts

    def fits(self, contexts: Vectors, values: Floats) -> Fit:
        """Return how well each value fits the context of the same row."""
        own = np.einsum("gd,gd->g", contexts, self.vectors_of(values))
        limits, ends = own - np.float32(ROUNDING), self.ends_around(values)
        nominal = self.model.calibration.nominal(INTERVAL)
        bounds = np.array([(1 - nominal) / 2, (1 + nominal) / 2])
        parts = [
            support_sums(scores, self.fractions, limits[part], ends[part], bounds)
            for part, scores in self.scores(contexts)
        ]
        sums = SupportSums(*map(np.concatenate, zip(*parts, strict=True)))
        below, up_to, near_start, near_end = sums.before.T
        in_general = np.concatenate([[0], np.cumsum(self.support.fractions)])
        return Fit(
            own - sums.log_sum,
            np.minimum(sums.below, 1),  # sums of fractions are rounded
            2 * np.minimum(up_to, 1 - below),
            near_end - near_start,
            in_general[ends[:, 3]] - in_general[ends[:, 2]],
            self.support.values[np.minimum(sums.counts, len(self.support) - 1)],
        )

    def ends_around(self, values: Floats) -> Ends:
        """Return indices of points, [values, 4].

        They are the first point from the value on and the first beyond it; the first point within
        NEAR_BY of it on the squashed number line, and the first beyond.
        """
        positions, points = squash(values), self.support.values
        ends = [
            np.searchsorted(points, values, "left"),
            np.searchsorted(points, values, "right"),
            np.searchsorted(self.positions, positions - NEAR_BY, "left"),
            np.searchsorted(self.positions, positions + NEAR_BY, "right"),
        ]
        return np.stack(ends, axis=1).astype(np.int64)

    def distributions(self, contexts: Vectors) -> Iterator[Floats]:
        """Yield, for each context, the probability of each point of the support."""
        for _, scores in self.scores(contexts):
            log_lifts = scores - log_sums(scores, self.fractions)[:, None]
            yield from self.support.fractions * np.exp(log_lifts)

    def scores(self, contexts: Vectors) -> Iterator[tuple[slice, Vectors]]:
        """Yield some contexts and their scores of the support; once for no contexts."""
        for first in range(0, max(1, len(contexts)), CONTEXTS_AT_A_TIME):
            part = slice(first, first + CONTEXTS_AT_A_TIME)
            yield part, contexts[part] @ self.support_vectors.T

"""Contexts and candidates → the score of every candidate in every context.

With v for input and o for output vectors, contexts c with weights w, and a numeral n:

    s0(n)    = Σ w v_n · o_c             the numeral predicts its contexts
    S_A(n)   = Σ w log p(c | n)          the same, normalised over all words: s0 - Σ w log Z(n)
    S_B(n)   = Σ w o_n · v_c             the contexts predict the numeral, up to a constant
    joint(n) = S_A(n) + S_B(n)
    lift(n)  = (s0(n) + S_B(n)) / 2      both directions, minus what an average context gives n

Contexts are summed to one row on each side, so that scores are products of matrices.

A number of no known kind has a row for each kind k that numbers near it have. Its score is
log Σ_k f_k(n) exp(score of k), with f_k(n) the fraction of kind k there: the mean of e^score. A
mean of vectors would not do; with it `lift` ranks numerals 15 % worse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.model.contexts import ContextRows
from numberline.numerals.base import SIDES
from numberline.training.sampling import negative_probabilities

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

SCORES_AT_A_TIME = 1 << 22  # scores in memory at once
SMALLEST_FRACTION = 0.02  # of the kinds that a number has a row for


Score = Callable[["ContextRows", "Candidates"], Floats]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Input and output vectors of candidates for a gap, such as numerals.

    With `starts` a candidate has several rows, one for each of its kinds: those from its start to
    the next one.
    """

    model: Embeddings
    input: Array  # [rows, dim]
    output: Array  # [rows, dim]
    starts: npt.NDArray[np.intp] | None = None  # [candidates]
    log_fractions: Floats | None = None  # [rows] of the kinds of a candidate

    @classmethod
    def of_numerals(cls, model: Embeddings, values: Floats) -> Candidates:
        """Return numbers as candidates."""
        assert model.numerals is not None, "the corpus held no numerals"
        fractions = model.numerals.kind_fractions(values)
        if not fractions.shape[1]:
            inputs, outputs = (model.numeral_vectors(values, side) for side in SIDES)
            return cls(model, inputs, outputs)
        numbers, kinds = np.nonzero(fractions >= SMALLEST_FRACTION)
        inputs, outputs = (model.numerals.vectors(values[numbers], s, kinds) for s in SIDES)
        starts = np.searchsorted(numbers, np.arange(len(values)))
        log_fractions = np.log(fractions[numbers, kinds], dtype=np.float64)
        return cls(model, inputs, outputs, starts, log_fractions)

    def over_kinds(self, scores: Floats) -> Floats:
        """Return one score per candidate, of one per row: [contexts, candidates]."""
        if self.starts is None or self.log_fractions is None or not len(self.starts):
            return scores
        joined: Floats = np.logaddexp.reduceat(scores + self.log_fractions, self.starts, axis=1)
        return joined

    @cached_property
    def log_normaliser(self) -> Floats:
        """log Z(n) of S_A: log Σ_c exp(v_n · o_c) over all words c."""
        return log_sums(self.input, self.model.word_output)

    @cached_property
    def lift_offset(self) -> Floats:
        """The score that an average context of weight 1 gives each candidate; lift subtracts it.

        Half of log Σ_c q(c) exp(v_n · o_c), c drawn as negatives are, which training brings near 0,
        and half of log Σ_c p(c) exp(o_n · v_c), c drawn as contexts are. The latter is
        log p(n) / q(n): as negatives are drawn by counts to the power 3/4, contexts favour frequent
        numerals.
        """
        counts = self.model.vocabulary.word_counts
        if not len(counts):
            return np.zeros(len(self.input))
        negative = negative_probabilities(counts, np.zeros(0))
        context = counts * self.model.keep_probabilities.astype(np.float64)
        predicting = log_sums(self.input, self.model.word_output, negative)
        predicted = log_sums(self.output, self.model.word_input, context / context.sum())
        return (predicting + predicted) / 2


def s0(contexts: ContextRows, candidates: Candidates) -> Floats:
    """Return how well each candidate predicts the contexts, not normalised."""
    return products(contexts.output, candidates.input)


def s_a(contexts: ContextRows, candidates: Candidates) -> Floats:
    """Return the log probability of the contexts, for each candidate."""
    log_z = np.outer(contexts.weight, candidates.log_normaliser)
    log_probabilities: Floats = s0(contexts, candidates) - log_z
    return log_probabilities


def s_b(contexts: ContextRows, candidates: Candidates) -> Floats:
    """Return how well the contexts predict each candidate, up to a constant."""
    return products(contexts.input, candidates.output)


def joint(contexts: ContextRows, candidates: Candidates) -> Floats:
    """Return S_A + S_B."""
    return s_a(contexts, candidates) + s_b(contexts, candidates)


def lift(contexts: ContextRows, candidates: Candidates) -> Floats:
    """Return the mean of both directions, minus what an average context gives the candidate."""
    both = (s0(contexts, candidates) + s_b(contexts, candidates)) / 2
    lifts: Floats = both - np.outer(contexts.weight, candidates.lift_offset)
    return lifts


def over_kinds(score: Score) -> Score:
    """Return a score of candidates, made of that of their rows."""

    def of_candidates(contexts: ContextRows, candidates: Candidates) -> Floats:
        return candidates.over_kinds(score(contexts, candidates))

    return of_candidates


SCORES = {
    "s0": over_kinds(s0),
    "S_A": over_kinds(s_a),
    "S_B": over_kinds(s_b),
    "joint": over_kinds(joint),
    "lift": over_kinds(lift),
}


def products(sums: Floats, rows: Array) -> Floats:
    """Return sums · rowsᵀ, computed in the precision of the rows, which may be many."""
    scores: Floats = (sums.astype(rows.dtype) @ rows.T).astype(np.float64)
    return scores


def log_sums(rows: Array, table: Array, probabilities: Floats | None = None) -> Floats:
    """Return log Σ_c p_c exp(row · table_c) of each row; without probabilities, p_c is 1."""
    sums = np.zeros(len(rows))
    if not len(table):
        return sums  # a corpus of numerals alone
    log_p = np.float32(0) if probabilities is None else np.log(probabilities).astype(np.float32)
    rows_at_a_time = max(1, SCORES_AT_A_TIME // len(table))
    for first in range(0, len(rows), rows_at_a_time):
        part = slice(first, first + rows_at_a_time)
        scores = rows[part] @ table.T
        scores += log_p
        largest = scores.max(axis=1, keepdims=True)
        np.exp(scores - largest, out=scores)
        sums[part] = largest[:, 0] + np.log(scores.sum(axis=1, dtype=float))
    return sums

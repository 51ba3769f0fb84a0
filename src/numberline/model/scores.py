"""Contexts and candidates → the score of every candidate in every context.

With v for input and o for output vectors, contexts c with weights w, and a numeral n:

    s0(n)    = Σ w v_n · o_c             the numeral tells its contexts
    S_A(n)   = Σ w log p(c | n)          the same, normalised over all words: s0 - Σ w log Z(n)
    S_B(n)   = Σ w o_n · v_c             the contexts tell the numeral, up to a constant
    joint(n) = S_A(n) + S_B(n)
    lift(n)  = (s0(n) + S_B(n)) / 2      both ways, without what contexts say of n on average

A context is summed to one row on each side, so that scores are products of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.arrays import Array, Floats
from numberline.model.context import Context
from numberline.training.sampling import negative_probabilities

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

SCORES_AT_A_TIME = 1 << 24  # of numerals and all words, in memory at once


@dataclass(frozen=True, eq=False)
class Candidates:
    """Rows that may stand in a gap: of numerals, or any pair of an input and an output vector."""

    model: Embeddings
    input: Array  # [candidates, dim]
    output: Array  # [candidates, dim]

    @cached_property
    def log_normaliser(self) -> Floats:
        return log_normaliser(self.model, self.input)

    @cached_property
    def lift_offset(self) -> Floats:
        return lift_offset(self.model, self.input, self.output)


def numerals(model: Embeddings, values: Floats) -> Candidates:
    return Candidates(model, model.numeral_vectors(values), model.numeral_vectors(values, "output"))


class SummedContexts(NamedTuple):
    input: Floats  # [contexts, dim]
    output: Floats  # [contexts, dim]
    weight: Floats  # [contexts]


def summed(model: Embeddings, contexts: Iterable[Context]) -> SummedContexts:
    known = list(contexts)
    inputs, outputs = np.zeros((2, len(known), model.dim))
    for at, context in enumerate(known):
        inputs[at] = context.weighted_sum(model, "input")
        outputs[at] = context.weighted_sum(model, "output")
    return SummedContexts(inputs, outputs, np.array([one.weights.sum() for one in known]))


def s0(contexts: SummedContexts, candidates: Candidates) -> Floats:
    """The candidate tells its contexts, not normalised."""
    return products(contexts.output, candidates.input)


def s_a(contexts: SummedContexts, candidates: Candidates) -> Floats:
    """The candidate tells its contexts, among all words."""
    normalised: Floats = s0(contexts, candidates) - np.outer(
        contexts.weight, candidates.log_normaliser
    )
    return normalised


def s_b(contexts: SummedContexts, candidates: Candidates) -> Floats:
    """The contexts tell the candidate, up to what does not depend on it."""
    return products(contexts.input, candidates.output)


def joint(contexts: SummedContexts, candidates: Candidates) -> Floats:
    return s_a(contexts, candidates) + s_b(contexts, candidates)


def lift(contexts: SummedContexts, candidates: Candidates) -> Floats:
    """What both tell of each other, less what any context tells of the candidate."""
    told = (s0(contexts, candidates) + s_b(contexts, candidates)) / 2
    beyond: Floats = told - np.outer(contexts.weight, candidates.lift_offset)
    return beyond


def products(sums: Floats, rows: Array) -> Floats:
    """In the precision of the rows, which may be many and are not copied."""
    scores: Floats = (sums.astype(rows.dtype) @ rows.T).astype(np.float64)
    return scores


SCORES: dict[str, Callable[[SummedContexts, Candidates], Floats]] = {
    "s0": s0,
    "S_A": s_a,
    "S_B": s_b,
    "joint": joint,
    "lift": lift,
}


def log_normaliser(model: Embeddings, input_rows: Array) -> Floats:
    """log Z(n) of S_A: log Σ_c exp(v_n · o_c) over all words."""
    return log_sums(input_rows, model.word_output)


def lift_offset(model: Embeddings, input_rows: Array, output_rows: Array) -> Floats:
    """What a context of weight 1 says of each numeral on average, so that lift can leave it out.

    Half of log Σ_c q(c) exp(v_n · o_c), c drawn as negatives are, which training brings near 0, and
    half of log Σ_c p(c) exp(o_n · v_c), c drawn as contexts are. The latter is log p(n) / q(n):
    since negatives are drawn by counts to the power 3/4, contexts speak for frequent numerals.
    """
    if not len(model):
        return np.zeros(len(input_rows))
    drawn = negative_probabilities(model.vocabulary.word_counts, np.zeros(0))
    met = model.vocabulary.word_counts * model.keep_shares.astype(np.float64)
    told = log_sums(input_rows, model.word_output, drawn)
    telling = log_sums(output_rows, model.word_input, met / met.sum())
    return (told + telling) / 2


def log_sums(rows: Array, table: Array, shares: Floats | None = None) -> Floats:
    """log Σ_c shares_c exp(row · table_c) of each row; without shares, each counts as 1."""
    found = np.zeros(len(rows))
    if not len(table):
        return found  # a corpus of numerals alone
    offsets = np.float32(0) if shares is None else np.log(shares).astype(np.float32)
    rows_at_a_time = max(1, SCORES_AT_A_TIME // len(table))
    for first in range(0, len(rows), rows_at_a_time):
        part = slice(first, first + rows_at_a_time)
        scores = rows[part] @ table.T
        scores += offsets
        largest = scores.max(axis=1, keepdims=True)
        np.exp(scores - largest, out=scores)
        found[part] = largest[:, 0] + np.log(scores.sum(axis=1, dtype=float))
    return found

"""Contexts and rows of candidates → the score of every candidate in every context.

The scores are those of model/prediction.py, for many contexts at once: each is summed to one row,
and all rows are multiplied with those of all candidates. A candidate need not be a numeral: any
pair of an input and an output vector can stand in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array
from numberline.model.context import Context, weighted_context
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import UNKNOWN, Query
from numberline.model.normalisers import lift_offset, log_normaliser

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Candidates:
    input: Floats  # [candidates, dim]
    output: Floats  # [candidates, dim]
    log_normaliser: Floats  # [candidates]
    lift_offset: Floats  # [candidates]


class SummedContexts(NamedTuple):
    input: Floats  # [contexts, dim]
    output: Floats  # [contexts, dim]
    weight: Floats  # [contexts]


def candidates_of(model: Embeddings, input_rows: Array, output_rows: Array) -> Candidates:
    return Candidates(
        input_rows.astype(float),
        output_rows.astype(float),
        log_normaliser(model, input_rows),
        lift_offset(model, input_rows, output_rows),
    )


def numeral_candidates(model: Embeddings, values: Floats) -> tuple[Candidates, Places]:
    """Distinct rows of these numerals, and which of them each numeral has.

    Rows are compared because equal ones must get scores that are equal to the last bit, or there
    would be no ties; a matrix product does not promise that.
    """
    rows = np.hstack([model.numeral_vectors(values), model.numeral_vectors(values, "output")])
    distinct, places = np.unique(rows, axis=0, return_inverse=True)
    input_rows, output_rows = np.hsplit(distinct, 2)
    return candidates_of(model, input_rows, output_rows), places.reshape(-1)


def score_all(contexts: SummedContexts, candidates: Candidates) -> dict[str, Floats]:
    """By the name of the score, one row per context and one column per candidate."""
    s0 = contexts.output @ candidates.input.T
    s_a = s0 - np.outer(contexts.weight, candidates.log_normaliser)
    s_b = contexts.input @ candidates.output.T
    lift = (s0 + s_b) / 2 - np.outer(contexts.weight, candidates.lift_offset)
    return {"s0": s0, "S_A": s_a, "S_B": s_b, "joint": s_a + s_b, "lift": lift}


def summed(model: Embeddings, contexts: Iterable[Context]) -> SummedContexts:
    known = list(contexts)
    inputs, outputs = np.zeros((2, len(known), model.dim))
    for at, context in enumerate(known):
        inputs[at] = context.weighted_sum(model, "input")
        outputs[at] = context.weighted_sum(model, "output")
    return SummedContexts(inputs, outputs, np.array([one.weights.sum() for one in known]))


def flat_context(model: Embeddings, left: list[Query], right: list[Query], words: int) -> Context:
    """So many tokens on each side, each with weight 1; unknown ones are skipped."""
    found = model.lookup.find([*left[max(0, len(left) - words) :], *right[:words]])
    ids = found.ids[found.ids != UNKNOWN]
    return Context(ids, found.values, np.ones(len(ids)))


def both_kinds(
    model: Embeddings, sides: Iterable[tuple[list[Query], list[Query]]], words: int
) -> dict[str, SummedContexts]:
    """Contexts flat, as in the paper, and weighted as training does, from left and right sides."""
    known = list(sides)
    return {
        "flat": summed(model, (flat_context(model, left, right, words) for left, right in known)),
        "weighted": summed(model, (weighted_context(model, left, right) for left, right in known)),
    }

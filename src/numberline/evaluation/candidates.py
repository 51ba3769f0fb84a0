"""Gaps and values → summed contexts and candidates, for the scores of model/scores.py."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.model.context import Context, weighted_context
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import UNKNOWN, Query
from numberline.model.scores import SCORES, Candidates, SummedContexts, summed

Places = npt.NDArray[np.intp]


def numeral_candidates(model: Embeddings, values: Floats) -> tuple[Candidates, Places]:
    """Distinct rows of these numerals, and which of them each numeral has.

    Rows are compared because equal ones must get scores that are equal to the last bit, or there
    would be no ties; a matrix product does not promise that.
    """
    rows = np.hstack([model.numeral_vectors(values), model.numeral_vectors(values, "output")])
    distinct, places = np.unique(rows, axis=0, return_inverse=True)
    input_rows, output_rows = np.hsplit(distinct, 2)
    return Candidates(model, input_rows, output_rows), places.reshape(-1)


def score_all(contexts: SummedContexts, candidates: Candidates) -> dict[str, Floats]:
    """By the name of the score, one row per context and one column per candidate."""
    return {name: score(contexts, candidates) for name, score in SCORES.items()}


def flat_context(model: Embeddings, left: list[Query], right: list[Query], words: int) -> Context:
    """So many tokens on each side, each with weight 1; unknown ones are skipped."""
    found = model.lookup.find([*left[max(0, len(left) - words) :], *right[:words]])
    ids = found.ids[found.ids != UNKNOWN]
    return Context(ids, found.values, np.ones(len(ids)))


def all_kinds(
    model: Embeddings, sides: Iterable[tuple[list[Query], list[Query]]], words: int
) -> dict[str, SummedContexts]:
    """Contexts flat, as in the paper; with the weights of training; and as model.predict does."""
    known = list(sides)

    def weighted(weighting: str) -> SummedContexts:
        found = (weighted_context(model, left, right, weighting) for left, right in known)
        return summed(model, found)

    flat = summed(model, (flat_context(model, left, right, words) for left, right in known))
    return {"flat": flat, "training": weighted("training"), "weighted": weighted("root")}

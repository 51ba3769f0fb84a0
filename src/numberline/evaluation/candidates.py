"""Gaps and values → summed contexts and candidates, for the scores of model/scores.py."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.model.contexts import (
    TRAINING_KEEP_POWER,
    ContextRows,
    Contexts,
    context_rows,
    contexts_of,
    tokens_around,
    weighted_contexts,
)
from numberline.model.embeddings import Embeddings
from numberline.model.gaps import Gaps, Sides, gaps_between
from numberline.model.scores import SCORES, Candidates

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


def score_all(contexts: ContextRows, candidates: Candidates) -> dict[str, Floats]:
    """By the name of the score, one row per context and one column per candidate."""
    return {name: score(contexts, candidates) for name, score in SCORES.items()}


def flat_contexts(gaps: Gaps, words: int) -> Contexts:
    """Return contexts of so many tokens on each side, each with weight 1."""
    gap, token = tokens_around(gaps, gaps.starts - words, gaps.ends + words)
    return weighted_contexts(gaps, gap, token, np.ones(len(gap)))


def all_kinds(model: Embeddings, sides: Iterable[Sides], words: int) -> dict[str, ContextRows]:
    """Return contexts flat, as in the paper; weighted as in training; and as in model.predict."""
    gaps = gaps_between(model.lookup, sides)
    return {
        "flat": context_rows(model, flat_contexts(gaps, words)),
        "training": context_rows(model, contexts_of(model, gaps, TRAINING_KEEP_POWER)),
        "weighted": context_rows(model, contexts_of(model, gaps)),
    }

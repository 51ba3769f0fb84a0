"""Gaps and candidates → the scores of all candidates in every gap, and the ranks of the right ones.

Scores are those of model/scores.py. Ties favour nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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

CONTEXT_WORDS = 5  # tokens on each side of a numeral that are its context, as in the paper
Indices = npt.NDArray[np.intp]


def numeral_candidates(model: Embeddings, values: Floats) -> tuple[Candidates, Indices]:
    """Return the distinct rows of these numerals, and the index of each numeral's row.

    Equal rows must have scores that are equal to the last bit, or there would be no ties; a matrix
    product does not guarantee that for two copies of a row.
    """
    rows = np.hstack([model.numeral_vectors(values), model.numeral_vectors(values, "output")])
    _, first, indices = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return Candidates.of_numerals(model, values[first]), indices.reshape(-1)


def scores_in_gaps(
    model: Embeddings, sides: Iterable[Sides], candidates: Candidates
) -> Iterator[tuple[dict[str, str], Floats]]:
    """Yield a kind of context and a score by their names, and the scores: [gaps, candidates]."""
    for kind, contexts in kinds_of_contexts(model, sides).items():
        for name, score in SCORES.items():
            yield {"context": kind, "score": name}, score(contexts, candidates)


def kinds_of_contexts(
    model: Embeddings, sides: Iterable[Sides], words: int = CONTEXT_WORDS
) -> dict[str, ContextRows]:
    """Return contexts flat, as in the paper; weighted as in training; and as in model.predict."""
    gaps = gaps_between(model.lookup, sides)
    return {
        "flat": context_rows(model, flat_contexts(gaps, words)),
        "training": context_rows(model, contexts_of(model, gaps, TRAINING_KEEP_POWER)),
        "weighted": context_rows(model, contexts_of(model, gaps)),
    }


def flat_contexts(gaps: Gaps, words: int) -> Contexts:
    """Return contexts of `words` tokens on each side, each with weight 1."""
    gap, token = tokens_around(gaps, gaps.starts - words, gaps.ends + words)
    return weighted_contexts(gaps, gap, token, np.ones(len(gap)))


def middle_ranks(scores: Floats, right: Indices) -> Floats:
    """Return the rank of the right candidate in each row, 1 for the best; ties share the middle.

    A score that ignores the context has a mean rank of (candidates + 1) / 2 if every candidate is
    the right one once.
    """
    right_score = scores[np.arange(len(scores)), right][:, None]
    better = (scores > right_score).sum(axis=1)
    equal = (scores == right_score).sum(axis=1)  # the right one among them
    ranks: Floats = better + (equal + 1) / 2
    return ranks


def middle_best(scores: Floats) -> Indices:
    """Return the index of the best candidate of each row; of several, the middle one in order."""
    is_best = scores == scores.max(axis=1, keepdims=True)
    best_so_far = is_best.cumsum(axis=1)
    middle = (best_so_far[:, -1:] + 1) // 2
    indices: Indices = np.argmax(best_so_far == middle, axis=1)
    return indices

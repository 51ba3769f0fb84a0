"""A context → ranked candidates, or a distribution over the number line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.errors import ContextError, TokensError, describe
from numberline.fields import as_list, one_of
from numberline.model.contexts import context_rows, contexts_of
from numberline.model.distribution import NumeralDistribution
from numberline.model.gaps import Gaps, TextWithGap, gaps_between, sides_of
from numberline.model.judged import (
    corpus_scores,
    distributions,
    log_lifts,
    require_numerals,
)
from numberline.model.lookup import Query
from numberline.model.scores import SCORES, Candidates

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

GAP_MODEL = "gap model"  # the score that reads words in their order
SCORE_NAMES = (GAP_MODEL, *SCORES)


class RankedNumeral(NamedTuple):
    """A candidate and how well it fits the gap; a higher score is better."""

    value: float
    score: float


def predict(
    model: Embeddings, context: TextWithGap, candidates: Iterable[Query] | None, score: str
) -> list[RankedNumeral] | NumeralDistribution:
    """Rank the candidates for the gap; without any, return a distribution over the number line."""
    one_of(*SCORE_NAMES)("score", score)
    require_numerals(model)
    gaps = gaps_of_contexts(model, [context])
    if not has_known_token(gaps):
        raise ContextError(f"no word around the gap of {describe(context)} is known")
    if candidates is None:
        if score == GAP_MODEL:
            return next(distributions(model, gaps))
        rows = context_rows(model, contexts_of(model, gaps))
        return next(corpus_scores(model, rows, score)).distribution()
    values = numbers_of(model, as_list("candidates", candidates))
    scores = candidate_scores(model, gaps, values, score)
    order = np.argsort(-scores, kind="stable")
    return [RankedNumeral(float(values[index]), float(scores[index])) for index in order]


def score_gaps(
    model: Embeddings, contexts: Iterable[TextWithGap], candidates: Iterable[Query]
) -> Floats:
    """Return lifts, [contexts, candidates]; nan where no word around a gap is known."""
    gaps = gaps_of_contexts(model, as_list("contexts", contexts))
    values = numbers_of(model, as_list("candidates", candidates))
    lifts: Floats = np.exp(log_lifts(model, gaps, values))
    return lifts


def candidate_scores(model: Embeddings, gaps: Gaps, values: Floats, score: str) -> Floats:
    """Return the score of each value in one gap."""
    if score == GAP_MODEL:
        lifts: Floats = np.exp(log_lifts(model, gaps, values)[0])
        return lifts
    rows = context_rows(model, contexts_of(model, gaps))
    scores: Floats = SCORES[score](rows, Candidates.of_numerals(model, values))[0]
    return scores


def gaps_of_contexts(model: Embeddings, contexts: Iterable[TextWithGap]) -> Gaps:
    """Return the gap of each context: a text with ___, or the tokens to the left and right."""
    gaps = gaps_between(model.lookup, [sides_of(model.lookup, one) for one in contexts])
    bounds = np.concatenate([[0], gaps.text_ends])
    return replace(gaps, tokens=model.in_context(gaps.tokens, bounds))


def has_known_token(gaps: Gaps) -> bool:
    return bool(gaps.tokens.is_known.any())


def numbers_of(model: Embeddings, candidates: list[Query]) -> Floats:
    """Return the values of candidates; refuse what is not a number."""
    require_numerals(model)
    read = model.lookup.read_tokens(candidates)
    if not read.is_numeral.all():
        odd = candidates[int(np.argmin(read.is_numeral))]
        raise TokensError(f"the candidate {describe(odd)} is not a number")
    return read.numerals

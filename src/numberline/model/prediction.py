"""A context → ranked candidates, or a distribution over the numerals of the corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.errors import ContextError, TokensError, describe
from numberline.fields import as_list, one_of
from numberline.model.contexts import ContextRows, context_rows, contexts_of
from numberline.model.distribution import CorpusScores, NumeralDistribution
from numberline.model.gaps import TextWithGap, gaps_between, sides_of
from numberline.model.lookup import Query
from numberline.model.scores import SCORES, SCORES_AT_A_TIME, Candidates

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings


class RankedNumeral(NamedTuple):
    """A candidate and how well it fits the gap; a higher score is better."""

    value: float
    score: float


def predict(
    model: Embeddings, context: TextWithGap, candidates: Iterable[Query] | None, score: str
) -> list[RankedNumeral] | NumeralDistribution:
    """Rank the candidates for the gap; without any, return a distribution of all numerals."""
    one_of(*SCORES)("score", score)
    require_numerals(model)
    gaps = gaps_between(model.lookup, [sides_of(model.lookup, context)])
    rows = context_rows(model, contexts_of(model, gaps))
    if rows.weight[0] == 0:
        raise ContextError(f"no word around the gap of {describe(context)} is known")
    if candidates is None:
        return next(corpus_scores(model, rows, score)).distribution()
    values = numbers_of(model, as_list("candidates", candidates))
    scores = SCORES[score](rows, Candidates.of_numerals(model, values))[0]
    order = np.argsort(-scores, kind="stable")
    return [RankedNumeral(float(values[index]), float(scores[index])) for index in order]


def require_numerals(model: Embeddings) -> None:
    if model.numerals is None:
        raise ContextError("the model has learnt no numerals: its corpus held none")


def numbers_of(model: Embeddings, candidates: list[Query]) -> Floats:
    """Return the values of candidates; refuse what is not a number."""
    read = model.lookup.read_tokens(candidates)
    if not read.is_numeral.all():
        odd = candidates[int(np.argmin(read.is_numeral))]
        raise TokensError(f"the candidate {describe(odd)} is not a number")
    return read.numerals


def corpus_scores(model: Embeddings, contexts: ContextRows, score: str) -> Iterator[CorpusScores]:
    """Yield, for each context, how well the corpus' numerals fit it."""
    values, probabilities = model.vocabulary.numeral_values, model.numeral_probabilities
    at_a_time = max(1, SCORES_AT_A_TIME // len(values))
    for first in range(0, len(contexts), at_a_time):
        part = contexts[first : first + at_a_time]
        for scores in SCORES[score](part, model.corpus_candidates):
            yield CorpusScores(values, probabilities, scores)

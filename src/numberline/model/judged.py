"""Gaps of a model → how well numbers fit them: by its gap model, or without one by its scores.

Both give lifts, how many times likelier a number is in a gap than in general, and distributions
over the number line. The gap model reads the words in their order and is calibrated. The scores of
model/scores.py read them as a bag; their lifts are only roughly right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import ContextError
from numberline.gap_model import NO_TOKEN, Ids, neighbours
from numberline.model.contexts import context_rows, contexts_of
from numberline.model.distribution import CorpusScores, NumeralDistribution
from numberline.model.gaps import Gaps
from numberline.model.lookup import UNKNOWN
from numberline.model.scores import SCORES, SCORES_AT_A_TIME, Candidates

if TYPE_CHECKING:
    from numberline.model.contexts import ContextRows
    from numberline.model.embeddings import Embeddings

Mask = npt.NDArray[np.bool_]
BAG_SCORE = "s0"  # of models without a gap model


def require_numerals(model: Embeddings) -> None:
    if model.numerals is None:
        raise ContextError("the model has learnt no numerals: its corpus held none")


@dataclass(frozen=True, eq=False)
class Verdicts:
    """How well numbers fit their gaps; nan where no token around a gap is known."""

    log_lift: Floats
    log_odds: Floats  # that the number is wrong, if as many are wrong as are right
    percentile: Floats  # fraction of the corpus' numerals that fit less well
    interval: Floats  # [gaps, 2] ends of the part that holds 90 % of the probability

    def __getitem__(self, chosen: npt.NDArray[np.intp]) -> Verdicts:
        return Verdicts(**{one.name: getattr(self, one.name)[chosen] for one in fields(self)})

    def updated(self, chosen: npt.NDArray[np.intp], others: Verdicts) -> Verdicts:
        """Return these verdicts with those on some gaps replaced."""
        arrays = {one.name: getattr(self, one.name).copy() for one in fields(self)}
        for name, array in arrays.items():
            array[chosen] = getattr(others, name)
        return Verdicts(**arrays)


def verdicts(model: Embeddings, gaps: Gaps, values: Floats, is_hidden: Mask) -> Verdicts:
    """Judge each value in the gap of the same index, as if some tokens could not be read."""
    scorer = model.gap_scorer
    if scorer is None:
        return bag_verdicts(model, without(gaps, is_hidden), values)
    around = ids_around(gaps, is_hidden)
    contexts = scorer.contexts(around, gaps.tokens.values, gaps.tokens.kinds)
    fit = scorer.fits(contexts, values)
    log_odds = scorer.model.calibration.log_odds(*fit.evidence)
    found = Verdicts(fit.log_lift, log_odds, fit.percentile, fit.interval)
    return unknown_where((around == NO_TOKEN).all(axis=1), found)


def unknown_where(is_unknown: Mask, found: Verdicts) -> Verdicts:
    """Return verdicts that are nan in some gaps."""
    gaps = np.flatnonzero(is_unknown)
    nothing = np.full(len(gaps), np.nan)
    return found.updated(gaps, Verdicts(nothing, nothing, nothing, np.stack([nothing] * 2, axis=1)))


def bag_verdicts(model: Embeddings, gaps: Gaps, values: Floats) -> Verdicts:
    """Judge by s0. A wrong number is taken to be drawn from all numerals: its odds are 1 / lift."""
    rows = context_rows(model, contexts_of(model, gaps))
    scores = scores_of_each(model, rows, values)
    lift, percentile, interval = np.empty(len(gaps)), np.empty(len(gaps)), np.empty((len(gaps), 2))
    for gap, of_corpus in enumerate(corpus_scores(model, rows, BAG_SCORE)):
        lift[gap] = of_corpus.log_lift(scores[gap])
        percentile[gap] = of_corpus.percentile(scores[gap])
        interval[gap] = of_corpus.distribution().interval()
    return unknown_where(rows.weight == 0, Verdicts(lift, -lift, percentile, interval))


def scores_of_each(model: Embeddings, contexts: ContextRows, values: Floats) -> Floats:
    """Return BAG_SCORE of each value in the context of the same index."""
    candidates = Candidates.of_numerals(model, values)
    starts = np.arange(len(values)) if candidates.starts is None else candidates.starts
    sizes = np.diff(np.append(starts, len(candidates.input)))
    outputs = np.repeat(contexts.output.astype(np.float32), sizes, axis=0)
    scores = np.einsum("rd,rd->r", outputs, candidates.input).astype(np.float64)
    of_each: Floats = candidates.over_kinds(scores[None])[0]
    return of_each


def ids_around(gaps: Gaps, is_hidden: Mask | None = None) -> Ids:
    """Return the ids of the known tokens around each gap; training has seen no others.

    Hidden tokens keep their places.
    """
    is_known = gaps.tokens.is_known
    before = np.concatenate([[0], np.cumsum(is_known)])
    bounds = (gaps.text_starts, gaps.starts, gaps.ends, gaps.text_ends)
    ids = gaps.tokens.ids if is_hidden is None else np.where(is_hidden, NO_TOKEN, gaps.tokens.ids)
    return neighbours(ids[is_known], *(before[one] for one in bounds))


def without(gaps: Gaps, is_hidden: Mask) -> Gaps:
    """Return gaps in a text whose hidden tokens are unknown."""
    ids = np.where(is_hidden, UNKNOWN, gaps.tokens.ids)
    return replace(gaps, tokens=replace(gaps.tokens, ids=ids))


def log_lifts(model: Embeddings, gaps: Gaps, values: Floats) -> Floats:
    """Return the logarithms of lifts, [gaps, values]; nan where no token around a gap is known."""
    scorer = model.gap_scorer
    if scorer is None:
        return bag_log_lifts(model, gaps, values)
    around = ids_around(gaps)
    contexts = scorer.contexts(around, gaps.tokens.values, gaps.tokens.kinds)
    lifts = scorer.log_lifts(contexts, scorer.vectors_of(values))
    lifts[(around < 0).all(axis=1)] = np.nan
    return lifts


def distributions(
    model: Embeddings, gaps: Gaps, is_hidden: Mask | None = None
) -> Iterator[NumeralDistribution]:
    """Yield the distribution in each gap, as if some tokens could not be read."""
    scorer = model.gap_scorer
    if scorer is None:
        gaps = gaps if is_hidden is None else without(gaps, is_hidden)
        rows = context_rows(model, contexts_of(model, gaps))
        for scores in corpus_scores(model, rows, BAG_SCORE):
            yield scores.distribution()
        return
    contexts = scorer.contexts(ids_around(gaps, is_hidden), gaps.tokens.values, gaps.tokens.kinds)
    support, calibration = scorer.support, scorer.model.calibration
    for probabilities in scorer.distributions(contexts):
        yield NumeralDistribution(
            support.values, probabilities, support.fractions, calibration.nominal
        )


def bag_log_lifts(model: Embeddings, gaps: Gaps, values: Floats) -> Floats:
    rows = context_rows(model, contexts_of(model, gaps))
    scores = SCORES[BAG_SCORE](rows, Candidates.of_numerals(model, values))
    lifts = np.full(scores.shape, np.nan)
    for gap, of_corpus in enumerate(corpus_scores(model, rows, BAG_SCORE)):
        if rows.weight[gap] > 0:
            lifts[gap] = of_corpus.log_lift(scores[gap])
    return lifts


def corpus_scores(model: Embeddings, contexts: ContextRows, score: str) -> Iterator[CorpusScores]:
    """Yield, for each context, how well the corpus' numerals fit it as a bag of words."""
    values, probabilities = model.vocabulary.numeral_values, model.numeral_probabilities
    at_a_time = max(1, SCORES_AT_A_TIME // len(model.corpus_candidates.input))
    for first in range(0, len(contexts), at_a_time):
        part = contexts[first : first + at_a_time]
        for scores in SCORES[score](part, model.corpus_candidates):
            yield CorpusScores(values, probabilities, scores)

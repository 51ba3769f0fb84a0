"""A context and numerals → how well each fits; or what is to be expected on the whole number line.

Scores are defined in scores.py. Skip-gram makes v_n · o_c the logarithm of how many times as often
n and c meet as they would by chance. If contexts were independent, q(n) exp s0(n) would be
proportional to the probability of n in this context, q being how often n was drawn as a negative.
As they repeat each other, s0 is taken SHARPNESS times.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.errors import CandidateError, ContextError, describe
from numberline.model.arguments import as_share, one_of, positive, several
from numberline.model.context import POWERS, USUAL, Context, Given, context_of
from numberline.model.lookup import Query
from numberline.model.scores import SCORES, Candidates, numerals, summed
from numberline.numerals.squash import squash, squash_slope

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

SHARPNESS = 0.7  # of scores: what a context says that others do not say as well
LIKELY = 3  # values that are named
APART = 0.05  # on the squashed number line, about 5 %: what is nearer is no other value
GRID_POINTS = 4096  # of the smoothed density
BANDWIDTH = 0.02  # on the squashed number line: about 2 %


class RankedNumeral(NamedTuple):
    """A candidate, and how well it fits the gap; more is better."""

    value: float
    score: float


@dataclass(frozen=True, eq=False)
class NumeralDistribution:
    """What is to be expected in a gap, over the numerals of the corpus.

    `values` are ascending; their `probabilities` sum to 1.
    """

    values: Floats
    probabilities: Floats

    @cached_property
    def density(self) -> Floats:
        """At each value, per unit of value; smoothed."""
        return smoothed_density(self.values, self.probabilities)

    @property
    def median(self) -> float:
        """The value in the middle of the probability."""
        return self.quantile(0.5)

    def quantile(self, share: float) -> float:
        """The smallest value up to which that share of the probability lies."""
        as_share("share", share)
        at = int(np.searchsorted(self._up_to, share * (1 - 1e-12)))
        return float(self.values[min(at, len(self.values) - 1)])

    def interval(self, share: float = 0.9) -> tuple[float, float]:
        """The values between which the middle share of the probability lies."""
        as_share("share", share)
        return self.quantile((1 - share) / 2), self.quantile((1 + share) / 2)

    def likely(self, count: int = LIKELY) -> list[float]:
        """The likeliest values, the likeliest first, none near a likelier one."""
        count = positive("count", count)
        places = squash(self.values)
        left = self.probabilities.copy()
        found: list[float] = []
        while len(found) < count and left.max() > 0:
            at = int(np.argmax(left))
            found.append(float(self.values[at]))
            left[np.abs(places - places[at]) <= APART] = 0
        return found

    @cached_property
    def _up_to(self) -> Floats:
        return np.cumsum(self.probabilities)


def predict(
    model: Embeddings,
    given: Given,
    candidates: Iterable[Query] | None,
    score: str,
    weighting: str | None,
) -> list[RankedNumeral] | NumeralDistribution:
    one_of("score", score, SCORES)
    weighting = USUAL if weighting is None else weighting
    one_of("weighting", weighting, POWERS)
    require_numerals(model)
    context = context_of(model, given, weighting)
    if not len(context.ids):
        raise ContextError(f"no word around the gap of {describe(given)} is known")
    if candidates is None:
        return distribution(model, context, score)
    asked = several("candidates", candidates)
    values = np.array([value_of(model, candidate) for candidate in asked], np.float64)
    scores = context_scores(context, numerals(model, values), score)
    order = np.argsort(-scores, kind="stable")
    return [RankedNumeral(float(values[at]), float(scores[at])) for at in order]


def require_numerals(model: Embeddings) -> None:
    if model.numerals is None:
        raise ContextError("the model has learnt no numerals: its corpus held none")


def value_of(model: Embeddings, candidate: Query) -> float:
    value = model.lookup.value_of(candidate)
    if value is None:
        raise CandidateError(f"the candidate {describe(candidate)} is no number")
    return value


def distribution(model: Embeddings, context: Context, score: str) -> NumeralDistribution:
    return corpus_scores(model, context, score).distribution()


@dataclass(frozen=True, eq=False)
class CorpusScores:
    """How well the numerals of the corpus fit a context."""

    values: Floats  # ascending
    shares: Floats  # how often each was drawn as a negative; they sum to 1
    scores: Floats

    def percentile(self, score: float) -> float:
        """The share of them that fit less well than this score; equally good ones count half."""
        less = self.shares[self.scores < score].sum()
        return float(less + self.shares[self.scores == score].sum() / 2)

    def lift(self, score: float) -> float:
        """How many times likelier a numeral of this score is here than it is in general."""
        best = self.scores.max()
        return float(np.exp(SHARPNESS * (score - best)) / self._likelihoods.sum())

    def distribution(self) -> NumeralDistribution:
        return NumeralDistribution(self.values, self._likelihoods / self._likelihoods.sum())

    @cached_property
    def _likelihoods(self) -> Floats:
        """Up to a factor, which keeps the largest score from being too large for exp."""
        best = self.scores.max()
        likelihoods: Floats = self.shares * np.exp(SHARPNESS * (self.scores - best))
        return likelihoods


def corpus_scores(model: Embeddings, context: Context, score: str) -> CorpusScores:
    scores = context_scores(context, model.corpus_candidates, score)
    return CorpusScores(model.vocabulary.numeral_values, model.numeral_probabilities, scores)


def context_scores(context: Context, candidates: Candidates, score: str) -> Floats:
    """Of each candidate, in one context."""
    scores: Floats = SCORES[score](summed(candidates.model, [context]), candidates)[0]
    return scores


def smoothed_density(values: Floats, probabilities: Floats) -> Floats:
    """Per unit of value; smoothed on the squashed number line, where all scales are alike."""
    places = squash(values)
    first, last = places[0] - 5 * BANDWIDTH, places[-1] + 5 * BANDWIDTH  # the bell must fit in
    grid = np.linspace(first, last, GRID_POINTS)
    step = grid[1] - grid[0]
    edges = (first - step / 2, last + step / 2)
    mass = np.histogram(places, GRID_POINTS, edges, weights=probabilities)[0]
    reach = int(np.ceil(4 * BANDWIDTH / step))
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) * step / BANDWIDTH) ** 2)
    smooth = np.convolve(mass, bell / bell.sum(), mode="same") / step
    found: Floats = np.interp(places, grid, smooth) * squash_slope(values)
    return found

"""A context and numerals → how well each fits; or what is to be expected on the whole number line.

With v for input and o for output vectors, contexts c with weights w, and a numeral n:

    s0(n)    = Σ w v_n · o_c             the numeral tells its contexts
    S_A(n)   = Σ w log p(c | n)          the same, normalised over all words: s0 - Σ w log Z(n)
    S_B(n)   = Σ w o_n · v_c             the contexts tell the numeral, up to a constant
    joint(n) = S_A(n) + S_B(n)
    lift(n)  = (s0(n) + S_B(n)) / 2      both ways, without what contexts say of n on average

Skip-gram with negative sampling makes v_n · o_c the logarithm of how much more often n and c meet
than they would by chance. If contexts were independent, q(n) exp s0(n) would be proportional to the
probability of n in this context, q being how often n was drawn as a negative. As they repeat each
other, s0 is taken SHARPNESS times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.encoders.squash import Floats, squash, squash_slope
from numberline.encoders.weights import Array
from numberline.errors import CandidateError, ConfigError, ContextError, describe
from numberline.model.arguments import one_of, several
from numberline.model.context import Context, Given, context_of
from numberline.model.lookup import Query
from numberline.model.normalisers import lift_offset, log_normaliser

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

SHARPNESS = 0.7  # of scores: what a context says that others do not say as well
LIKELY = 3  # values that are named
APART = 0.05  # on the squashed number line, about 5 %: what is nearer is no other value
GRID_POINTS = 4096  # of the smoothed density
BANDWIDTH = 0.02  # on the squashed number line: about 2 %


class RankedNumeral(NamedTuple):
    value: float
    score: float


@dataclass(frozen=True, eq=False)
class NumeralDistribution:
    """What is to be expected in a gap, over the numerals of the corpus."""

    values: Floats  # ascending
    probabilities: Floats  # they sum to 1

    @cached_property
    def density(self) -> Floats:
        """At each value, per unit of value; smoothed."""
        return smoothed_density(self.values, self.probabilities)

    @property
    def median(self) -> float:
        return self.quantile(0.5)

    def quantile(self, share: float) -> float:
        """The smallest value up to which that share of the probability lies."""
        require_share(share)
        at = int(np.searchsorted(self._up_to, share * (1 - 1e-12)))
        return float(self.values[min(at, len(self.values) - 1)])

    def interval(self, share: float = 0.9) -> tuple[float, float]:
        """The values between which the middle share of the probability lies."""
        require_share(share)
        return self.quantile((1 - share) / 2), self.quantile((1 + share) / 2)

    def likely(self, count: int = LIKELY) -> list[float]:
        """The likeliest values, the likeliest first, none near a likelier one."""
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


def require_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise ConfigError("share", share, "from 0 to 1")


def predict(
    model: Embeddings,
    given: Given,
    candidates: Iterable[Query] | None,
    score: str,
) -> list[RankedNumeral] | NumeralDistribution:
    one_of("score", score, SCORES)
    require_numerals(model)
    context = context_of(model, given)
    if not len(context.ids):
        raise ContextError(f"no word around the gap of {describe(given)} is known")
    if candidates is None:
        return distribution(model, context, score)
    asked = several("candidates", candidates)
    values = np.array([value_of(model, candidate) for candidate in asked], np.float64)
    scores = SCORES[score](model, context, values)
    order = np.argsort(-scores, kind="stable")
    return [RankedNumeral(float(values[at]), float(scores[at])) for at in order]


def require_numerals(model: Embeddings) -> None:
    if model.encoder is None:
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
    values = model.vocabulary.numeral_values
    return CorpusScores(values, model.numeral_shares, SCORES[score](model, context, values))


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


def s0(model: Embeddings, context: Context, values: Floats) -> Floats:
    """The numeral tells its contexts, not normalised."""
    return products(model.numeral_vectors(values), context.weighted_sum(model, "output"))


def s_a(model: Embeddings, context: Context, values: Floats) -> Floats:
    """The numeral tells its contexts, among all words."""
    scores = s0(model, context, values)
    normalised: Floats = scores - context.weights.sum() * of_numerals(model, values, "S_A")
    return normalised


def s_b(model: Embeddings, context: Context, values: Floats) -> Floats:
    """The contexts tell the numeral, up to what does not depend on it."""
    rows = model.numeral_vectors(values, "output")
    return products(rows, context.weighted_sum(model, "input"))


def products(rows: Array, direction: Array) -> Floats:
    """In single precision: the rows, which may be many, are not copied."""
    scores: Floats = (rows @ direction.astype(rows.dtype)).astype(np.float64)
    return scores


def joint(model: Embeddings, context: Context, values: Floats) -> Floats:
    return s_a(model, context, values) + s_b(model, context, values)


def lift(model: Embeddings, context: Context, values: Floats) -> Floats:
    """What numeral and contexts tell of each other, less what any context tells of the numeral."""
    told = (s0(model, context, values) + s_b(model, context, values)) / 2
    beyond: Floats = told - context.weights.sum() * of_numerals(model, values, "lift")
    return beyond


SCORES: dict[str, Callable[[Embeddings, Context, Floats], Floats]] = {
    "s0": s0,
    "S_A": s_a,
    "S_B": s_b,
    "joint": joint,
    "lift": lift,
}


def of_numerals(model: Embeddings, values: Floats, kind: str) -> Floats:
    """A normaliser of each; those of the corpus' numerals are computed once."""
    if values is model.vocabulary.numeral_values:
        return model.corpus_normalisers(kind)
    distinct, places = np.unique(values, return_inverse=True)
    return normalisers_of(model, distinct, kind)[places]


def normalisers_of(model: Embeddings, values: Floats, kind: str) -> Floats:
    rows = model.numeral_vectors(values)
    if kind == "S_A":
        return log_normaliser(model, rows)
    return lift_offset(model, rows, model.numeral_vectors(values, "output"))

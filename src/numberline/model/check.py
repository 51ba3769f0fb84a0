"""A text → how well each of its numerals fits the words around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.encoders.squash import squash
from numberline.errors import ConfigError
from numberline.model.context import query_of, weighted_context
from numberline.model.prediction import (
    SCORES,
    NumeralDistribution,
    corpus_scores,
    require_numerals,
)
from numberline.text.scanner import tokenize

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

SCORE = "s0"
ODD_BELOW = 0.1  # percentile
BETTER = 3  # values that are offered instead
APART = 0.05  # on the squashed number line, about 5 %: what is nearer is no other value


class CheckedNumeral(NamedTuple):
    text: str  # as it is written
    value: float
    start: int  # in the text
    end: int
    percentile: float  # share of the corpus' numerals that fit here less well; nan: none is known
    is_odd: bool
    better: list[float]  # values that are likely here, the likeliest first
    expected: tuple[float, float] | None  # where 90 % of the probability lies


def check(model: Embeddings, text: str, threshold: float | None = None) -> list[CheckedNumeral]:
    limit = ODD_BELOW if threshold is None else threshold
    if not 0 <= limit <= 1:
        raise ConfigError("threshold", limit, "a share from 0 to 1")
    require_numerals(model)
    tokens = tokenize(text, model.config.text)
    queries = [query_of(token) for token in tokens]
    checked = []
    for at, token in enumerate(tokens):
        if token.value is None:
            continue
        context = weighted_context(model, queries[:at], queries[at + 1 :])
        written = text[token.start : token.end], token.value, token.start, token.end
        if not len(context.ids):
            checked.append(CheckedNumeral(*written, float("nan"), False, [], None))
            continue
        fits = corpus_scores(model, context, SCORE)
        own = SCORES[SCORE](model, context, np.array([token.value]))
        percentile, expected = fits.percentile(float(own[0])), fits.distribution()
        is_odd = percentile < limit
        better = likely_values(expected) if is_odd else []
        checked.append(CheckedNumeral(*written, percentile, is_odd, better, expected.interval()))
    return checked


def likely_values(expected: NumeralDistribution) -> list[float]:
    """The likeliest values that are not near a likelier one."""
    places = squash(expected.values)
    found: list[int] = []
    for at in np.argsort(-expected.probabilities, kind="stable").tolist():
        if all(abs(places[at] - places[other]) > APART for other in found):
            found.append(at)
        if len(found) == BETTER:
            break
    return [float(expected.values[at]) for at in found]

"""A text → how well each of its numerals fits the words around it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.encoders.squash import squash
from numberline.errors import ConfigError, describe
from numberline.model.context import Context, KnownTokens, query_of
from numberline.model.prediction import (
    SCORES,
    NumeralDistribution,
    corpus_scores,
    require_numerals,
)
from numberline.text.scanner import tokenize
from numberline.text.tokens import Token

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

SCORE = "s0"
ODD_BELOW = 0.3  # lift: less than a third as likely here as in general
BETTER = 3  # values that are offered instead
APART = 0.05  # on the squashed number line, about 5 %: what is nearer is no other value


class CheckedNumeral(NamedTuple):
    text: str  # as it is written
    value: float
    start: int  # in the text
    end: int
    lift: float  # how many times likelier it is here than in general; nan: nothing around is known
    percentile: float  # share of the corpus' numerals that fit here less well; nan likewise
    is_odd: bool
    better: list[float]  # if it is odd: values that are likely here, the likeliest first
    interval: tuple[float, float] | None  # where 90 % of the probability lies


def check(model: Embeddings, text: str, odd_below: float | None = None) -> list[CheckedNumeral]:
    if not isinstance(text, str):
        raise TypeError(f"check reads a string, not {describe(text)}")
    limit = ODD_BELOW if odd_below is None else odd_below
    if not limit >= 0:
        raise ConfigError("odd_below", limit, "a lift, 0 or more")
    require_numerals(model)
    tokens = tokenize(text, model.config.text)
    known = KnownTokens(model, [query_of(token) for token in tokens])
    return [
        checked(model, text, token, known.around(at, at + 1), limit)
        for at, token in enumerate(tokens)
        if token.value is not None
    ]


def checked(
    model: Embeddings, text: str, token: Token, context: Context, limit: float
) -> CheckedNumeral:
    assert token.value is not None
    written = text[token.start : token.end], token.value, token.start, token.end
    if not len(context.ids):
        return CheckedNumeral(*written, math.nan, math.nan, False, [], None)
    fits = corpus_scores(model, context, SCORE)
    score = float(SCORES[SCORE](model, context, np.array([token.value]))[0])
    lift, percentile = fits.lift(score), fits.percentile(score)
    expected = fits.distribution()
    better = likely_values(expected) if lift < limit else []
    return CheckedNumeral(*written, lift, percentile, lift < limit, better, expected.interval())


def likely_values(expected: NumeralDistribution) -> list[float]:
    """The likeliest values that are not near a likelier one."""
    places = squash(expected.values)
    left = expected.probabilities.copy()
    found: list[float] = []
    while len(found) < BETTER and left.max() > 0:
        at = int(np.argmax(left))
        found.append(float(expected.values[at]))
        left[np.abs(places - places[at]) <= APART] = 0
    return found

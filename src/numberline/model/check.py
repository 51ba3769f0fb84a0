"""A text → how well each of its numerals fits the words around it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.errors import describe
from numberline.model.arguments import not_negative
from numberline.model.context import Context, KnownTokens, query_of
from numberline.model.neighbours import largest
from numberline.model.prediction import (
    context_scores,
    corpus_scores,
    require_numerals,
)
from numberline.model.scores import numerals
from numberline.reading.scanner import tokenize
from numberline.reading.tokens import Token

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

SCORE = "s0"
ODD_BELOW = 0.3  # lift: less than a third as likely here as in general
WORDS = 6  # that go with a numeral
FREQUENCY = 0.5  # of a word's logarithm: between what is particular and what is frequent


class CheckedNumeral(NamedTuple):
    """A numeral as it is written, where it stands in the text, and how well it fits there.

    `lift` says how many times likelier it is here than in general, `percentile` what share of the
    corpus' numerals fit less well; both are nan where nothing around is known. `better` are values
    that are likely here, the likeliest first, if it is odd. In `interval` lies 90 % of the
    probability. `words` go with it here and show what it is read as.
    """

    text: str
    value: float
    start: int
    end: int
    lift: float
    percentile: float
    is_odd: bool
    better: list[float]
    interval: tuple[float, float] | None
    words: list[str]


def check(model: Embeddings, text: str, odd_below: float | None = None) -> list[CheckedNumeral]:
    if not isinstance(text, str):
        raise TypeError(f"check reads a string, not {describe(text)}")
    limit = ODD_BELOW if odd_below is None else not_negative("odd_below", odd_below)
    require_numerals(model)
    tokens = tokenize(text, model.settings)
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
        return CheckedNumeral(*written, math.nan, math.nan, False, [], None, [])
    fits = corpus_scores(model, context, SCORE)
    own = numerals(model, np.array([token.value]))
    score = float(context_scores(context, own, SCORE)[0])
    lift, percentile = fits.lift(score), fits.percentile(score)
    expected = fits.distribution()
    better = expected.likely() if lift < limit else []
    words = words_along(model, token.value, context)
    return CheckedNumeral(
        *written, lift, percentile, lift < limit, better, expected.interval(), words
    )


def words_along(model: Embeddings, value: float, context: Context) -> list[str]:
    """Words that the numeral and its contexts tell together, and that are not among those."""
    if not len(model):
        return []
    direction = model.numeral_vectors(np.array([value]))[0] + context.weighted_sum(model, "input")
    scores = model.word_output @ direction.astype(np.float32)
    scores += FREQUENCY * np.log(model.vocabulary.word_counts)
    scores[context.ids[context.ids >= 0]] = -np.inf
    return [model.words[at] for at in largest(scores, WORDS).tolist() if np.isfinite(scores[at])]

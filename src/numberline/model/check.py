"""A text → how well each of its numerals fits the words around it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.errors import ContextError, describe
from numberline.fields import positive_number
from numberline.model.contexts import Contexts, context_rows, contexts_of
from numberline.model.gaps import numerals_as_gaps
from numberline.model.lookup import TokenIds
from numberline.model.neighbours import largest
from numberline.model.prediction import corpus_scores, require_numerals
from numberline.model.scores import products

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

ODD_BELOW = 0.3  # lift: less than a third as likely here as in general
WORDS_LISTED = 6  # with each numeral
COUNT_POWER = 0.5  # 0 would list rare words that fit only here, 1 words that are frequent anywhere

# The fields of a CheckedNumeral from lift on.
Verdict = tuple[float, float, bool, list[float], tuple[float, float] | None, list[str]]


class CheckedNumeral(NamedTuple):
    """A numeral of a text, and how well it fits there.

    `text` is the numeral as it is written, at the characters from `start` to `end`. `lift` is how
    many times likelier it is here than in general, `percentile` the fraction of the corpus'
    numerals that fit less well; both are nan if no word around it is known. If it is odd, `better`
    lists likely values, the likeliest first. `interval` holds 90 % of the probability. `words` fit
    both the number and its context, and show what the model takes it for.
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


def check(model: Embeddings, text: str, odd_below: float) -> list[CheckedNumeral]:
    """Return each numeral of a text with a verdict; `odd_below` is a lift."""
    if not isinstance(text, str):
        raise ContextError(f"check reads a string, not {describe(text)}")
    limit = positive_number(math.inf, may_be_zero=True)("odd_below", odd_below)
    require_numerals(model)
    tokens = model.lookup.tokens(text)
    read = model.lookup.read_tokens(tokens)
    numerals = [token for token in tokens if token.value is not None]
    values = read.numerals.tolist()
    return [
        CheckedNumeral(text[token.start : token.end], value, token.start, token.end, *verdict)
        for token, value, verdict in zip(
            numerals, values, verdicts(model, read, limit), strict=True
        )
    ]


def verdicts(model: Embeddings, tokens: TokenIds, odd_below: float) -> Iterator[Verdict]:
    """Yield the verdict on each numeral among the tokens of a text."""
    contexts = contexts_of(model, numerals_as_gaps(tokens))
    rows, inputs = context_rows(model, contexts), model.numeral_vectors(tokens.numerals)
    scores = np.einsum("gd,gd->g", rows.output.astype(np.float32), inputs)  # s0 of each in its gap
    for weight, score, fits, words in zip(
        rows.weight.tolist(),
        scores.tolist(),
        corpus_scores(model, rows, "s0"),
        words_beside(model, contexts, rows.input + inputs),
        strict=True,
    ):
        if weight == 0:
            yield math.nan, math.nan, False, [], None, []
            continue
        lift, expected = fits.lift(score), fits.distribution()
        better = expected.likely() if lift < odd_below else []
        percentile = fits.percentile(score)
        yield lift, percentile, lift < odd_below, better, expected.interval(), words


def words_beside(model: Embeddings, contexts: Contexts, directions: Floats) -> Iterator[list[str]]:
    """Yield, for each context, the words outside it that fit it and its numeral best.

    `directions` [gaps, dim] are sums of the input vectors of both.
    """
    if not len(model):
        yield from ([] for _ in directions)
        return
    frequency = COUNT_POWER * np.log(model.vocabulary.word_counts)
    for gap, direction in enumerate(directions):
        scores = products(direction, model.word_output) + frequency
        around = contexts.ids[contexts.entries(gap)]
        scores[around[around < len(model)]] = -np.inf
        best = largest(scores, WORDS_LISTED)
        yield [model.words[id] for id in best.tolist() if np.isfinite(scores[id])]

"""A model and a sentence → its pieces with verdicts, and what is expected in place of a piece.

No warning says that a model has no gap model, as the methods of the model do: the page says so.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from numberline.arrays import Floats
from numberline.errors import ContextError, QuestionError
from numberline.explore.line import central_range, density_on_line
from numberline.model.check import ODD_ABOVE, CheckedNumeral, check
from numberline.model.distribution import NumeralDistribution
from numberline.model.embeddings import Embeddings
from numberline.model.gaps import GAP
from numberline.model.prediction import GAP_MODEL, predict
from numberline.numerals.squash import squash, unsquash
from numberline.reading.numerals import plain_number

LONGEST_TEXT = 2000  # characters
MOST_NUMERALS = 40  # in a text: each takes some milliseconds
BINS = 240
OUTSIDE = 0.002  # fraction of the probability at either end that is not drawn
MARGIN = 0.3  # on the squashed line, to either side of what is drawn
LIKELY = 5  # values that are named
LARGEST_END = 1e300  # of the drawn stretch, so that JSON never holds an infinity


def checked_pieces(model: Embeddings, text: str) -> list[dict[str, Any]]:
    """Return a text cut at its numerals and gaps, each with a verdict.

    The page needs the pieces: JavaScript counts characters in another way than Python.
    """
    require_short(model, text)
    (checked,) = check(model, [text], ODD_ABOVE)
    marks = [(one.start, one.end, verdict(one)) for one in checked]
    marks += [(gap.start(), gap.end(), {"kind": "gap"}) for gap in GAP.finditer(text)]
    pieces: list[dict[str, Any]] = []
    end = 0
    for start, stop, facts in sorted(marks, key=lambda mark: mark[0]):
        pieces += [{"kind": "text", "text": text[end:start]}] if start > end else []
        pieces.append({"text": text[start:stop], "start": start, "end": stop} | facts)
        end = stop
    return pieces + ([{"kind": "text", "text": text[end:]}] if end < len(text) else [])


def verdict(numeral: CheckedNumeral) -> dict[str, Any]:
    """Return what the page shows about a numeral, with None for nan, which JSON lacks."""
    has_lift = not math.isnan(numeral.lift)
    return {
        "kind": "numeral",
        "value": numeral.value,
        "lift": numeral.lift if has_lift else None,
        "percentile": numeral.percentile if has_lift else None,
        "is_odd": numeral.is_odd,
        "probability_wrong": numeral.probability_wrong if has_lift else None,
        "better": [number.value for number in numeral.better],
        "against": numeral.against,
    }


def expected(model: Embeddings, text: str, start: int, end: int) -> dict[str, Any]:
    """Predict the number in place of the characters from `start` to `end`."""
    require_short(model, text)
    if not 0 <= start <= end <= len(text):
        raise QuestionError(f"the text has no characters {start} to {end}")
    sides = (model.lookup.tokens(text[:start]), model.lookup.tokens(text[end:]))
    try:
        predicted = predict(model, sides, None, GAP_MODEL)
    except ContextError as error:
        raise QuestionError("the model knows none of the words around the number") from error
    assert isinstance(predicted, NumeralDistribution)
    values, here = predicted.values, predicted.probabilities
    low, high = widened(central_range(values, here, OUTSIDE))
    return {
        "low": low,
        "high": high,
        "here": heights(values, here, low, high),
        "in_general": heights(values, predicted.in_general, low, high),
        "median": predicted.median,
        "interval": predicted.interval(),
        "likely": [
            {"value": value, "text": plain_number(value)} for value in predicted.likely(LIKELY)
        ],
    }


def heights(values: Floats, masses: Floats, low: float, high: float) -> list[float]:
    density: list[float] = np.round(density_on_line(values, masses, low, high, BINS), 7).tolist()
    return density


def widened(ends: tuple[float, float]) -> tuple[float, float]:
    """Return a stretch with a margin, in which its curves fall to zero."""
    low, high = unsquash(squash(ends) + np.array([-MARGIN, MARGIN])).tolist()
    return max(low, -LARGEST_END), min(high, LARGEST_END)


def require_short(model: Embeddings, text: str) -> None:
    """Refuse a text that would take long."""
    if len(text) > LONGEST_TEXT:
        raise QuestionError(f"the text has {len(text):,} characters; at most {LONGEST_TEXT:,}")
    numerals = sum(token.value is not None for token in model.lookup.tokens(text))
    if numerals > MOST_NUMERALS:
        raise QuestionError(f"the text has {numerals} numerals; at most {MOST_NUMERALS}")

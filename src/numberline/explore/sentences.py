"""A model and a sentence → its pieces with verdicts, and what is expected in place of a numeral."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from numberline.arrays import Floats
from numberline.errors import ContextError, QuestionError
from numberline.explore.densities import central_range, density_on_line
from numberline.model.check import CheckedNumeral
from numberline.model.distribution import NumeralDistribution
from numberline.model.embeddings import Embeddings
from numberline.model.gaps import GAP
from numberline.numerals.squash import squash, unsquash
from numberline.reading.numerals import plain_number

LONGEST_TEXT = 2000  # characters
MOST_NUMERALS = 40  # in a text: each takes some milliseconds
BINS = 240
OUTSIDE = 0.002  # share of the probability at either end that is not drawn
MARGIN = 0.3  # on the squashed line, to either side of what is drawn
LIKELY = 5  # values that are named


def checked_pieces(model: Embeddings, text: str) -> list[dict[str, Any]]:
    """The text cut at its numerals and gaps. Pieces, not positions: scripts count differently."""
    require_short(model, text)
    found = model.check(text)
    marks = [(one.start, one.end, verdict(one)) for one in found]
    marks += [(gap.start(), gap.end(), {"kind": "gap"}) for gap in GAP.finditer(text)]
    pieces: list[dict[str, Any]] = []
    end = 0
    for start, stop, facts in sorted(marks, key=lambda mark: mark[0]):
        pieces += [{"kind": "text", "text": text[end:start]}] if start > end else []
        pieces.append({"text": text[start:stop], "start": start, "end": stop} | facts)
        end = stop
    return pieces + ([{"kind": "text", "text": text[end:]}] if end < len(text) else [])


def verdict(numeral: CheckedNumeral) -> dict[str, Any]:
    is_known = not math.isnan(numeral.lift)
    return {
        "kind": "numeral",
        "value": numeral.value,
        "lift": numeral.lift if is_known else None,
        "percentile": numeral.percentile if is_known else None,
        "is_odd": numeral.is_odd,
        "better": numeral.better,
        "words": numeral.words,
    }


def expected(model: Embeddings, text: str, start: int, end: int) -> dict[str, Any]:
    """What is expected in place of the characters from `start` to `end`."""
    require_short(model, text)
    if not 0 <= start <= end <= len(text):
        raise QuestionError(f"the text has no characters {start} to {end}")
    try:
        found = model.predict((model.lookup.tokens(text[:start]), model.lookup.tokens(text[end:])))
    except ContextError as error:
        raise QuestionError("none of the words around it is known to the model") from error
    assert isinstance(found, NumeralDistribution)
    # As wide as it takes to see both curves, and a margin so that they come down to nothing.
    low, high = widened(central_range(found.values, found.probabilities, OUTSIDE))
    shares = model.numeral_probabilities
    return {
        "low": low,
        "high": high,
        "here": heights(found.values, found.probabilities, low, high),
        "in_general": heights(found.values, shares, low, high),
        "median": found.median,
        "interval": found.interval(),
        "likely": [{"value": value, "text": plain_number(value)} for value in found.likely(LIKELY)],
    }


def heights(values: Floats, masses: Floats, low: float, high: float) -> list[float]:
    found: list[float] = np.round(density_on_line(values, masses, low, high, BINS), 7).tolist()
    return found


def widened(ends: tuple[float, float]) -> tuple[float, float]:
    low, high = unsquash(squash(ends) + np.array([-MARGIN, MARGIN])).tolist()
    return max(low, -1e300), min(high, 1e300)


def require_short(model: Embeddings, text: str) -> None:
    """Refuse what would take long."""
    if len(text) > LONGEST_TEXT:
        raise QuestionError(
            f"a text of {len(text):,} characters; at most {LONGEST_TEXT:,} are read"
        )
    numerals = sum(token.value is not None for token in model.lookup.tokens(text))
    if numerals > MOST_NUMERALS:
        raise QuestionError(f"a text with {numerals} numerals; at most {MOST_NUMERALS} are read")

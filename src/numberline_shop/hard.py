"""A tagged sentence → whether its numbers must be told apart without a unit or cue word."""

from __future__ import annotations

from numberline.tagging import TaggedSentence, stretches
from numberline_shop.nearby import RANGES
from numberline_shop.texts import words
from numberline_shop.trade_quantities import MONTHS

REACH = 3  # tokens on either side in which a cue gives a label away: 39 across the shoulders
NAMED = {  # goods whose names give a label away
    "shoe_size": "shoes",
    "jeans_waist": "bottoms",
    "jeans_length": "bottoms",
    "head": "hats",
}


def _cues(label: str) -> frozenset[str]:
    articles = words("goods")[NAMED[label]] if label in NAMED else ()
    names = [word for article in articles for word in article.split()[:-1]]  # without its price
    return frozenset([*words("cues")[label], *names, *(MONTHS if label == "date" else ())])


CUES = {label: _cues(label) for label in RANGES}


def is_hard(sentence: TaggedSentence) -> bool:
    """Return True if the sentence has labelled numbers, none with a cue within REACH tokens."""
    quantities = [
        stretch
        for stretch in stretches(label for _, label in sentence)
        if stretch.label != "letter_size"
    ]
    return bool(quantities) and not any(
        CUES[label].intersection(_near(sentence, start, end)) for label, start, end in quantities
    )


def _near(sentence: TaggedSentence, start: int, end: int) -> list[str]:
    """Return the tokens of a stretch and those within REACH of it, without other quantities."""
    around = sentence[max(0, start - REACH) : start] + sentence[end : end + REACH]
    inside = [token for token, _ in sentence[start:end]]
    return inside + [token for token, label in around if label == "O"]

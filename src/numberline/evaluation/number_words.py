"""Words of a vocabulary → those that name a number: twenty, hundred, twenty-five."""

from __future__ import annotations

import re
from collections.abc import Iterable

from numberline.reading.number_phrases import COUNTING_WORDS, SCALE_VALUES
from numberline.reading.scanner import parse_numeral
from numberline.settings import TextSettings

# In running text these count something, a hundred, and are no number alone.
ALONE = {"hundred": 100, **SCALE_VALUES, "dozen": 12}
JOINED = re.compile("[-_]")  # as vectors of other tools have twenty-five and twenty_five


def number_words(words: Iterable[str]) -> dict[str, float]:
    """Each with its value. Ordinals, numerals and words in capitals are none."""
    found = {}
    for word in words:
        value = value_of(word)
        if value is not None:
            found[word] = value
    return found


def value_of(word: str) -> float | None:
    if word in ALONE:
        return float(ALONE[word])
    parts = JOINED.split(word)
    if not COUNTING_WORDS.issuperset(parts):
        return None
    return parse_numeral(" ".join(parts), TextSettings(number_words=True))

"""Words of a vocabulary → those that name a number: twenty, hundred, twenty-five."""

from __future__ import annotations

import re
from collections.abc import Iterable

from numberline.reading.number_phrases import COUNTING_WORDS, SCALE_VALUES
from numberline.reading.scanner import parse_numeral
from numberline.settings import TextSettings

# In running text these count something, as in "a hundred", and are not read as a number alone.
ALONE = {"hundred": 100, **SCALE_VALUES, "dozen": 12}
HYPHEN = re.compile("[-_]")  # vectors of other tools have twenty-five and twenty_five


def number_words(words: Iterable[str]) -> dict[str, float]:
    """Return the number words among `words`, each with its value.

    Ordinals, numerals and words in capitals are not number words.
    """
    values = {word: value_of(word) for word in words}
    return {word: value for word, value in values.items() if value is not None}


def value_of(word: str) -> float | None:
    if word in ALONE:
        return float(ALONE[word])
    parts = HYPHEN.split(word)
    if not COUNTING_WORDS.issuperset(parts):
        return None
    return parse_numeral(" ".join(parts), TextSettings(number_words=True))

"""Test sentences → new ones in which labelled numerals have moved a little (the augmented set).

As in the demo shop (numberline_shop/nearby.py): decimal places stay, of a quantity in several parts
(11:30) only the last moves, and what is said already in some set is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from numberline.reading.scanner import parse_numeral
from numberline.tagging.sentences import TaggedSentence, stretches
from numberline_shop import Range, nearby_numbers

NEW_SENTENCES = 5  # at most, made from each
HOURS = (Range(1, 12), Range(13, 23))
DAYS = (Range(1, 28), Range(1900, 2100))
MOST_DIGITS = 15  # beyond them a step is lost in double precision
MINUTES = (Range(0, 59),)
ORDINAL_ENDINGS = ("st", "nd", "rd", "th")  # 22nd would become 23nd


def augmented(
    test: Sequence[TaggedSentence], others: Sequence[TaggedSentence], rng: np.random.Generator
) -> list[TaggedSentence]:
    seen = {tokens_of(sentence) for sentence in (*test, *others)}
    new = []
    for sentence in test:
        for changed in changes(sentence, rng):
            if tokens_of(changed) not in seen:
                seen.add(tokens_of(changed))
                new.append(changed)
    return new


def tokens_of(sentence: TaggedSentence) -> tuple[str, ...]:
    return tuple(token for token, _ in sentence)


def changes(sentence: TaggedSentence, rng: np.random.Generator) -> Iterator[TaggedSentence]:
    """Up to NEW_SENTENCES; in each, every numeral that can move has moved."""
    options = moves(sentence)
    if not options:
        return
    if prod(map(len, options.values())) <= NEW_SENTENCES:
        chosen = list(product(*options.values()))
    else:
        found: dict[tuple[str, ...], None] = {}
        while len(found) < NEW_SENTENCES:
            found[tuple(texts[rng.integers(len(texts))] for texts in options.values())] = None
        chosen = list(found)
    for texts in chosen:
        changed = list(sentence)
        for place, text in zip(options, texts, strict=True):
            changed[place] = (text, sentence[place][1])
        yield changed


def moves(sentence: TaggedSentence) -> dict[int, list[str]]:
    """For each token that can move, what it can become."""
    options = {}
    for label, start, end in stretches(label for _, label in sentence):
        numerals = [at for at in range(start, end) if parse_numeral(sentence[at][0]) is not None]
        if not numerals:
            continue
        last = numerals[-1]
        follower = sentence[last + 1][0] if last + 1 < len(sentence) else ""
        is_minute = last > start and sentence[last - 1][0] == ":"
        if follower not in ORDINAL_ENDINGS and follower != ":":
            text = sentence[last][0]
            ranges = MINUTES if is_minute else plausible(label, text)
            texts = sorted(set(nearby_numbers(text, ranges)) - {text})
            if texts:
                options[last] = texts
    return options


def plausible(label: str, text: str) -> tuple[Range, ...]:
    """Where a value may lie. Beside times and dates, all that has as many digits."""
    if "time" in label:
        return HOURS
    if "date" in label:
        return DAYS
    digits = len(text.partition(".")[0].replace(",", ""))
    if digits > MOST_DIGITS:
        return ()
    lowest = 0 if text.startswith("0") else max(1, 10.0 ** (digits - 1))
    return (Range(lowest, 10.0**digits - 1),)

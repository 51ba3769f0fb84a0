"""Test sentences → new ones with nearby numerals in place of labelled ones (the augmented set).

As in the demo shop (numberline_shop/nearby.py): decimal places stay, only the last part of a
quantity such as 11:30 changes, and sentences that are in some set already are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from numberline import parse_numeral
from numberline.tagging import TaggedSentence, stretches
from numberline_shop import Range, nearby_numbers

NEW_SENTENCES = 5  # at most, made from each
HOURS = (Range(1, 12), Range(13, 23))
DAYS = (Range(1, 28), Range(1900, 2100))
MINUTES = (Range(0, 59),)
MOST_DIGITS = 15  # beyond them a step is lost in double precision
ORDINAL_ENDINGS = ("st", "nd", "rd", "th")  # 22nd would become 23nd


def augmented(
    test: Sequence[TaggedSentence], others: Sequence[TaggedSentence], rng: np.random.Generator
) -> list[TaggedSentence]:
    """Return new test sentences that are neither in `test` nor in `others`."""
    seen = {tokens_of(sentence) for sentence in (*test, *others)}
    new = []
    for sentence in test:
        for variant in variants(sentence, rng):
            if tokens_of(variant) not in seen:
                seen.add(tokens_of(variant))
                new.append(variant)
    return new


def tokens_of(sentence: TaggedSentence) -> tuple[str, ...]:
    return tuple(token for token, _ in sentence)


def variants(sentence: TaggedSentence, rng: np.random.Generator) -> Iterator[TaggedSentence]:
    """Yield up to NEW_SENTENCES; in each, every numeral that can change has changed."""
    options = replacements(sentence)
    if not options:
        return
    if prod(map(len, options.values())) <= NEW_SENTENCES:
        chosen = list(product(*options.values()))
    else:
        drawn: dict[tuple[str, ...], None] = {}  # a dict keeps the order, and each once
        while len(drawn) < NEW_SENTENCES:
            drawn[tuple(texts[rng.integers(len(texts))] for texts in options.values())] = None
        chosen = list(drawn)
    for texts in chosen:
        variant = list(sentence)
        for index, text in zip(options, texts, strict=True):
            variant[index] = (text, sentence[index][1])
        yield variant


def replacements(sentence: TaggedSentence) -> dict[int, list[str]]:
    """Return the possible replacements of each token that can change, by its index."""
    options = {}
    for label, start, end in stretches(label for _, label in sentence):
        numerals = [at for at in range(start, end) if parse_numeral(sentence[at][0]) is not None]
        if not numerals:
            continue
        last = numerals[-1]
        next_token = sentence[last + 1][0] if last + 1 < len(sentence) else ""
        is_minute = last > start and sentence[last - 1][0] == ":"
        if next_token not in ORDINAL_ENDINGS and next_token != ":":
            text = sentence[last][0]
            ranges = MINUTES if is_minute else plausible_ranges(label, text)
            texts = sorted(set(nearby_numbers(text, ranges)) - {text})
            if texts:
                options[last] = texts
    return options


def plausible_ranges(label: str, text: str) -> tuple[Range, ...]:
    """Return the ranges of a time or date; of any other numeral, all with as many digits."""
    if "time" in label:
        return HOURS
    if "date" in label:
        return DAYS
    digits = len(text.partition(".")[0].replace(",", ""))
    if digits > MOST_DIGITS:
        return ()
    lowest = 0 if text.startswith("0") else max(1, 10.0 ** (digits - 1))
    return (Range(lowest, 10.0**digits - 1),)

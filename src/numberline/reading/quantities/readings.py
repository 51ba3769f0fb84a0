"""A line and its tokens → readings: which characters are a quantity, of which kind and value."""

from __future__ import annotations

from collections.abc import Iterator

from numberline.reading.numerals import Line
from numberline.reading.quantities.classes import bits
from numberline.reading.quantities.forms import FORMS, shared
from numberline.reading.quantities.items import Item, items_of
from numberline.reading.quantities.lexicon import Lexicon
from numberline.reading.quantities.match import Match, match
from numberline.reading.quantities.modifiers import modifier_of
from numberline.reading.quantities.numbers import joined_numbers
from numberline.reading.quantities.reading import Reading
from numberline.reading.quantities.rules import rules
from numberline.reading.shapes import fold
from numberline.reading.tokens import Token

BEFORE, AFTER = 5, 9  # tokens around a number that are looked at
NO_QUANTITY = "none"  # kind of a word that only looks like a number
ANCHORS = bits("counting hundred dozen half fraction ordinal")


def readings_of(line: Line, tokens: list[Token], lexicon: Lexicon) -> Iterator[Reading]:
    """Yield the quantities of a line in their order; tokens are those without number words."""
    for first, last in segments(line, tokens, lexicon):
        yield from read_items(joined_numbers(items_of(line, tokens, first, last, lexicon)), lexicon)


def segments(line: Line, tokens: list[Token], lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Yield the ranges of tokens around numbers; ranges that touch are one."""
    first = last = -1
    for index, token in enumerate(tokens):
        if not is_anchor(line, token, lexicon):
            continue
        if last < 0:
            first = max(index - BEFORE, 0)
        elif index - BEFORE > last:
            yield first, last
            first = index - BEFORE
        last = min(index + AFTER, len(tokens))
    if last >= 0:
        yield first, last


def is_anchor(line: Line, token: Token, lexicon: Lexicon) -> bool:
    """Return whether a token is a numeral, a number word, a version or a fiscal year."""
    if token.value is not None:
        return True
    word = fold(token.text, lowercase=True)
    if (line.shape[token.start] == "0" or word[0] in "fv") and line.shape[token.end - 1] == "0":
        return True
    entry = lexicon.folded.get(word)
    return entry is not None and bool(entry.classes & ANCHORS)


def read_items(items: list[Item], lexicon: Lexicon) -> Iterator[Reading]:
    """Yield the quantities of items: at each item the first rule that fits."""
    index = free = 0
    kind = ""  # of the quantity that ends where the next item begins
    while index < len(items):
        found = read_at(items, index, kind, lexicon)
        if found is None:
            index, kind = index + 1, ""
            continue
        reading, (start, stop, _) = found
        if not reading.modifier:
            reading.modifier = modifier_of(items, start, stop, free)
        if reading.kind != NO_QUANTITY:
            yield reading
        index, free, kind = stop, stop, reading.kind


def read_at(
    items: list[Item], index: int, kind: str, lexicon: Lexicon
) -> tuple[Reading, Match] | None:
    """Return what the first rule reads that fits at an item, after a quantity of a kind."""
    for rule in rules():
        if rule.after and rule.after != kind:
            continue
        found = match(rule, items, index)
        if found is None:
            continue
        if rule.form == "shared":
            reading = shared(items[found.start : found.end], lexicon)
        else:
            reading = FORMS[rule.form](items[found.start : found.stop], lexicon)
        if reading is not None:
            reading.kind = reading.kind or rule.kind
            return reading, found
    return None

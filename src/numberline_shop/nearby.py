"""A message → the same message with every number replaced by a nearby one of the same form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random
from typing import NamedTuple

from numberline.tagging import Span
from numberline_shop.grammar import pick
from numberline_shop.message import Message
from numberline_shop.texts import tables

LARGEST_CHANGE = 0.1  # of the value; a single step is always allowed


class Range(NamedTuple):
    """The lowest and highest plausible value, and the step between neighbours."""

    low: float
    high: float
    step: float = 0.0  # 0 stands for 1 in the last decimal place


def _ranges(part: str) -> dict[str, list[Range]]:
    ranges: dict[str, list[Range]] = {}
    for label, *numbers in tables("ranges")[part]:
        ranges.setdefault(label, []).append(Range(*map(float, numbers)))
    return ranges


RANGES, LAST_PART = _ranges("whole quantities"), _ranges("last parts")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


def with_nearby_numbers(message: Message, random: Random, count: int) -> list[Message]:
    """Return up to `count` new messages; in each, every number that can move has moved."""
    options = [nearby_quantities(label, text) or [text] for label, text in message.quantities()]
    if prod(map(len, options)) <= count:
        chosen = list(product(*options))
    else:
        drawn: dict[tuple[str, ...], None] = {}  # a dict keeps the order, and each once
        while len(drawn) < count:
            drawn[tuple(pick(random, texts) for texts in options)] = None
        chosen = list(drawn)
    return [new for new in (_replaced(message, texts) for texts in chosen) if new != message]


def nearby_quantities(label: str, text: str) -> list[str]:
    """Return the quantity one or two steps lower or higher, as far as that is plausible."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers or label not in RANGES:
        return []
    number = numbers[-1]
    ranges = RANGES[label] if len(numbers) == 1 else LAST_PART[label]
    before, after = text[: number.start()], text[number.end() :]
    return [before + written + after for written in nearby_numbers(number[0], ranges)]


def nearby_numbers(number: str, ranges: Sequence[Range]) -> list[str]:
    """Return a written number one or two steps lower or higher, in the range that it lies in.

    It keeps its decimals, comma and leading zeros: 1,000 gives 1,001 and 1,002.
    """
    if not _NUMBER.fullmatch(number):
        return []
    value = float(number.replace(",", ""))
    around = next((r for r in ranges if r.low <= value <= r.high), None)
    if around is None:
        return []
    values = _steps_away(value, _decimals(number), around)
    return [text for new in values if (text := _written_like(number, new)) is not None]


def _steps_away(value: float, decimals: int, around: Range) -> list[float]:
    step = around.step or 10.0**-decimals
    farthest = max(step, LARGEST_CHANGE * value) + step / 100  # room for rounding errors
    moved = [value + step * steps for steps in (-2, -1, 1, 2) if abs(step * steps) <= farthest]
    return [new for new in moved if around.low <= round(new, decimals) <= around.high]


def _written_like(number: str, value: float) -> str | None:
    """Return the value in the form of a number, None if it cannot have that form."""
    decimals = _decimals(number)
    if "," in number:
        text = f"{value:,.{decimals}f}"
        return text if len(text) == len(number) else None
    text = f"{value:.{decimals}f}"
    return text.zfill(len(number)) if number.startswith("0") else text


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def _replaced(message: Message, texts: Sequence[str]) -> Message:
    """Return the message with other texts in its spans."""
    text, spans, end = "", [], 0
    for span, new in zip(message.spans, texts, strict=True):
        text += message.text[end : span.start]
        spans.append(Span(span.label, len(text), len(text) + len(new)))
        text, end = text + new, span.end
    return Message(text + message.text[end:], tuple(spans))

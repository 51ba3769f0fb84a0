"""A drafted text and its writer's habits → the text as sent; no character moves."""

from __future__ import annotations

import re
from random import Random

from numberline_shop.message import Message, Span
from numberline_shop.scene import Scene
from numberline_shop.trade import MONTHS
from numberline_shop.voice import NAMES

HASTE = 0.04  # share of careless messages with a slip of the finger
SHORTEST_SLIP = 5  # letters; slips in shorter words are noticed and corrected

_PROPER_NAMES = sorted({name for names in NAMES.values() for name in names} | set(MONTHS))
_CAPITAL = re.compile(rf"(?:^|(?<=[.?!] ))[a-z]|\bi\b|\b(?:{'|'.join(_PROPER_NAMES)})\b")
_LONG_WORD = re.compile(rf"[a-z]{{{SHORTEST_SLIP},}}")


def finished(scene: Scene) -> Message:
    """The message with capitals and a full stop, or without, as its writer writes."""
    text, random = "".join(scene.pieces), scene.random
    if scene.habits.careful:
        text = _CAPITAL.sub(lambda found: found[0].capitalize(), text)
        if text[-1].isalnum():
            text += "."
    else:
        text = _careless_end(text, random)
        if random.random() < HASTE:
            text = with_slip(text, scene.spans, random)
    return Message(text, tuple(scene.spans))


def _careless_end(text: str, random: Random) -> str:
    draw = random.random()
    if text[-1] in "?." and draw < 0.4:
        return text[:-1]
    if text[-1] == "?" and draw > 0.93:
        return text + "?" * (1 + (draw > 0.97))
    return text


def with_slip(text: str, spans: list[Span], random: Random) -> str:
    """Two letters of one long word change places; labelled spans stay as they are."""
    words = [
        found
        for found in _LONG_WORD.finditer(text)
        if all(found.end() <= start or end <= found.start() for _, start, end in spans)
    ]
    if not words:
        return text
    word = words[int(random.random() * len(words))]
    at = word.start() + 1 + int(random.random() * (len(word[0]) - 2))
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]

"""A drafted message and its writer's habits → the message as sent; no character moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from numberline.tagging import Span
from numberline_shop.grammar import pick
from numberline_shop.message import Message
from numberline_shop.scene import Scene
from numberline_shop.texts import words
from numberline_shop.trade_quantities import MONTHS

SLIP_PROBABILITY = 0.04  # of a typing error in a careless message
SHORTEST_SLIP = 5  # letters; slips in shorter words are noticed and corrected

_NAMES = {name for kind, names in words("people").items() if "names" in kind for name in names}
_CAPITAL = re.compile(
    rf"(?:^|(?<=[.?!] ))[a-z]|\bi\b|\b(?:{'|'.join(sorted(_NAMES.union(MONTHS)))})\b"
)
_LONG_WORD = re.compile(rf"[a-z]{{{SHORTEST_SLIP},}}")


def finished(scene: Scene) -> Message:
    """Return the message with capitals and a full stop, or without, as its writer writes."""
    text, random = "".join(scene.pieces), scene.random
    if scene.habits.careful:
        text = _CAPITAL.sub(lambda match: match[0].capitalize(), text)
        if text[-1].isalnum():
            text += "."
    else:
        text = _careless_end(text, random)
        if random.random() < SLIP_PROBABILITY:
            text = with_slip(text, scene.spans, random)
    return Message(text, tuple(scene.spans))


def _careless_end(text: str, random: Random) -> str:
    draw = random.random()
    if text[-1] in "?." and draw < 0.4:
        return text[:-1]
    if text[-1] == "?" and draw > 0.93:
        return text + "?" * (1 + (draw > 0.97))
    return text


def with_slip(text: str, spans: Sequence[Span], random: Random) -> str:
    """Swap two letters of one long word; labelled spans stay as they are."""
    unlabelled = [
        word
        for word in _LONG_WORD.finditer(text)
        if all(word.end() <= start or end <= word.start() for _, start, end in spans)
    ]
    if not unlabelled:
        return text
    word = pick(random, unlabelled)
    at = word.start() + 1 + int(random.random() * (len(word[0]) - 2))
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]

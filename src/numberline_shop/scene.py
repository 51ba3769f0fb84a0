"""A topic and random numbers → who writes, about whom, about what, and with which habits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import NamedTuple, TypeVar

from numberline.tagging import Span
from numberline_shop.grammar import pick
from numberline_shop.people import Person
from numberline_shop.sizes import Sizes, sizes_of
from numberline_shop.texts import words
from numberline_shop.voice import Voice, voice_of

T = TypeVar("T")


class Habits(NamedTuple):
    """How one person writes numbers and sentences."""

    system: str  # metric, us or uk
    bare: bool  # leaves out units and currencies
    careful: bool  # capitals and full stops
    shouts_sizes: bool  # XL, not xl


@dataclass(slots=True)
class Scene:
    """The situation in which a message is written, and what has been written of it so far."""

    random: Random
    person: Person
    voice: Voice
    habits: Habits
    article: str
    price: float  # what the article costs in this message
    color: str
    month: int  # 0 is January
    day: int  # moves on with every date of the message
    is_introduced: bool = False  # the person has been named in this message
    pieces: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    length: int = 0
    _sizes: Sizes | None = None

    @property
    def sizes(self) -> Sizes:
        """The person's sizes, the same throughout the message."""
        if self._sizes is None:
            self._sizes = sizes_of(self.person, self.habits.system, self.random)
        return self._sizes

    def say(self, text: str) -> None:
        """Append plain text."""
        self.pieces.append(text)
        self.length += len(text)

    def tell(self, label: str, text: str) -> None:
        """Append a quantity or a letter size under its label."""
        self.spans.append(Span(label, self.length, self.length + len(text)))
        self.say(text)

    def chance(self, probability: float) -> bool:
        """Return True with that probability."""
        return self.random.random() < probability

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options, all equally likely."""
        return pick(self.random, options)

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return low + int(self.random.random() * (high - low + 1))


def scene_for(
    random: Random, person: Person, goods: str, agent: bool, bare_probability: float
) -> Scene:
    """Draw a scene about one person and one article, written by an agent or a customer."""
    habits = _habits(random, agent, bare_probability)
    article, _, usual_price = pick(random, words("goods")[goods]).rpartition(" ")
    return Scene(
        random=random,
        person=person,
        voice=voice_of(person, random, agent, habits.careful),
        habits=habits,
        article=article,
        color=pick(random, words("goods")["colors"]),
        price=float(usual_price) * exp(0.8 * (random.random() + random.random() - 1)),
        month=int(random.random() * 12),
        day=int(random.random() * 24),
    )


def _habits(random: Random, agent: bool, bare_probability: float) -> Habits:
    draw = random.random()
    careful = agent or random.random() < 0.4
    return Habits(
        system="metric" if draw < 0.78 else "us" if draw < 0.92 else "uk",
        careful=careful,
        bare=random.random() < (bare_probability / 2 if agent else bare_probability),
        shouts_sizes=random.random() < (0.9 if careful else 0.4),
    )

"""A topic and random numbers → who writes, about whom, about what, and with which habits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from random import Random
from typing import NamedTuple, TypeVar

from numberline_shop.bodies import Person
from numberline_shop.goods import COLORS, GOODS, Article
from numberline_shop.message import Draft
from numberline_shop.sizes import Sizes, sizes_of
from numberline_shop.voice import Voice, voice_of

T = TypeVar("T")


class Habits(NamedTuple):
    """How one person writes numbers and sentences."""

    system: str  # metric, us or uk
    bare: bool  # leaves out units and currencies
    careful: bool  # capitals and full stops
    shouts_sizes: bool  # XL, not xl
    currency: str


@dataclass(slots=True, kw_only=True)
class Scene(Draft):
    """The situation in which one message is written, and the message itself."""

    random: Random
    person: Person
    voice: Voice
    habits: Habits
    article: Article
    color: str
    price: float  # what the article costs in this message
    month: int  # 0 is january
    day: int  # moves on with every date of the message
    introduced: bool = False  # the person has been named in this message
    _sizes: Sizes | None = field(default=None)

    @property
    def sizes(self) -> Sizes:
        """The person's sizes, the same throughout the message."""
        if self._sizes is None:
            self._sizes = sizes_of(self.person, self.random)
        return self._sizes

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return self.random.random() < probability

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, all equally likely."""
        return options[int(self.random.random() * len(options))]

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self.random.random() * (high - low + 1))


def scene_for(random: Random, person: Person, goods: str, agent: bool, bare_share: float) -> Scene:
    """A scene about one person and one article."""
    habits = _habits(random, agent, bare_share)
    articles = GOODS[goods]
    article = articles[int(random.random() * len(articles))]
    return Scene(
        random=random,
        person=person,
        voice=voice_of(person, random, agent, habits.careful),
        habits=habits,
        article=article,
        color=COLORS[int(random.random() * len(COLORS))],
        price=article.usual_price * exp(0.8 * (random.random() + random.random() - 1)),
        month=int(random.random() * 12),
        day=int(random.random() * 24),
    )


def _habits(random: Random, agent: bool, bare_share: float) -> Habits:
    draw = random.random()
    system = "metric" if draw < 0.78 else "us" if draw < 0.92 else "uk"
    careful = agent or random.random() < 0.4
    return Habits(
        system=system,
        bare=random.random() < (bare_share / 2 if agent else bare_share),
        careful=careful,
        shouts_sizes=random.random() < (0.9 if careful else 0.4),
        currency={"metric": "€", "us": "$", "uk": "£"}[system],
    )

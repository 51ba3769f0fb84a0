"""A seed → the chat of an apparel shop as an endless stream of messages."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from random import Random
from typing import NamedTuple

from numberline_shop.bodies import Person, adults
from numberline_shop.grammar import Grammar
from numberline_shop.growth import child
from numberline_shop.message import Message
from numberline_shop.phrases import RULES
from numberline_shop.polish import finished
from numberline_shop.quantities import BODY_QUANTITIES
from numberline_shop.scene import Scene, scene_for
from numberline_shop.topics import TOPICS, Cast, Topic
from numberline_shop.trade import TRADE_QUANTITIES
from numberline_shop.voice import WORDS

BARE_IN_CHAT = 0.42  # share of customers who leave out units
BARE_IN_SHORT_CHAT = 0.60
OTHER_PEOPLE = 1_000_000  # added to the seed: tagged sentences are not by those of the chat


class Manners(NamedTuple):
    """Shares of the messages that have more than their matter."""

    greets: float
    leads_in: float
    goes_on: float
    closes: float


CHATTY = Manners(greets=0.30, leads_in=0.10, goes_on=0.22, closes=0.22)
CURT = Manners(greets=0.28, leads_in=0.07, goes_on=0.0, closes=0.22)


def chat(seed: int) -> Iterator[Message]:
    """Messages of customers and agents without end, the same for the same seed."""
    shares = [topic.chat_share for topic in TOPICS]
    for topic, scene in _scenes(seed, shares, BARE_IN_CHAT):
        _converse(topic, scene, CHATTY)
        yield finished(scene)


def short_chat(seed: int) -> Iterator[Message]:
    """Messages of one clause or two, mostly without units: hard to label."""
    shares = [topic.tagged_share for topic in TOPICS]
    for topic, scene in _scenes(seed + OTHER_PEOPLE, shares, BARE_IN_SHORT_CHAT):
        _converse(topic, scene, CURT)
        yield finished(scene)


def _scenes(seed: int, shares: list[int], bare_share: float) -> Iterator[tuple[Topic, Scene]]:
    random = Random(seed)
    customers = adults(seed)
    limits = list(accumulate(shares))
    while True:
        topic = TOPICS[bisect(limits, random.random() * limits[-1])]
        person = _cast(topic.cast, customers, random)
        yield topic, scene_for(random, person, topic.goods, topic.agent, bare_share)


def _cast(cast: Cast, customers: Iterator[Person], random: Random) -> Person:
    if cast == "child":
        return child(random)
    # Women and men alternate in the stream, which must not tie them to alternate topics.
    wanted = ("woman", "man")[random.random() < 0.5] if cast == "adult" else cast
    return next(person for person in customers if person.kind == wanted)


def _converse(topic: Topic, scene: Scene, manners: Manners) -> None:
    """Greeting, matter, perhaps another matter, and a last word."""
    grammar = _grammar()
    if scene.chance(manners.greets):
        grammar.write("hello-agent" if topic.agent else "open", scene)
    # A lead-in announces a question; plain talk is as often a mere remark.
    if not topic.agent and topic.rule != "plain" and scene.chance(manners.leads_in):
        grammar.write("lead", scene)
        _pause(scene)
    grammar.write(topic.rule, scene)
    if scene.chance(manners.goes_on):
        _pause(scene)
        grammar.write("go-on-agent" if topic.agent else "go-on", scene)
    if scene.chance(manners.closes):
        _pause(scene)
        grammar.write("bye-agent" if topic.agent else "close", scene)


def _pause(scene: Scene) -> None:
    """What stands between two clauses: nothing after a mark, else a comma or a full stop."""
    if scene.last_character() in ".?!":
        scene.say(" ")
    else:
        scene.say(". " if scene.habits.careful else scene.pick((", ", ". ", " ", " - ", "... ")))


@cache
def _grammar() -> Grammar:
    return Grammar(RULES, WORDS, {**BODY_QUANTITIES, **TRADE_QUANTITIES})

"""A seed → the chat of an apparel shop as an endless stream of messages, or as a file."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from numberline.files import replace_file
from numberline_shop.body_quantities import BODY_QUANTITIES
from numberline_shop.grammar import Grammar
from numberline_shop.message import Message
from numberline_shop.people import Person, adults, child
from numberline_shop.polish import finished
from numberline_shop.scene import Scene, scene_for
from numberline_shop.settings import ShopSettings
from numberline_shop.texts import phrases, tables
from numberline_shop.trade_quantities import TRADE_QUANTITIES
from numberline_shop.voice import WORDS


class Topic(NamedTuple):
    """A subject of messages, and how often it comes up."""

    rule: str  # of the grammar
    cast: str  # whom it is about
    goods: str
    chat_weight: int  # how often it comes up in the chat
    tagged_weight: int  # how often it comes up in the tagged sentences
    agent: bool


TOPICS = [
    Topic(rule, cast, goods, int(chat_weight), int(tagged_weight), agent=writers == "agents")
    for writers, rows in tables("topics").items()
    for rule, cast, goods, chat_weight, tagged_weight in rows
]
SHORT_CHAT_SEED = 1_000_000  # added to the seed: people of tagged sentences are not in the chat


class Style(NamedTuple):
    """Probabilities of the optional parts of a message, and of leaving out units."""

    greeting: float
    lead_in: float
    second_matter: float
    closing: float
    bare: float


CHATTY = Style(greeting=0.30, lead_in=0.10, second_matter=0.22, closing=0.22, bare=0.42)
CURT = Style(greeting=0.28, lead_in=0.07, second_matter=0.0, closing=0.22, bare=0.60)


def chat(seed: int = ShopSettings.seed) -> Iterator[Message]:
    """Yield messages of customers and agents without end, the same for the same seed."""
    return _messages(seed, [topic.chat_weight for topic in TOPICS], CHATTY)


def short_chat(seed: int) -> Iterator[Message]:
    """Yield messages of one clause or two, mostly without units: they are hard to label."""
    return _messages(seed + SHORT_CHAT_SEED, [topic.tagged_weight for topic in TOPICS], CURT)


def write_corpus(
    path: str | Path, sentences: int = ShopSettings.sentences, seed: int = ShopSettings.seed
) -> None:
    """Write the first messages of the chat as UTF-8 text, one per line."""
    with replace_file(Path(path), overwrite=True) as file:
        file.writelines(f"{message.text}\n".encode() for message in islice(chat(seed), sentences))


def _messages(seed: int, topic_weights: list[int], style: Style) -> Iterator[Message]:
    random = Random(seed)
    customers = adults(seed)
    limits = list(accumulate(topic_weights))
    while True:
        topic = TOPICS[bisect(limits, random.random() * limits[-1])]
        person = _someone(topic.cast, customers, random)
        scene = scene_for(random, person, topic.goods, topic.agent, style.bare)
        _write(topic, scene, style)
        yield finished(scene)


def _someone(cast: str, customers: Iterator[Person], random: Random) -> Person:
    if cast == "child":
        return child(random)
    # Women and men alternate in the stream, which must not tie them to alternate topics.
    wanted = ("woman", "man")[random.random() < 0.5] if cast == "adult" else cast
    return next(person for person in customers if person.kind == wanted)


def _write(topic: Topic, scene: Scene, style: Style) -> None:
    """Write a greeting, the matter, perhaps a second matter, and a last word."""
    grammar, writer = _grammar(), "agent" if topic.agent else "customer"
    if scene.chance(style.greeting):
        grammar.write(f"{writer}-greeting", scene)
        scene.say(" ")
    # A lead-in announces a question; plain talk is as often a mere remark.
    if not topic.agent and topic.rule != "plain" and scene.chance(style.lead_in):
        grammar.write("lead-in", scene)
        _pause(scene)
    grammar.write(topic.rule, scene)
    if scene.chance(style.second_matter):
        _pause(scene)
        grammar.write(f"{writer}-second-matter", scene)
    if scene.chance(style.closing):
        _pause(scene)
        grammar.write(f"{writer}-closing", scene)


def _pause(scene: Scene) -> None:
    """Write what stands between two clauses: nothing after a mark, else a comma or a full stop."""
    if scene.pieces[-1][-1:] in ".?!":
        scene.say(" ")
    else:
        scene.say(". " if scene.habits.careful else scene.pick((", ", ". ", " ", " - ", "... ")))


@cache
def _grammar() -> Grammar:
    return Grammar(phrases(), {**WORDS, **BODY_QUANTITIES, **TRADE_QUANTITIES})

"""Who speaks and about whom → pronouns, nouns and verb forms for the templates.

Templates are written as if customers spoke of themselves (``<i'm> {height}, can <i> wear
{letter}?``). For someone else the first mention is a noun (my son, jeff), the next a pronoun.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from numberline_shop.grammar import pick
from numberline_shop.people import Person
from numberline_shop.texts import words

if TYPE_CHECKING:
    from numberline_shop.scene import Scene

SELF_PROBABILITY = 0.62  # of asking for oneself
NAME_PROBABILITY = 0.35  # of using a name for someone else
PLURALS = {"woman": "women", "man": "men", "girl": "girls", "boy": "boys"}


class Forms(NamedTuple):
    """One way of referring to a person: i, i'm, my, me."""

    subject: str
    being: str
    possessive: str
    object: str


class Voice(NamedTuple):
    """How the speaker refers to the person at first and from then on."""

    first: Forms
    later: Forms
    third: bool  # verbs take an s


SELF = Forms("i", "i'm", "my", "me")
ADDRESSED = Forms("you", "you're", "your", "you")
HE = Forms("he", "he's", "his", "him")
SHE = Forms("she", "she's", "her", "her")

REGULAR_VERBS = ("wear", "take", "need", "like", "weigh", "measure")
THIRD_PERSON = {verb: verb + "s" for verb in REGULAR_VERBS} | {
    "have": "has",
    "do": "does",
    "am": "is",
}


def voice_of(person: Person, random: Random, agent: bool, careful: bool) -> Voice:
    """Draw the voice of a customer, or of the shop's agent, about this person."""
    if random.random() < (0.0 if person.is_child else SELF_PROBABILITY):
        forms = ADDRESSED if agent else _self_forms(random, careful)
        return Voice(forms, forms, third=False)
    if random.random() < NAME_PROBABILITY:
        noun = pick(random, words("people")[f"names of {PLURALS[person.kind]}"])
    else:
        relation = pick(random, words("people")[f"relations of {PLURALS[person.kind]}"])
        noun = f"{'your' if agent else 'my'} {relation}"
    pronouns = SHE if person.is_female else HE
    return Voice(Forms(noun, noun + " is", noun + "'s", noun), pronouns, third=True)


def _self_forms(random: Random, careful: bool) -> Forms:
    draw = random.random()
    if draw < 0.2:
        return SELF._replace(being="i am")
    return SELF if careful or draw < 0.75 else SELF._replace(being="im")


def _reference(form: str) -> Callable[[Scene], None]:
    def write(scene: Scene) -> None:
        forms = scene.voice.later if scene.is_introduced else scene.voice.first
        scene.is_introduced = True
        scene.say(getattr(forms, form))

    return write


def _verb(base: str, third: str) -> Callable[[Scene], None]:
    def write(scene: Scene) -> None:
        if base == "am" and not scene.voice.third:
            scene.say("am" if scene.voice.first.subject == "i" else "are")
        else:
            scene.say(third if scene.voice.third else base)

    return write


def _spelling(proper: str, *hasty: str) -> Callable[[Scene], None]:
    def write(scene: Scene) -> None:
        scene.say(proper if scene.habits.careful or scene.chance(0.6) else scene.pick(hasty))

    return write


WORDS: dict[str, Callable[[Scene], None]] = {
    "<i>": _reference("subject"),
    "<i'm>": _reference("being"),
    "<my>": _reference("possessive"),
    "<me>": _reference("object"),
    "<please>": _spelling("please", "pls", "plz", "please"),
    "<u>": _spelling("you", "u", "you", "you"),
    "<item>": lambda scene: scene.say(scene.article),
    "<color>": lambda scene: scene.say(scene.color),
    **{f"<{base}>": _verb(base, third) for base, third in THIRD_PERSON.items()},
}

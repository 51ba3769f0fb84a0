"""Who speaks and about whom → pronouns, nouns and verb forms for the templates.

Templates are written as if customers spoke of themselves (``<i'm> {height}, can <i> wear
{letter}?``). For someone else the first mention is a noun (my son, jeff), the next a pronoun.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from numberline_shop.bodies import Kind, Person

if TYPE_CHECKING:
    from numberline_shop.scene import Scene

NAMES: dict[Kind, tuple[str, ...]] = {
    "man": (
        "jeff", "tom", "daniel", "mark", "ben", "omar", "lukas", "paul", "steve", "kevin",
        "raj", "marco", "chris", "adam", "peter", "david",
    ),
    "woman": (
        "anna", "maria", "lisa", "sarah", "emma", "nina", "priya", "julia", "kate", "laura",
        "sofia", "helen", "amy", "rachel", "ingrid", "chloe",
    ),
    "boy": ("leo", "max", "jeff", "noah", "sam", "tim", "finn", "oscar", "ali", "jonas"),
    "girl": ("mia", "lily", "ella", "zoe", "ida", "nora", "ruby", "alice", "maya", "clara"),
}  # fmt: skip

RELATIONS: dict[Kind, tuple[str, ...]] = {
    "man": ("husband", "boyfriend", "dad", "brother", "partner", "friend", "father", "son"),
    "woman": ("wife", "girlfriend", "mum", "sister", "mom", "partner", "friend", "daughter"),
    "boy": ("son", "son", "boy", "nephew", "grandson", "little one", "kid", "brother"),
    "girl": ("daughter", "daughter", "girl", "niece", "granddaughter", "little one", "kid"),
}

SHARE_OF_SELF = 0.62  # customers who ask for themselves
SHARE_OF_NAMES = 0.35  # of those who ask for someone else, the share who use a name


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
SELF_HASTY = Forms("i", "im", "my", "me")
SELF_FULL = Forms("i", "i am", "my", "me")
ADDRESSED = Forms("you", "you're", "your", "you")
PRONOUNS = {
    True: Forms("he", "he's", "his", "him"),
    False: Forms("she", "she's", "her", "her"),
}

VERBS = {
    "wear": "wears",
    "take": "takes",
    "need": "needs",
    "like": "likes",
    "weigh": "weighs",
    "measure": "measures",
    "have": "has",
    "do": "does",
    "am": "is",
}


def voice_of(person: Person, random: Random, agent: bool, careful: bool) -> Voice:
    """The voice of a customer, or of the shop's agent, about this person."""
    speaks_of_self = 0.0 if person.age < 13 else SHARE_OF_SELF  # parents write for children
    if random.random() < speaks_of_self:
        forms = ADDRESSED if agent else _self_forms(random, careful)
        return Voice(forms, forms, third=False)
    pronouns = PRONOUNS[person.kind in ("man", "boy")]
    if random.random() < SHARE_OF_NAMES:
        noun = _pick(random, NAMES[person.kind])
    else:
        noun = ("your " if agent else "my ") + _pick(random, RELATIONS[person.kind])
    return Voice(Forms(noun, noun + " is", noun + "'s", noun), pronouns, third=True)


def _self_forms(random: Random, careful: bool) -> Forms:
    draw = random.random()
    if draw < 0.2:
        return SELF_FULL
    return SELF if careful or draw < 0.75 else SELF_HASTY


def _pick(random: Random, options: tuple[str, ...]) -> str:
    return options[int(random.random() * len(options))]


def _reference(position: int) -> Callable[[Scene], None]:
    def write(scene: Scene) -> None:
        forms = scene.voice.later if scene.introduced else scene.voice.first
        scene.introduced = True
        scene.say(forms[position])

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
    "i": _reference(0),
    "i'm": _reference(1),
    "my": _reference(2),
    "me": _reference(3),
    "please": _spelling("please", "pls", "plz", "please"),
    "u": _spelling("you", "u", "you", "you"),
    "item": lambda scene: scene.say(scene.article.name),
    "color": lambda scene: scene.say(scene.color),
    **{base: _verb(base, third) for base, third in VERBS.items()},
}

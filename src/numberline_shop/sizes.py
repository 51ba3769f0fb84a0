"""Body measures and a taste for tight or loose clothes → the sizes that a person buys."""

from __future__ import annotations

from math import ceil
from random import Random
from typing import NamedTuple

from numberline_shop.people import Person

LETTERS = ("xs", "s", "m", "l", "xl", "xxl", "xxxl")
INCH = 2.54
FIRST_EVEN_WAIST = 34  # inches; from here on most makers sew even waists only


class Sizes(NamedTuple):
    """The sizes that one person buys, in one system of sizes."""

    letter: int  # index into LETTERS
    clothing: int
    child: int
    jeans_waist: int
    jeans_length: int
    shoe: float

    def next_larger(self) -> Sizes:
        """Return the sizes one step larger; of the largest letter, one step smaller."""
        return Sizes(
            letter=self.letter + 1 if self.letter + 1 < len(LETTERS) else self.letter - 1,
            clothing=self.clothing + 2,
            child=self.child + 6,
            jeans_waist=self.jeans_waist + (2 if self.jeans_waist >= FIRST_EVEN_WAIST else 1),
            jeans_length=self.jeans_length + 2,
            shoe=self.shoe + 1,
        )


def sizes_of(person: Person, system: str, random: Random) -> Sizes:
    """Return the sizes of the shop's charts, shifted by how loose the person likes clothes.

    `system` is that of clothes and shoes: metric (European), us or uk.
    """
    # Mean 0, deviation about 0.4: most take the chart's size, one in five the next one.
    looseness = random.random() + random.random() - 1
    shoe = _shoe(person, system, looseness)
    return Sizes(
        letter=letter_index(person.height, person.weight, looseness),
        clothing=_clothing(person, system, looseness),
        child=_next_child_size(person.height + 3 * looseness),
        jeans_waist=_jeans_waist(person),
        jeans_length=max(26, min(36, 2 * round((person.inseam - 4) / INCH / 2))),
        shoe=ceil(shoe) if random.random() < 0.5 else shoe,  # half of the people take no half sizes
    )


def letter_index(height: float, weight: float, looseness: float) -> int:
    """Return an index into LETTERS: M for 170 cm and 75 kg, one size more for 16 cm or 18 kg more.

    The charts of most web shops follow height and weight like this.
    """
    exact = 2 + (height - 170) / 16 + (weight - 75) / 18 + 0.8 * looseness
    return max(0, min(len(LETTERS) - 1, round(exact)))


def shoe_eu(foot: float) -> float:
    """Return the Paris point size: 2/3 cm each, with 1.5 cm of room; half sizes."""
    return round(2 * 1.5 * (foot + 1.5)) / 2


def shoe_uk(foot: float) -> float:
    """Return the British adult size: a third of an inch each; half sizes."""
    return round(2 * (3 * foot / INCH - 23)) / 2


def shoe_us(foot: float, woman: bool) -> float:
    """Return the American adult size, one above the British for men and two for women."""
    return shoe_uk(foot) + (2 if woman else 1)


def _shoe(person: Person, system: str, looseness: float) -> float:
    if system == "metric" or person.is_child:
        return shoe_eu(person.foot + 0.3 * looseness)
    return shoe_us(person.foot, person.is_female) if system == "us" else shoe_uk(person.foot)


def _clothing(person: Person, system: str, looseness: float) -> int:
    """Return an even number: half the chest for men, a chart of bust and hip for women.

    American and British men's sizes are the chest in inches.
    """
    if person.kind == "man":
        exact = person.chest / 2
    else:
        exact = 36 + ((person.chest - 88) + (person.hip - 97)) / 4
    european = max(32, min(68, 2 * round((exact + looseness) / 2)))
    if system == "metric":
        return european
    if person.kind != "woman":
        return european - 10
    return european - (30 if system == "us" else 28)


def _jeans_waist(person: Person) -> int:
    """Return the inches on the label, which flatters."""
    inches = max(22, min(44, round(person.waist / INCH - (4 if person.is_female else 2))))
    return inches if inches < FIRST_EVEN_WAIST else 2 * (inches // 2)


def _next_child_size(height: float) -> int:
    """Return the smallest of 86, 92, 98, … that is not below the height: children need room."""
    return max(86, 86 - 6 * int((86 - height) // 6))

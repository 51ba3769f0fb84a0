"""Body measures and a taste for tight or loose clothes → the sizes that a person buys."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from numberline_shop.people import Person

LETTERS = ("xs", "s", "m", "l", "xl", "xxl", "xxxl")
INCH = 2.54
FIRST_EVEN_WAIST = 34  # inches; from here on most makers sew even waists only


class Sizes(NamedTuple):
    """What one person buys; numeric clothing and shoe sizes are European."""

    letter: int  # index into LETTERS
    clothing: int
    child: int
    jeans_waist: int
    jeans_length: int
    shoe: float
    whole_shoes: bool  # rounds half sizes up

    def letter_name(self, steps: int = 0) -> str:
        """Return the letter size, or the one `steps` larger; off the chart, the one smaller."""
        index = self.letter + steps
        return LETTERS[index if 0 <= index < len(LETTERS) else self.letter - steps]


def sizes_of(person: Person, random: Random) -> Sizes:
    """Return the sizes of the shop's charts, moved by how that person likes clothes to sit."""
    # Mean 0, deviation about 0.4: most take the chart's size, one in five the next one.
    looseness = random.random() + random.random() - 1
    return Sizes(
        letter=letter_index(person.height, person.weight, looseness),
        clothing=_clothing(person, looseness),
        child=_next_child_size(person.height + 3 * looseness),
        jeans_waist=_jeans_waist(person),
        jeans_length=max(26, min(36, 2 * round((person.inseam - 4) / INCH / 2))),
        shoe=shoe_eu(person.foot + 0.3 * looseness),
        whole_shoes=random.random() < 0.5,
    )


def letter_index(height: float, weight: float, looseness: float) -> int:
    """Return an index into LETTERS: 170 cm and 75 kg are an M, 16 cm or 18 kg more one size more.

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


def clothing_us(person: Person, european: int) -> int:
    """Return a woman's dress size, or a man's jacket size (his chest in inches)."""
    return max(0, european - 30) if person.kind == "woman" else european - 10


def clothing_uk(person: Person, european: int) -> int:
    """Return the British size: as the American one, but women's sizes start elsewhere."""
    return max(4, european - 28) if person.kind == "woman" else european - 10


def _clothing(person: Person, looseness: float) -> int:
    """Return an even number: half the chest for men, a chart of bust and hip for women."""
    if person.kind == "man":
        exact = person.chest / 2
    else:
        exact = 36 + ((person.chest - 88) + (person.hip - 97)) / 4
    return max(32, min(68, 2 * round((exact + looseness) / 2)))


def _jeans_waist(person: Person) -> int:
    """Return the inches on the label, which flatters."""
    inches = max(22, min(44, round(person.waist / INCH - (4 if person.is_female else 2))))
    return inches if inches < FIRST_EVEN_WAIST else 2 * (inches // 2)


def _next_child_size(height: float) -> int:
    """Return the smallest of 86, 92, 98, … that is not below the height: children need room."""
    return max(86, 86 - 6 * int((86 - height) // 6))

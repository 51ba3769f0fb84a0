"""Body measures and a taste for tight or loose → the sizes that person buys."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from numberline_shop.bodies import Person

LETTERS = ("xs", "s", "m", "l", "xl", "xxl", "xxxl")
INCH = 2.54
EVEN_JEANS = 34  # inches; from here on most makers sew even waists only


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
        """The letter size, or the one so many steps larger; off the chart, the step goes back."""
        beside = self.letter + steps
        return LETTERS[beside if 0 <= beside < len(LETTERS) else self.letter - steps]


def sizes_of(person: Person, random: Random) -> Sizes:
    """The sizes from the shop's charts, moved by how that person likes clothes to sit."""
    # Mean 0, deviation about 0.4: most take the chart's size, one in five the next one.
    looseness = random.random() + random.random() - 1
    return Sizes(
        letter=letter_index(person.stature, person.weight, looseness),
        clothing=_clothing(person, looseness),
        child=_next_on_grid(person.stature + 3 * looseness, start=86, step=6),
        jeans_waist=_jeans_waist(person),
        jeans_length=max(26, min(36, 2 * round((person.inseam - 4) / INCH / 2))),
        shoe=shoe_eu(person.foot + 0.3 * looseness),
        whole_shoes=random.random() < 0.5,
    )


def letter_index(stature: float, weight: float, looseness: float) -> int:
    """Letter sizes follow height and weight, as in the charts of most web shops.

    170 cm and 75 kg make an M; 16 cm or 18 kg more make one size more.
    """
    exact = 2 + (stature - 170) / 16 + (weight - 75) / 18 + 0.8 * looseness
    return max(0, min(len(LETTERS) - 1, round(exact)))


def shoe_eu(foot: float) -> float:
    """European (Paris point) size: two thirds of a centimetre each, 1.5 cm of room; half sizes."""
    return round(2 * 1.5 * (foot + 1.5)) / 2


def shoe_uk(foot: float) -> float:
    """British adult size: a third of an inch each; half sizes."""
    return round(2 * (3 * foot / INCH - 23)) / 2


def shoe_us(foot: float, woman: bool) -> float:
    """American adult size, one above the British for men and two for women."""
    return shoe_uk(foot) + (2 if woman else 1)


def clothing_us(person: Person, european: int) -> int:
    """Women's dress size, or a man's jacket size (his chest in inches)."""
    return max(0, european - 30) if person.kind == "woman" else european - 10


def clothing_uk(person: Person, european: int) -> int:
    """As the American one, but women's sizes are counted from another start."""
    return max(4, european - 28) if person.kind == "woman" else european - 10


def _clothing(person: Person, looseness: float) -> int:
    """Even numbers: half the chest for men, a chart of bust and hip for women."""
    if person.kind == "man":
        exact = person.chest / 2
    else:
        exact = 36 + ((person.chest - 88) + (person.hip - 97)) / 4
    return max(32, min(68, 2 * round((exact + looseness) / 2)))


def _jeans_waist(person: Person) -> int:
    """Inches on the label, which flatters."""
    flattery = 4 if person.kind in ("woman", "girl") else 2
    inches = max(22, min(44, round(person.waist / INCH - flattery)))
    return inches if inches < EVEN_JEANS else 2 * (inches // 2)


def _next_on_grid(value: float, start: int, step: int) -> int:
    """The smallest grid point not below the value: children's sizes leave room to grow."""
    return max(start, start - step * int((start - value) // step))

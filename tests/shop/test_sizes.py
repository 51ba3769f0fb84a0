"""Sizes follow the body: published charts at well-known points, and order in between."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from numberline_shop.bodies import adults
from numberline_shop.growth import child

from numberline_shop.sizes import (
    LETTERS,
    clothing_us,
    letter_index,
    shoe_eu,
    shoe_uk,
    shoe_us,
    sizes_of,
)


@pytest.mark.parametrize(
    ("stature", "weight", "letter"),
    [(150, 48, "xs"), (160, 60, "s"), (170, 75, "m"), (178, 82, "l"), (190, 100, "xxl")],
)
def test_letter_sizes_follow_height_and_weight(stature: int, weight: int, letter: str) -> None:
    assert LETTERS[letter_index(stature, weight, looseness=0.0)] == letter


def test_a_taste_for_loose_clothes_makes_letters_larger() -> None:
    assert letter_index(173, 78, looseness=0.9) == letter_index(173, 78, looseness=-0.5) + 1


@pytest.mark.parametrize(("foot", "eu", "uk", "us"), [(24.5, 39, 6, 7), (27.0, 42.5, 9, 10)])
def test_shoe_sizes_are_those_of_the_usual_charts(
    foot: float, eu: float, uk: float, us: float
) -> None:
    assert shoe_eu(foot) == pytest.approx(eu, abs=0.5)
    assert shoe_uk(foot) == pytest.approx(uk, abs=0.5)
    assert shoe_us(foot, woman=False) == pytest.approx(us, abs=0.5)
    assert shoe_us(foot, woman=True) == shoe_us(foot, woman=False) + 1


def test_sizes_stay_on_their_charts() -> None:
    random = Random(2)
    for person in islice(adults(2), 4000):
        sizes = sizes_of(person, random)
        assert sizes.letter_name() in LETTERS
        assert sizes.clothing % 2 == 0
        assert person.kind == "woman" or abs(sizes.clothing - person.chest / 2) <= 2
        assert clothing_us(person, sizes.clothing) >= 0
        assert sizes.jeans_length in range(26, 37, 2)
        assert 22 <= sizes.jeans_waist <= 44
        assert 2 * sizes.shoe == int(2 * sizes.shoe)
        assert 32 <= sizes.shoe <= 52


def test_children_take_the_next_size_on_the_grid_of_six() -> None:
    random = Random(3)
    for _ in range(2000):
        person = child(random)
        size = sizes_of(person, random).child
        assert (size - 86) % 6 == 0
        assert size == 86 or -3 <= size - person.stature < 9


def test_steps_off_the_chart_of_letters_go_back() -> None:
    tallest = max(islice(adults(1), 4000), key=lambda person: person.stature + person.weight)
    sizes = sizes_of(tallest, Random(0))._replace(letter=len(LETTERS) - 1)
    assert sizes.letter_name(1) == "xxl"
    assert sizes._replace(letter=0).letter_name(-1) == "s"
    assert sizes._replace(letter=2).letter_name(1) == "l"

"""Sizes follow the body: published charts at well-known points, and order in between."""

from itertools import islice
from random import Random

import pytest

from numberline_shop.people import adults, child
from numberline_shop.sizes import LETTERS, letter_index, shoe_eu, shoe_uk, shoe_us, sizes_of


@pytest.mark.parametrize(
    ("height", "weight", "letter"),
    [(150, 48, "xs"), (160, 60, "s"), (170, 75, "m"), (178, 82, "l"), (190, 100, "xxl")],
)
def test_letter_sizes_follow_height_and_weight(height, weight, letter):
    assert LETTERS[letter_index(height, weight, looseness=0.0)] == letter


def test_a_taste_for_loose_clothes_makes_letters_larger():
    assert letter_index(173, 78, looseness=0.9) == letter_index(173, 78, looseness=-0.5) + 1


@pytest.mark.parametrize(("foot", "eu", "uk", "us"), [(24.5, 39, 6, 7), (27.0, 42.5, 9, 10)])
def test_shoe_sizes_are_those_of_the_usual_charts(foot, eu, uk, us):
    assert shoe_eu(foot) == pytest.approx(eu, abs=0.5)
    assert shoe_uk(foot) == pytest.approx(uk, abs=0.5)
    assert shoe_us(foot, woman=False) == pytest.approx(us, abs=0.5)
    assert shoe_us(foot, woman=True) == shoe_us(foot, woman=False) + 1


@pytest.mark.parametrize(
    ("system", "clothing", "shoes"),
    [("metric", (32, 68), (32, 52)), ("us", (2, 58), (1, 19)), ("uk", (4, 58), (0, 18))],
)
def test_sizes_stay_on_their_charts(system, clothing, shoes):
    random = Random(2)
    for person in islice(adults(2), 2000):
        sizes = sizes_of(person, system, random)
        assert 0 <= sizes.letter < len(LETTERS)
        assert clothing[0] <= sizes.clothing <= clothing[1]
        assert sizes.clothing % 2 == 0
        assert shoes[0] <= sizes.shoe <= shoes[1]
        assert 2 * sizes.shoe == int(2 * sizes.shoe)
        assert 22 <= sizes.jeans_waist <= 44
        assert sizes.jeans_length in range(26, 37, 2)


def test_a_mans_size_is_half_his_chest():
    random = Random(4)
    for person in (one for one in islice(adults(4), 1000) if one.kind == "man"):
        assert abs(sizes_of(person, "metric", random).clothing - person.chest / 2) <= 2


def test_children_take_the_next_size_on_the_grid_of_six():
    random = Random(3)
    for _ in range(2000):
        person = child(random)
        size = sizes_of(person, "metric", random).child
        assert (size - 86) % 6 == 0
        assert size == 86 or -3 <= size - person.height < 9


def test_the_next_larger_letter_of_the_largest_is_one_smaller():
    sizes = sizes_of(next(adults(1)), "metric", Random(0))
    for letter, beside in (("xs", "s"), ("m", "l"), ("xxl", "xxxl"), ("xxxl", "xxl")):
        larger = sizes._replace(letter=LETTERS.index(letter)).next_larger()
        assert LETTERS[larger.letter] == beside


def test_jeans_above_34_inches_have_even_waists():
    sizes = sizes_of(next(adults(1)), "metric", Random(0))
    for waist, larger in ((31, 32), (33, 34), (34, 36)):
        assert sizes._replace(jeans_waist=waist).next_larger().jeans_waist == larger

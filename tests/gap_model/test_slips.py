"""Slips: laws of each operation on arbitrary numbers, and numerals of a kind drawn by counts."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import NumberlineWarning
from numberline.gap_model import slips
from numberline.gap_model.slips import (
    OPERATIONS,
    KindsOfNumerals,
    digits_swapped,
    is_plain,
    kind_of,
    magnitude_slipped,
    slipped,
    unit_slipped,
)
from numberline.reading import plain_number

CORPUS = [" and ".join("5 7 7 7 12 250 1000 1962 1999 2.5 3.5 10.25 -4 -30".split())]
WHOLE = st.integers(-(10**9), 10**9).map(float)
DECIMALS = st.decimals(-10000, 10000, places=2, allow_nan=False).map(float)
ANY = st.floats() | WHOLE | DECIMALS
SEEDS = st.integers(0, 1000)


@pytest.fixture(scope="module")
def numerals():
    return KindsOfNumerals.of(nl.count(CORPUS, min_count=1))


@given(st.sampled_from(OPERATIONS), ANY, st.lists(ANY, max_size=3), SEEDS)
def test_a_slip_is_another_number_that_reads_as_it_is_written(
    numerals, operation, value, beside, seed
):
    result = slipped(operation, value, beside, numerals, np.random.default_rng(seed))
    if result is not None:
        assert result != value
        assert nl.parse_numeral(plain_number(result)) == result
        assert is_plain(result)
    again = slipped(operation, value, beside, numerals, np.random.default_rng(seed))
    assert again == result


@given(WHOLE | DECIMALS)
def test_swapped_digits_are_the_same_digits(value):
    for result in digits_swapped(value):
        written = plain_number(value), plain_number(result)
        if "." not in written[0]:  # 3.05 becomes 3.50, which is 3.5
            assert sorted(written[0]) == sorted(written[1])
        assert (result < 0) == (value < 0)


@given(st.integers(1, 10**9))
def test_whole_numbers_stay_whole_but_for_a_slipped_point(number):
    results = magnitude_slipped(float(number))
    assert {number * 10.0, number * 100.0} <= set(results)
    assert (number / 10 in results) is (number >= 10)
    assert all(result.is_integer() for result in unit_slipped(float(number)))


@given(DECIMALS)
def test_other_units_have_the_sign_and_no_more_decimals(value):
    for result in unit_slipped(value):
        assert kind_of(result).decimals <= kind_of(value).decimals
        assert np.sign(result) == np.sign(value)


@pytest.mark.parametrize(
    ("function", "value", "results"),
    [
        (digits_swapped, 1962, [9162, 1692, 1926]),
        (digits_swapped, 10.35, [10.53]),  # 01.35 has a leading zero
        (digits_swapped, 100, []),
        (digits_swapped, 77, []),
        (digits_swapped, -213, [-123, -231]),
        (magnitude_slipped, 120, [1200, 1200, 12, 12, 12000]),
        (magnitude_slipped, 125, [1250, 1250, 12.5, 12.5, 12500]),
        (magnitude_slipped, 5, [50, 50, 500]),
        (magnitude_slipped, 0.3, [3, 3, 0.03, 0.03, 30]),
    ],
)
def test_possible_results(function, value, results):
    assert function(float(value)) == results


@pytest.mark.parametrize(
    ("value", "result"), [(180, 71), (10, 50), (100, 38), (5, 8), (1.8, 5.9), (70, 154), (2, 24)]
)
def test_numbers_in_other_units(value, result):
    assert result in unit_slipped(float(value))


@pytest.mark.parametrize(
    ("operation", "value", "beside"),
    [
        ("digits swapped", 7.0, []),
        ("magnitude slipped", 0.0, []),
        ("from the text", 7.0, []),
        ("from the text", 7.0, [7.0, 1 / 3]),
        ("of its kind", 5.125, []),
        ("of its kind", 1e8, []),
        *((operation, 1 / 3, [5.0]) for operation in OPERATIONS),
        *((operation, 1e300, [5.0]) for operation in OPERATIONS),
    ],
)
def test_impossible_operations(numerals, operation, value, beside):
    assert slipped(operation, value, beside, numerals, np.random.default_rng(1)) is None


def test_another_number_of_the_text_takes_the_place(numerals):
    random = np.random.default_rng(1)
    drawn = {slipped("from the text", 7.0, [7.0, 12.0, 0.5], numerals, random) for _ in range(50)}
    assert drawn == {12, 0.5}


@pytest.mark.parametrize(
    ("value", "counts"),
    [
        (7.0, {5: 1, 12: 1}),
        (9.0, {5: 1, 7: 3, 12: 1}),
        (300.0, {12: 1, 250: 1, 1000: 1, 1962: 1, 1999: 1}),
        (4.1, {2.5: 1, 3.5: 1}),
        (-4.0, {-30: 1}),
    ],
)
def test_numerals_of_a_kind_are_drawn_by_counts(numerals, value, counts):
    random = np.random.default_rng(1)
    drawn = Counter(slipped("of its kind", value, [], numerals, random) for _ in range(2000))
    total = sum(counts.values())
    expected = {number: count / total for number, count in counts.items()}
    assert {number: count / 2000 for number, count in drawn.items()} == pytest.approx(
        expected, abs=0.05
    )


def test_numerals_with_an_exponent_or_many_decimals_are_of_no_kind():
    numerals = KindsOfNumerals.of(nl.count(["1/3 of 6.02e23 and 7"], min_count=1))
    assert {len(numbers.values) for numbers in numerals.numbers.values()} == {1}
    assert slipped("of its kind", 1.234567, [], numerals, np.random.default_rng(1)) is None


def test_a_corpus_without_numerals_has_none_of_any_kind():
    with pytest.warns(NumberlineWarning, match="no numerals"):
        numerals = KindsOfNumerals.of(nl.count(["no numerals"], min_count=1))
    assert slipped("of its kind", 5.0, [], numerals, np.random.default_rng(1)) is None


def test_the_table_of_operations_names_each_of_them():
    assert tuple(re.findall(r"^    (\w+(?: \w+)+?)  +", slips.__doc__, re.MULTILINE)) == OPERATIONS

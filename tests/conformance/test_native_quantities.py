"""The native reader of quantities reads every input as reading/quantities/readings.py does."""

import itertools
import re
from dataclasses import astuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numberline.reading.numerals import Line
from numberline.reading.quantities import definition_of, kinds_of
from numberline.reading.quantities import native as native_quantities
from numberline.reading.quantities.classes import CLASSES
from numberline.reading.quantities.lexicon import lexicon_for, standard_lexicon
from numberline.reading.quantities.rules import rules
from numberline.reading.scanner import tokens_of
from numberline.settings import TextSettings
from tests.reading.test_quantities import READINGS

ALL_SETTINGS = [TextSettings(*options) for options in itertools.product([False, True], repeat=4)]
some_settings = st.sampled_from(ALL_SETTINGS)

# Words and signs of every rule: arbitrary text would rarely put them beside each other.
PIECES = (
    "1 2 5 10 12 19 30 45 60 99 100 555 000 250.00 1234 4567 1998 2018 2,019 3.5 0.5 2.17 08.84 -5 "
    "+1 1e400 9999999999999999999 ½ 3rd 21st M k bn m mm million hundred thousand lakh trillion "
    "one two twenty five and a an half quarter quarters third thirds dozen dozens point zero minus "
    "first second tenth the of in at to from between or per each until May July Sept. march oct "
    "10/5 12/15 13°41′48″ &#39; 6-foot-4 "
    "Monday am p.m. o'clock GMT AD BC s 's ' \" ° °C % ‰ percent per cent $ € US$ CHF Rs USD "
    "dollars cents pounds pound kg km km2 m/s m³ s-1 cm−3 ft feet in inches lb oz hour years year "
    "old yo aged age his early about at least more than up to under over ± +/- ~ < > ≥ <= ≈ or "
    "more Section No. Row page version v1.2 1.2.3 192.168.0.1 FY19 fy2019 Apollo Smith people "
    "cases red new win beat lost record out of phone loss - – — − / : , . ; ( ) [ ^ × x * ⁶ ² ⁻ # "
    "= \n"
).split(" ")
dense_text = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", " ", "-"])), max_size=40
).map(lambda pairs: "".join(itertools.chain.from_iterable(pairs)))


def assert_same(text, text_settings=ALL_SETTINGS[0], units=()):
    lexicon = lexicon_for(units)
    expected = definition_of(text, text_settings, lexicon)
    for reading in expected:
        reading.roles = []  # they show in the kinds of numerals
    read = native_quantities.readings_of(text, text_settings, units)
    assert [astuple(one) for one in read] == [astuple(one) for one in expected]


def assert_same_kinds(text, text_settings):
    line = Line(text, text_settings)
    expected = kinds_of(line, tokens_of(line))
    assert native_quantities.kinds_of(text, text_settings) == expected


@pytest.mark.parametrize("text", READINGS)
def test_native_and_python_agree_on_the_table_of_quantities(text):
    for text_settings in ALL_SETTINGS:
        assert_same(text, text_settings)
        assert_same_kinds(text, text_settings)


@given(st.text(), some_settings)
@settings(max_examples=500)
def test_native_and_python_agree_on_arbitrary_text(text, text_settings):
    assert_same(text, text_settings)
    assert_same_kinds(text, text_settings)


@given(dense_text, some_settings)
@settings(max_examples=2000)
@example("between 5 m^2 and 9 m^2, from 900 m to 1 km, between 900 m and 1 km", TextSettings())
@example("1 " * 200 + "kg", TextSettings())
@example("five point " + "one " * 30, TextSettings(number_words=True))
@example("nine trillion " * 20, TextSettings(magnitudes=True))
@example("2^1024 10^400 0^-1 10^5^2 5×10^300", TextSettings())
def test_native_and_python_agree_on_text_dense_with_quantities(text, text_settings):
    assert_same(text, text_settings)
    assert_same_kinds(text, text_settings)


def test_native_and_python_agree_on_units_of_the_user():
    units = (("smoots", "1.702 meter"), ("widgets per day", ""), ("Bq", "2 hertz"))
    for text in ("364.4 smoots", "5 widgets per day", "3 smoots/s", "4 Bq or 4 bq"):
        assert_same(text, units=units)


@given(dense_text)
@settings(max_examples=300)
def test_readings_do_not_overlap_and_lie_in_the_text(text):
    readings = native_quantities.readings_of(text, TextSettings())
    ends = [0, *(one.end for one in readings)]
    assert all(end <= one.start < one.end for end, one in zip(ends, readings, strict=False))
    assert ends[-1] <= len(text)


def test_every_rule_can_begin_somewhere():
    assert all(rule.first_classes for rule in rules())
    used = {name for rule in rules() for name in CLASSES if rule.first_classes}
    assert used == set(CLASSES)


def test_units_that_no_lexicon_knows_are_refused():
    numbers = [(name, 0) for name in "other_dimension money_dimension".split()]
    with pytest.raises(ValueError, match=re.escape("classes differ")):
        native_quantities.require_native().QuantityTables(
            classes=["number"], spellings=[], longest=[], anchors=(0, 0), units=[],
            dimension_of=[], kind_of_dimension=[], rules=[], numbers=numbers,
        )  # fmt: skip
    assert standard_lexicon().units

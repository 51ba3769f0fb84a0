"""The tables of characters agree with Unicode and with what shapes.py explains."""

import sys
import unicodedata

import pytest

from numberline.reading.shapes import (
    SPECIAL_SHAPES,
    ascii_digits,
    digit_zeros,
    fold,
    shape_of,
    unicode_tables,
    vulgar_fractions,
)

ALL = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
SPECIAL = set("".join(SPECIAL_SHAPES.values()))


def test_the_example_of_the_docstring_is_right():
    assert shape_of("Jeff is 5'8\", −3½ °C") == "aeaa aa 0'0\", ~0f $a"


def test_every_shape_is_one_ascii_character():
    shapes = shape_of("".join(ALL))
    assert len(shapes) == len(ALL)
    assert set(shapes) == set("0aezmfws$)!\n ") | set(SPECIAL_SHAPES)


def test_every_decimal_digit_has_its_value():
    for zero in digit_zeros():
        assert ascii_digits("".join(chr(zero + step) for step in range(10))) == "0123456789"
        assert shape_of(chr(zero)) == "0"


def test_fractions_are_those_of_unicode():
    for character, value in vulgar_fractions().items():
        assert value == pytest.approx(unicodedata.numeric(character), abs=1e-15)
        assert shape_of(character) == "f"


def test_folding_is_lower_case_one_to_one():
    assert fold("ÀÉẞΩİ", lowercase=True) == "àéßωi"
    assert fold("ÀÉ’”‑", lowercase=False) == "ÀÉ'\"-"


def version(text):
    return tuple(map(int, text.split(".")))


@pytest.mark.skipif(
    version(unicodedata.unidata_version) > version(unicode_tables()["version"][0][0]),
    reason="this Python knows characters that the tables do not",
)
def test_classes_follow_the_general_categories():
    expected = {"Nd": "0", "Lo": "z", "Mn": "m", "Mc": "m", "Me": "m", "Sc": "$", "Pe": ")"}
    expected |= dict.fromkeys(["Lu", "Ll", "Lt", "Lm", "Nl"], "a")
    for character in ALL:
        shape = expected.get(unicodedata.category(character))
        if shape is not None and character not in SPECIAL:
            assert shape_of(character) == shape, hex(ord(character))

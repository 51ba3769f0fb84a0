"""Numerals are read as the table of the docs says, case by case, and by laws that hold for all."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline import parse_numeral, tokenize


def read(text, **settings):
    """Return words as they are and numerals as values."""
    tokens = tokenize(text, **settings)
    return [token.text if token.value is None else token.value for token in tokens]


FOUR_HUNDRED_DIGITS = "9" * 400

READINGS = {
    # plain, grouped, decimal
    "190": [190],
    "2000": [2000],
    "2,000": [2000],
    "1,234.5": [1234.5],
    "1\u00a0234": [1234],
    "1\u2009234": [1234],
    "1\u202f234\u202f567": [1234567],
    "12,345,678": [12345678],
    # signs and leading points
    "-5": [-5],
    "\u22125": [-5],
    "+3.2": [3.2],
    ".5": [0.5],
    "-.5": [-0.5],
    "-0": [0],
    "(-5)": [-5],
    "x=-5": ["x", -5],
    "(3,-2)": [3, -2],
    # exponents
    "1.2e5": [120000],
    "6.02E23": [6.02e23],
    "1e-9": [1e-9],
    "1e\u22129": [1e-9],
    "1e+5": [1e5],
    "5e": [5, "e"],
    # fractions
    "½": [0.5],
    "3½": [3.5],
    "-3½": [-3.5],
    "1/2": [0.5],
    "1⁄2": [0.5],
    "22⁄7": [22 / 7],
    "1/250": [1 / 250],
    "3 1/2": [3.5],
    "33 1⁄3": [33 + 1 / 3],
    "8 ½": [8.5],
    "8 22⁄7": [8, 22 / 7],
    "3/4": [3 / 4],
    "15/16": [15 / 16],
    "5/32": [5 / 32],
    "29/32": [29, 32],
    "30/32": [30, 32],
    "9/11": [9, 11],
    "6/8": [6, 8],
    "1/1": [1, 1],
    "1/1234": [1 / 1234],
    "1/10000": [1, 10000],
    "2019 1/3": [2019, 1 / 3],
    "0 1/2": [0, 1 / 2],
    "120/80 1/2": [120, 80, 1 / 2],
    "12:30 1/2": [12, ":", 30, 1 / 2],
    "24/7": [24, 7],
    "50/50": [50, 50],
    "01/02": [1, 2],
    "120/80": [120, 80],
    "2013/14": [2013, 14],
    "2013/2014": [2013, 2014],
    "1/2/2018": [1, 2, 2018],
    "3/1/2": [3, 1, 2],
    "1/0": [1, 0],
    "1⁄0": [1, 0],
    # ranges, scores and dates: no dash between numerals is a sign
    "1914–1918": [1914, 1918],
    "3-2": [3, 2],
    "3\u22122": [3, 2],
    "0-1": [0, 1],
    "3 -2": [3, 2],
    "2018-07-04": [2018, 7, 4],
    ".5-.7": [0.5, 0.7],
    "3 -.5": [3, 0.5],
    "10%-20%": [10, "%", 20, "%"],
    "10%\u221220%": [10, "%", 20, "%"],
    "5+3": [5, 3],
    # lists: a comma groups only blocks of exactly three digits
    "2008,2009": [2008, 2009],
    "1,2,3": [1, 2, 3],
    "1,23,456": [1, 23, 456],
    "12,345,6789": [12, 345, 6789],
    "0,123": [0, 123],
    "in 2010,100 people": ["in", 2010, 100, "people"],
    # numeral plus the rest
    "20th": [20, "th"],
    "1990s": [1990, "s"],
    "1990's": [1990, "s"],
    "10km": [10, "km"],
    "5%": [5, "%"],
    "5 %": [5, "%"],
    "$3.50": ["$", 3.5],
    "US$5": ["us", "$", 5],
    "12:30": [12, ":", 30],
    "5'8\"": [5, "'", 8, '"'],
    "5\u20198\u201d": [5, "'", 8, '"'],
    "-40°c": [-40, "°", "c"],
    "10-year-old": [10, "year", "old"],
    "5km-10km": [5, "km", 10, "km"],
    "4x100m": [4, "x", 100, "m"],
    "6ft2": [6, "ft", 2],
    "120m2": [120, "m2"],
    '12"x16"': [12, '"', "x", 16, '"'],
    "2'x4'": [2, "'", "x", 4, "'"],
    "20°C-25°C": [20, "°", "c", 25, "°", "c"],
    "2018-07-04T12:30:00Z": [2018, 7, 4, "t", 12, ":", 30, ":", 0, "z"],
    "2-in-1": [2, "in", 1],
    "5-to-10": [5, "to", 10],
    "Rs5,000": ["rs", 5000],
    "EUR1,250.50": ["eur", 1250.5],
    "mid-1990s": ["mid", 1990, "s"],
    "no.5": ["no", 5],
    "身高190厘米": ["身高", 190, "厘米"],
    # identifiers are no quantities
    "covid-19": ["covid-19"],
    "RS232": ["rs232"],
    "04T12": ["04t12"],
    "Kr5,000.50": ["kr5,000.50"],
    "rm1,234,567": ["rm1,234,567"],
    "rm1,234,5678": ["rm1", 234, 5678],
    "a1,100,": ["a1,100"],
    "10.0.0.1,192.168.0.1": ["10.0.0.1", "192.168.0.1"],
    "mp3": ["mp3"],
    "b-52": ["b-52"],
    "h2o": ["h2o"],
    "v1.2": ["v1.2"],
    "1.2.3": ["1.2.3"],
    "192.168.0.1": ["192.168.0.1"],
    "12ab34": ["12ab34"],
    "0x10": ["0x10"],
    "1_000": ["1_000"],
    "formula_1": ["formula_1"],
    "a-_1": ["a", 1],
    # other ways to write digits
    "007": [7],
    "１２３": [123],
    "٣٤": [34],
    # not finite
    "1e400": ["1e400"],
    "-1e400": ["1e400"],
    "1e-400": [0],
    FOUR_HUNDRED_DIGITS: [FOUR_HUNDRED_DIGITS],
}


@pytest.mark.parametrize(("text", "expected"), READINGS.items())
def test_numerals_are_read_as_the_table_says(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(("text", "expected"), READINGS.items())
def test_numerals_are_read_alike_within_a_sentence(text, expected):
    assert read(f"it says {text} , so") == ["it", "says", *expected, "so"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 million", [3e6]),
        ("3 million people", [3e6, "people"]),
        ("$3M", ["$", 3e6]),
        ("$3m", ["$", 3e6]),
        ("3m", [3, "m"]),
        ("5k", [5000]),
        ("2.5-billion", [2.5e9]),
        ("1.005 thousand", [1005]),
        ("3½ million", [3.5e6]),
        ("3 hundred thousand", [3e5]),
        ("5kg", [5, "kg"]),
        ("-2bn", [-2e9]),
        ("3 millions", [3, "millions"]),
        ("1 trillion trillion", [1e12, "trillion"]),
        ("5k中", [5, "k中"]),
        ("3billion", [3e9]),
        ("3BN", [3e9]),
        ("$3MM", ["$", 3e6]),
        ("5MM", [5, "mm"]),
        ("3 lakh crore crore", [3e19]),
        ("3 lakh crore crore crore", [3e19, "crore"]),
    ],
)
def test_magnitudes_are_read_if_the_setting_says_so(text, expected):
    assert read(text, magnitudes=True) == expected


def test_magnitudes_are_off_by_default():
    assert read("3 million $3M 5k") == [3, "million", "$", 3, "m", 5, "k"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("twenty-five", [25]),
        ("Twenty five", [25]),
        ("one hundred and five", [105]),
        ("two million three hundred thousand and seven", [2_300_007]),
        ("two three", [2, 3]),
        ("nineteen eighty-four", [19, 84]),
        ("a hundred", [100]),
        ("a dog", ["a", "dog"]),
        ("five and six", [5, "and", 6]),
        ("million", ["million"]),
        ("zero", [0]),
        ("two, three", [2, 3]),
        ("twenty, five", [20, 5]),
        ("five thousand million", [5000, "million"]),
        ("five thousand six thousand", [5000, 6000]),
    ],
)
def test_number_words_are_read_if_the_setting_says_so(text, expected):
    assert read(text, number_words=True) == expected


def test_number_words_are_off_by_default():
    assert read("twenty-five") == ["twenty", "five"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.234,56", [1234.56]),
        ("1,5", [1.5]),
        ("1.234", [1234]),
        ("1.234.567", [1234567]),
        ("3.14", [3.14]),
        ("1,2,3", [1, 2, 3]),
        (".234", [0.234]),
        ("1.2.3", ["1.2.3"]),
        ("1,234.5", [1, 234.5]),
    ],
)
def test_decimal_commas_are_read_if_the_setting_says_so(text, expected):
    assert read(text, decimal_comma=True) == expected


@pytest.mark.parametrize(
    "text", ["", "kg", "5kg", "5 6", "1e400", "$5", "covid-19", "nan", "5.", "#5"]
)
def test_text_that_is_no_numeral_has_no_value(text):
    assert parse_numeral(text) is None


def test_minus_zero_is_zero():
    assert math.copysign(1, parse_numeral("-0")) == 1


def test_parse_numeral_ignores_blanks_around():
    assert parse_numeral(" 2,000\n") == 2000


def test_an_unknown_setting_is_a_type_error():
    with pytest.raises(TypeError, match=r"unknown setting 'magnitude'; known are .*magnitudes"):
        parse_numeral("5k", magnitude=True)


@given(st.integers(-(10**17), 10**17))
def test_every_integer_is_read_as_written(value):
    assert parse_numeral(str(value)) == float(value)
    assert parse_numeral(f"{value:,}") == float(value)
    assert parse_numeral(f"{value:,}".replace(",", "\u202f")) == float(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_as_written(value):
    assert parse_numeral(repr(value)) == value


@given(st.text())
def test_values_are_finite_and_spans_exact(text):
    end_of_previous = 0
    for token in tokenize(text):
        assert end_of_previous <= token.start < token.end <= len(text)
        end_of_previous = token.end
        if token.value is not None:
            assert math.isfinite(token.value)
            assert math.copysign(1, token.value) == 1 or token.value < 0  # no -0.0
            assert token.text == text[token.start : token.end]

"""Texts → their quantities: what is read, and of which kind."""

import math

import pytest

import numberline as nl
from numberline.errors import ConfigError
from numberline.reading.kinds import KINDS
from numberline.reading.numerals import Line
from numberline.reading.quantities import kinds_of
from numberline.reading.quantities.quantity import singular
from numberline.reading.scanner import tokens_of
from numberline.settings import TextSettings

# Text: the kind, value and unit of each quantity.
READINGS = {
    "$3.5M": [("money", 3.5e6, "USD")],
    "€1.2bn": [("money", 1.2e9, "EUR")],
    "5% or %5": [("percent", 5, "percent")] * 2,
    "10 km/h": [("measure", 10, "kilometer per hour")],
    "120/80 mmHg": [("measure", 120, "millimeter of mercury")],
    "5'8\"": [("measure", 5 + 8 / 12, "foot")],
    "3–5 kg": [("measure", 4, "kilogram")],
    "between 3 and 5": [("plain", 4, "")],
    "±0.2": [("plain", 0.2, "")],
    "10^5": [("plain", 1e5, "")],
    "4.5×10⁶": [("plain", 4.5e6, "")],
    "5.5x10-3 kg/cm³": [("measure", 0.0055, "kilogram per cubic centimeter")],
    "₹1,00,000": [("money", 1e5, "INR")],
    "1'250.00 CHF": [("money", 1250, "CHF")],
    "-$5": [("money", -5, "USD")],
    "Net loss (1,250)": [("plain", -1250, "")],
    "twenty-five": [("plain", 25, "")],
    "half a million": [("plain", 5e5, "")],
    "half an hour": [("duration", 0.5, "hour")],
    "3 million and a half": [("plain", 3.5e6, "")],
    "one in five": [("ratio", 0.2, "")],
    "one of them": [],
    "a dozen eggs": [("count", 12, "egg")],
    "two and three quarters": [("plain", 2.75, "")],
    "two thirds": [("plain", 2 / 3, "")],
    "five point two five": [("plain", 5.25, "")],
    "the 2nd time": [("ordinal", 2, "")],
    "twenty-first": [("ordinal", 21, "")],
    "2018-07-04": [("date", 2018 + 184 / 365, "")],
    "4 July 2018": [("date", 2018 + 184 / 365, "")],
    "July 4, 2018": [("date", 2018 + 184 / 365, "")],
    "7/4/2018 or 31/12/2018": [("date", 2018 + 184 / 365, ""), ("date", 2018 + 364 / 365, "")],
    "on 4 July": [("date", None, "")],
    "until march 2018 or Oct. 7": [("date", 2018 + 59 / 365, ""), ("date", None, "")],
    "due on 12/15, rated 8/10": [("date", None, ""), ("ratio", 0.8, "")],
    "FY19": [("year", 2019, "")],
    "summer of '19": [("year", 2019, "")],
    "class of '98": [("year", 1998, "")],
    "the 1990s": [("year", 1990, "")],
    "in 2018": [("year", 2018, "")],
    "from 1995 to 2000": [("year", 1997.5, "")],
    "the season 2013–14, built in 1958-9": [("year", 2013.5, ""), ("year", 1958.5, "")],
    "in 1997, 2003, and 2008": [("year", 1997, ""), ("year", 2003, ""), ("year", 2008, "")],
    "300 BC or AD 79": [("year", -300, ""), ("year", 79, "")],
    "770–256 BC": [("year", -513, "")],
    "16GB": [("measure", 16, "gigabyte")],
    "3pm": [("time", 15, "")],
    "2.17 pm": [("time", 14 + 17 / 60, "")],
    "at 10:30": [("time", 10.5, "")],
    "10 a.m.": [("time", 10, "")],
    "27:15.51": [("duration", 27 * 60 + 15.51, "second")],
    "24/7": [("ratio", 24 / 7, "")],
    "+1 (555) 123-4567": [("phone", None, "")],
    "Section 427 Row 21": [("identifier", 427, ""), ("identifier", 21, "")],
    "phases 3, 5 and 7": [("plain", 3, ""), ("plain", 5, ""), ("plain", 7, "")],
    "Apollo 11 flew": [("identifier", 11, "")],
    "version 1.2.3": [("version", None, "")],
    "45 calendar days": [("duration", 45, "day")],
    "two to three weeks": [("duration", 2.5, "week")],
    "one solution": [("count", 1, "solution")],
    "this one is Air Force One, isn&#39;t it": [],
    "number two on the chart": [("identifier", 2, "")],
    "a 6-foot-4 forward": [("measure", 6 + 4 / 12, "foot")],
    "2 x 3 x 4 inches": [("measure", 2, "inch"), ("measure", 3, "inch"), ("measure", 4, "inch")],
    "under-16s": [("age", 16, "")],
    "the 40 yard dash": [("measure", 40, "yard")],
    "8- to 16-meter telescopes": [("measure", 12, "meter")],
    "300 young people": [("count", 300, "person")],
    "4 times per week": [("count", 4, "time per week")],
    "2,012 people in 2012": [("count", 2012, "person"), ("year", 2012, "")],
    "a 25-year-old man": [("age", 25, "year")],
    "aged 18 to 24": [("age", 21, "")],
    "Ann Smith, 44, said": [("age", 44, "")],
    "in her 20s": [("age", 20, "")],
    "won 3-1, a 5–0 home win": [("ratio", 3, ""), ("ratio", None, "")],
    "see [12,13]": [("identifier", 12, ""), ("identifier", 13, "")],
    "as Knox (1998) and others (Pagani et al., 2006) say": [("year", 1998, ""), ("year", 2006, "")],
    "2 out of 5": [("ratio", 0.4, "")],
    "45 and 50 mg": [("measure", 45, "milligram"), ("measure", 50, "milligram")],
    "from 900 m to 1 km": [("measure", 0.95, "kilometer")],
    "between 5 and 3 kg": [("measure", 4, "kilogram")],
    "44 ml to 50 mg": [("measure", 44, "milliliter"), ("measure", 50, "milligram")],
    "10 000 dollars": [("money", 1e4, "USD")],
    "120 130 140": [("plain", 120, ""), ("plain", 130, ""), ("plain", 140, "")],
    "20 million pounds": [("money", 2e7, "GBP")],
    "20 pounds": [("measure", 20, "pound")],
    "minus five degrees": [("measure", -5, "degree")],
    "4 km squared": [("measure", 4, "square kilometer")],
    "4e14 s-1": [("measure", 4e14, "per second")],
    "a 20 m2 room": [("measure", 20, "square meter")],
    "13°41′48″N": [("measure", 13 + 41 / 60 + 48 / 3600, "degree")],
    "38 °C": [("measure", 38, "celsius")],
    "3 in the morning, 5 in wide": [("plain", 3, ""), ("measure", 5, "inch")],
    "He said \"I have 5\"": [("plain", 5, "")],
    "hello": [],
}  # fmt: skip


@pytest.mark.parametrize("text", READINGS)
def test_quantities(text):
    read = nl.quantities(text)
    expected = READINGS[text]
    assert [(one.kind, one.unit) for one in read] == [(kind, unit) for kind, _, unit in expected]
    for one, (_, value, _) in zip(read, expected, strict=True):
        assert one.value == (value if value is None else pytest.approx(value))


def only(text, **options):
    (quantity,) = nl.quantities(text, **options)
    return quantity


def test_a_quantity_says_where_it_is_and_what_it_is_in_base_units():
    text = "It weighs about 3–5 lb."
    read = only(text)
    assert (read.text, read.span) == ("3–5 lb", (16, 22))
    assert text[slice(*read.span)] == read.text
    assert (read.low, read.high, read.modifier) == (3, 5, "about")
    assert (read.unit, read.unit_text, read.dimension) == ("pound", "lb", "mass")
    assert read.base_value == pytest.approx(4 * 0.45359237)
    assert only("50 °F").base_value == pytest.approx(283.15)
    assert only("5%").base_value == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("text", "modifier"),
    [
        ("about 5 km", "about"),
        ("~5 km", "about"),
        ("at least 5 km", "at least"),
        ("5 km or more", "at least"),
        ("5+ km", "at least"),
        (">= 5 km", "at least"),
        ("more than 5 km", "over"),
        ("up to 5 km", "at most"),
        ("less than 5 km", "under"),
        ("up 5%", "up"),
        ("down 5%", "down"),
        ("5 ± 0.2 km", "±"),
        ("5 km", ""),
    ],
)
def test_modifiers(text, modifier):
    assert nl.quantities(text)[0].modifier == modifier


def test_plus_and_minus_make_a_range():
    read = only("5 ± 0.2 mm")
    assert (read.value, read.low, read.high) == (5, 4.8, 5.2)
    assert only("±0.2").low == -0.2


def test_dates_and_times_have_calendar_parts():
    assert only("4 July 2018").calendar == (2018, 7, 4)
    assert only("July 2018").calendar == (2018, 7, None)
    assert only("on 4 July").calendar == (None, 7, 4)
    assert only("3:15 pm").calendar == (15, 15, 0)


def test_amounts_are_numbers_of_something():
    text = "In 2018 it took 40 yards, $6 and one solution in row 21 at 3pm on 4 July, twice 5%."
    amounts = [one.text for one in nl.quantities(text) if one.is_amount]
    assert amounts == ["40 yards", "$6", "one solution", "5%"]


def test_units_of_the_user():
    units = {"smoots": "1.702 meter", "widgets": ""}
    read = only("364.4 smoots", units=units)
    assert (read.kind, read.unit, read.dimension) == ("measure", "smoots", "length")
    assert read.base_value == pytest.approx(364.4 * 1.702)
    assert only("5 widgets/s", units=units).unit == "widgets per second"
    assert only("364.4 smoots").kind == "count"


@pytest.mark.parametrize("definition", ["meter", "x meter", "2 nothing", "2"])
def test_units_that_cannot_be_read_are_refused(definition):
    with pytest.raises(ConfigError, match="a number and a known unit"):
        nl.quantities("5 smoots", units={"smoots": definition})


def test_decimal_commas():
    assert only("1.234,5 km", decimal_comma=True).value == 1234.5


def test_a_text_that_is_no_string_is_refused():
    with pytest.raises(TypeError, match="quantities reads a string"):
        nl.quantities(5)


def named_kinds(text, **settings):
    line = Line(text, TextSettings(**settings))
    tokens = tokens_of(line)
    kinds = kinds_of(line, tokens)
    assert len(kinds) == len(tokens)
    numerals = zip(tokens, kinds, strict=True)
    return {one.text: KINDS[kind] for one, kind in numerals if one.value is not None}


def test_each_numeral_has_the_kind_of_its_quantity():
    kinds = named_kinds("On 4 July 2018 he ran 10 km in 50 min, 3rd of 40 people, for $5 at 38°C.")
    assert kinds == {
        "4": "day", "2018": "year", "10": "length", "50": "duration", "3": "ordinal",
        "40": "count", "5": "money", "38": "temperature",
    }  # fmt: skip
    assert named_kinds("2018-07-04 at 3:15 pm, call 555-123-4567") == {
        "2018": "year", "07": "date", "04": "day", "3": "time", "15": "time",
        "555": "phone", "123": "phone", "4567": "phone",
    }  # fmt: skip
    assert named_kinds("room 5, 7 and a bare 9") == {
        "5": "identifier",
        "7": "identifier",
        "9": "plain",
    }


def test_kinds_follow_the_settings_of_the_tokens():
    assert named_kinds("$3 million", magnitudes=True) == {"3 million": "money"}
    assert named_kinds("twenty-five kg", number_words=True) == {"twenty-five": "mass"}
    assert named_kinds("twenty-five kg") == {}


def test_a_very_large_power_is_no_number_but_does_no_harm():
    for text in ("10^400", "2^1024", "5 × 10^400", "9e300 trillion trillion kg"):
        for one in nl.quantities(text):
            assert one.value is None or math.isfinite(one.value)


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("people", "person"), ("cities", "city"), ("boxes", "box"), ("cells", "cell"), ("gas", "ga"),
     ("bus", "bus"), ("glasses", "glass")],
)  # fmt: skip
def test_singular(noun, expected):
    assert singular(noun) == expected

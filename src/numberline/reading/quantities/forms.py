"""The items of a quantity → its reading, for each form that rules.txt names; None refuses them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from numberline.reading.quantities.calendar import (
    clocked,
    date,
    likelyday,
    monthday,
    stopwatch,
    time,
)
from numberline.reading.quantities.classes import BIT, bits
from numberline.reading.quantities.items import Item
from numberline.reading.quantities.lexicon import NO_UNIT, Lexicon
from numberline.reading.quantities.reading import Reading

UNITS = bits("unit percent money footsign inchsign footunit inchunit")
NOUNS = bits("word plural countable")
LATEST_SHORT_YEAR = 35  # '35 is 2035, '36 is 1936
LIKELY_YEARS = (1800, 2035)
LIKELY_AGES = (10, 99)
FEWEST_PHONE_DIGITS = 7


@dataclass(slots=True)
class Amount:
    """A number of a quantity and the units after it."""

    item: Item
    value: float
    terms: list[tuple[int, int]] = field(default_factory=list)


Form = Callable[[list[Item], Lexicon], Reading | None]


def amounts_of(items: list[Item], reading: Reading) -> list[Amount]:
    """Return the numbers among items with their units; note the spans of unit and noun."""
    amounts: list[Amount] = []
    pending: list[tuple[int, int]] = []  # a currency before its number
    power_sign = 1
    for index, item in enumerate(items):
        if item.classes & bits("number fiscal") and not is_exponent(items, index, bool(amounts)):
            amounts.append(Amount(item, item.value, pending))
            pending, power_sign = [], 1
            continue
        is_before = bool(item.classes & BIT["money"]) and precedes_number(items, index)
        terms = pending if is_before or not amounts else amounts[-1].terms
        if is_exponent(items, index, bool(amounts)) and terms:
            unit, power = terms[-1]
            is_negative = bool(items[index - 1].classes & bits("minus hyphen"))
            exponent = int(item.value) * (-1 if is_negative else 1)
            terms[-1] = (unit, exponent * (1 if power > 0 else -1))
            if reading.unit_span:
                reading.unit_span = (reading.unit_span[0], item.end)
        elif item.unit != NO_UNIT and item.classes & UNITS:
            is_new = not (item.classes & BIT["money"] and terms)
            if is_new:
                note_unit(
                    reading, item, is_first=not terms, number=amounts[-1].item if amounts else None
                )
                terms.append((item.unit, item.power * power_sign))
            power_sign = 1
        elif item.classes & bits("slash per article"):
            power_sign = -1
        elif item.classes & NOUNS and power_sign > 0:
            reading.noun = (item.start, item.end)
    return amounts


def note_unit(reading: Reading, item: Item, is_first: bool, number: Item | None) -> None:
    """Note the span of a unit as written: of km/h both parts, of $5 a day the dollar alone."""
    if is_first or reading.unit_span is None:
        reading.unit_span = (item.start, item.end)
    elif number is None or reading.unit_span[0] > number.start:
        reading.unit_span = (reading.unit_span[0], item.end)


def precedes_number(items: list[Item], index: int) -> bool:
    """Return whether a currency is that of the number after it: in $5, but not in 5 $ 30."""
    if index + 1 == len(items) or not items[index].classes & BIT["currency"]:
        return False
    return bool(items[index + 1].classes & bits("number currency"))


def is_exponent(items: list[Item], index: int, has_number: bool) -> bool:
    """Return whether an item is the power of the unit before it: m², s−1, m^3."""
    item = items[index]
    if not item.is_joined or not has_number or index == 0:
        return False
    if item.classes & BIT["superscript"]:
        return True
    before = items[index - 1]
    is_sign = before.classes & bits("caret minus hyphen") and before.is_joined
    if not item.classes & BIT["digit"] or not is_sign or index == 1:
        return False
    if before.classes & bits("minus hyphen") and items[index - 2].classes & BIT["caret"]:
        return True
    return bool(items[index - 2].classes & BIT["unit"]) and not before.classes & BIT["hyphen"]


def blank_reading(items: list[Item]) -> Reading:
    return Reading(items[0].start, items[-1].end)


def value(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read one number; a minus before a currency negates it."""
    reading = blank_reading(items)
    amounts = amounts_of(items, reading)
    if not amounts:
        return None
    amount = amounts[0]
    reading.value, reading.terms = amount.value, amount.terms
    if items[0].classes & bits("minus hyphen"):
        reading.value = -amount.value
    return as_money(reading, amount.item, lexicon)


def as_money(reading: Reading, number: Item, lexicon: Lexicon) -> Reading:
    """Take millions of pounds for money."""
    if reading.terms == [(lexicon.pound, 1)] and number.classes & BIT["scaled"]:
        reading.terms, reading.kind = [(lexicon.sterling, 1)], "money"
    return reading


def bare(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read a number of things that the text does not name beside it."""
    return Reading(items[0].start, items[-1].end, items[0].value)


def negative(items: list[Item], lexicon: Lexicon) -> Reading | None:
    reading = value(items, lexicon)
    if reading is None or reading.value is None:
        return None
    reading.value = -abs(reading.value)
    return reading


def range_(items: list[Item], lexicon: Lexicon, may_descend: bool = False) -> Reading | None:
    """Read two ascending numbers; the first takes the unit and magnitude of the second."""
    reading = blank_reading(items)
    amounts = amounts_of(items, reading)
    if len(amounts) != 2:
        return None
    first, second = amounts
    is_range = set_ends(reading, first, second, lexicon)
    if not is_range and may_descend:
        first.value, second.value = second.value, first.value
        is_range = set_ends(reading, first, second, lexicon)
    return as_money(reading, second.item, lexicon) if is_range else None


def set_ends(reading: Reading, first: Amount, second: Amount, lexicon: Lexicon) -> bool:
    """Set the range from one amount to another; return whether they ascend."""
    low, high = first.value, second.value
    if second.item.scale and not first.item.scale:
        factor = 10.0**second.item.scale
        low *= factor if low < high / factor else 1
    terms = second.terms or first.terms
    if first.terms and second.terms and first.terms != second.terms:
        smaller, larger = (lexicon.units[one.terms[0][0]] for one in (first, second))
        if smaller.dimension == "money" and len(second.terms) <= 2:
            terms = first.terms[:1] + [term for term in second.terms if term[1] < 0]
        elif len(first.terms) == len(second.terms) == 1:
            if smaller.dimension != larger.dimension or smaller.dimension == "percent":
                return False
            low *= smaller.factor / larger.factor
    if not low < high:
        return False
    reading.low, reading.high, reading.value = low, high, (low + high) / 2
    reading.terms = terms
    return True


def sorted_(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read a range after "between", whose ends may come in either order."""
    return range_(items, lexicon, may_descend=True)


def plusminus(items: list[Item], lexicon: Lexicon) -> Reading | None:
    reading = blank_reading(items)
    amounts = amounts_of(items, reading)
    if len(amounts) < 2:
        return None
    first, second = amounts[:2]
    reading.value, reading.terms = first.value, second.terms or first.terms
    reading.low, reading.high = first.value - abs(second.value), first.value + abs(second.value)
    reading.modifier = PLUS_MINUS
    return reading


PLUS_MINUS = 8


def spread(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read ±0.2: a value, and the range around zero."""
    reading = value(items, lexicon)
    if reading is None or reading.value is None:
        return None
    reading.low, reading.high = -abs(reading.value), abs(reading.value)
    reading.modifier = PLUS_MINUS
    return reading


def compound(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 5'8" or 5 dollars and 20 cents, in the unit of the first number."""
    reading = blank_reading(items)
    amounts = amounts_of(items, reading)
    if len(amounts) != 2 or not amounts[0].terms:
        return None
    first, second = amounts
    larger = lexicon.units[first.terms[0][0]]
    smaller = lexicon.units[second.terms[0][0] if second.terms else lexicon.inch]
    if not smaller.factor < larger.factor or second.value * smaller.factor >= larger.factor:
        return None
    reading.value = first.value + second.value * smaller.factor / larger.factor
    reading.terms = first.terms[:1]
    return reading


def pair(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 120/80 mmHg: the first number, and both as a range."""
    reading = blank_reading(items)
    amounts = amounts_of(items, reading)
    if len(amounts) != 2:
        return None
    first, second = amounts
    reading.value, reading.terms = first.value, second.terms
    reading.low, reading.high = min(first.value, second.value), max(first.value, second.value)
    return reading


def ratio(items: list[Item], lexicon: Lexicon) -> Reading | None:
    reading = blank_reading(items)
    numbers = [item.value for item in items if item.classes & BIT["number"]]
    if len(numbers) != 2:
        return None
    quotient = numbers[0] / numbers[1] if numbers[1] else math.inf
    reading.value = quotient if math.isfinite(quotient) else None
    return reading


def ordinal(items: list[Item], lexicon: Lexicon) -> Reading | None:
    return Reading(items[0].start, items[-1].end, items[0].value)


def identifier(items: list[Item], lexicon: Lexicon) -> Reading | None:
    return Reading(items[0].start, items[-1].end, items[0].value)


def version(items: list[Item], lexicon: Lexicon) -> Reading | None:
    is_number = bool(items[0].classes & BIT["number"])
    return Reading(items[0].start, items[-1].end, items[0].value if is_number else None)


def phone(items: list[Item], lexicon: Lexicon) -> Reading | None:
    digits = sum(
        item.end - item.start - bool(item.classes & BIT["signed"])
        for item in items
        if item.classes & BIT["number"]
    )
    return blank_reading(items) if digits >= FEWEST_PHONE_DIGITS else None


def shared(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read the first number of a list, whose unit comes after the last: 45 and 50 mg."""
    reading = Reading(items[0].start, items[0].end, items[0].value)
    reading.terms = amounts_of(items, reading)[-1].terms
    reading.noun = None
    return reading


def skip(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Take a word for no number, as in "this one"."""
    return blank_reading(items)


def likely(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read a year where the text beside it could also be about a count."""
    first, last = LIKELY_YEARS
    return bare(items, lexicon) if first <= items[0].value <= last else None


def named(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read the age in "Ann Smith, 25, said"."""
    first, last = LIKELY_AGES
    return bare(items, lexicon) if first <= items[0].value <= last else None


def short(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read the year of '19."""
    if items[0].end - items[0].start != 2:
        return None
    return Reading(items[0].start - 1, items[0].end, full_year(items[0].value))


def full_year(digits: float) -> float:
    return digits + (2000 if digits <= LATEST_SHORT_YEAR else 1900)


def decade(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read the 1990s, '90s and her 20s."""
    first = items[0] if items[0].classes & BIT["whole"] else items[1]
    begin = first.value
    if begin % 10:
        return None
    if items[0].classes & BIT["apostrophe"]:
        begin = full_year(begin)
    years = 100 if begin % 100 == 0 else 10
    return Reading(items[0].start, items[-1].end, begin, begin, begin + years - 1)


def era(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 300 BC, AD 79 and 770–256 BC."""
    sign = next(item.value for item in items if item.classes & BIT["era"])
    years = [sign * item.value for item in items if item.classes & BIT["number"]]
    if any(year != int(year) for year in years):
        return None
    reading = Reading(items[0].start, items[-1].end, sum(years) / len(years))
    if len(years) == 2:
        if not years[0] < years[1]:
            return None
        reading.low, reading.high = years
    return reading


def footinch(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 6-foot-4."""
    feet, inches = items[0].value, items[-1].value
    factor = lexicon.units[lexicon.inch].factor / lexicon.units[lexicon.foot].factor
    length = feet + inches * factor
    return Reading(items[0].start, items[-1].end, length, terms=[(lexicon.foot, 1)])


def angle(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 13°41′48″ in degrees."""
    parts = [item.value for item in items if item.classes & BIT["number"]]
    degrees = sum(part / 60.0**place for place, part in enumerate(parts))
    return Reading(items[0].start, items[-1].end, degrees, terms=[(lexicon.degree, 1)])


def year_range(items: list[Item], lexicon: Lexicon) -> Reading | None:
    """Read 1995–2000, 2013/14, 1958–9 and from 1995 to 2000."""
    low, high = items[0].value, items[-1].value
    if high < 100:
        high += low - low % (10 if items[-1].classes & BIT["digit"] else 100)
    if not low < high:
        return None
    return Reading(items[0].start, items[-1].end, (low + high) / 2, low, high)


FORMS: dict[str, Form] = {
    "value": value,
    "bare": bare,
    "negative": negative,
    "range": range_,
    "plusminus": plusminus,
    "spread": spread,
    "compound": compound,
    "pair": pair,
    "ratio": ratio,
    "ordinal": ordinal,
    "identifier": identifier,
    "version": version,
    "phone": phone,
    "likely": likely,
    "named": named,
    "sorted": sorted_,
    "skip": skip,
    "clocked": clocked,
    "stopwatch": stopwatch,
    "monthday": monthday,
    "likelyday": likelyday,
    "angle": angle,
    "footinch": footinch,
    "short": short,
    "decade": decade,
    "era": era,
    "years": year_range,
    "date": date,
    "time": time,
}

"""A reading → a Quantity: what users get of a number and of what it counts or measures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from numberline.reading.kinds import PLAIN
from numberline.reading.quantities.lexicon import Lexicon
from numberline.reading.quantities.modifiers import MODIFIERS
from numberline.reading.quantities.reading import Reading
from numberline.reading.quantities.units import Product, product_of

AMOUNTS = frozenset(["count", "measure", "money", "percent", "duration", "age"])
POSSIBLE_YEARS = (1800, 2035)  # of plain numbers: those in 2018, alone, are no amounts
SINGULARS = dict(
    pair.split(":")
    for pair in (
        "people:person men:man women:woman children:child feet:foot teeth:tooth mice:mouse "
        "wives:wife lives:life knives:knife leaves:leaf shelves:shelf movies:movie cookies:cookie "
        "ties:tie dice:die data:data series:series species:species news:news alumni:alumnus "
        "criteria:criterion phenomena:phenomenon policemen:policeman firemen:fireman"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text, with what it counts or measures.

    Attributes:
        text: The characters of the quantity, without the words that modify it.
        span: Where they start and end in the text that was read.
        kind: count, measure, money, percent, year, date, time, duration, ordinal, ratio, age,
            identifier, phone, version, or plain where the text beside the number says nothing.
        value: The number. For a range the middle; for a date a decimal year, for a time the hours
            since midnight; None where there is none, as for a phone number.
        low: The lower end of a range, else None.
        high: The upper end of a range, else None.
        unit: The name of the unit, such as "kilometer per hour", "USD" or, for a count, "person";
            empty without one.
        unit_text: The unit as the text has it.
        dimension: What the unit measures: length, mass, speed, duration, money …; else empty.
        base_value: The value in base units: metre, kilogram, second …, bit, a fraction for percent,
            years for an age.
        modifier: about, at least, over, at most, under, up, down, ±, or empty.
        calendar: Year, month and day of a date, or hour, minute and second of a time; else None.
    """

    text: str
    span: tuple[int, int]
    kind: str
    value: float | None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    unit_text: str = ""
    dimension: str = ""
    base_value: float | None = None
    modifier: str = ""
    calendar: tuple[int | None, int | None, int | None] | None = None

    @property
    def is_amount(self) -> bool:
        """True if it counts or measures something, and is no year, date, score or row number."""
        if self.kind == PLAIN and self.low is None and self.value is not None:
            first, last = POSSIBLE_YEARS
            return not (self.text.isdecimal() and first <= self.value <= last)
        return self.kind in AMOUNTS or self.kind == PLAIN

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes that are set, in a form that JSON can hold."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value not in (None, "")}


def quantity_of(reading: Reading, text: str, lexicon: Lexicon) -> Quantity:
    product = product_named(lexicon, tuple(reading.terms)) if reading.terms else NO_UNIT
    kind = reading.kind
    if kind == "measure" and product.dimension == "duration":
        kind = "duration"
    unit, unit_text = product.name, ""
    if reading.unit_span:
        unit_text = text[slice(*reading.unit_span)]
    if reading.noun and kind in {"count", PLAIN}:
        noun = text[slice(*reading.noun)]
        unit_text = unit_text or noun
        unit = f"{singular(noun)} {unit}".strip()
    value = reading.value
    return Quantity(
        text[reading.start : reading.end],
        (reading.start, reading.end),
        kind,
        value,
        reading.low,
        reading.high,
        unit,
        unit_text,
        product.dimension,
        None if value is None or not reading.terms else value * product.factor + product.offset,
        MODIFIERS[reading.modifier],
        reading.calendar,
    )


NO_UNIT = Product("", "", 1.0, 0.0)


@lru_cache(maxsize=4096)
def cached_product(terms: tuple[Any, ...]) -> Product:
    return product_of(terms)


def product_named(lexicon: Lexicon, terms: tuple[tuple[int, int], ...]) -> Product:
    return cached_product(tuple((lexicon.units[unit], power) for unit, power in terms))


def singular(noun: str) -> str:
    """Return a noun in the singular and lower case: people → person, cells → cell."""
    word = noun.lower()
    if word in SINGULARS:
        return SINGULARS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word

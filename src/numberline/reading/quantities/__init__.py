"""Text → quantities: numbers with what they count or measure, and the kind of each numeral."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from numberline import kernels
from numberline.reading.kinds import DIMENSIONS, KIND_INDEX, PLAIN
from numberline.reading.numerals import Line
from numberline.reading.quantities.lexicon import Lexicon, lexicon_for, standard_lexicon
from numberline.reading.quantities.quantity import Quantity, quantity_of
from numberline.reading.quantities.reading import Reading
from numberline.reading.quantities.readings import readings_of
from numberline.reading.quantities.units import dimension_of
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

__all__ = ["Quantity", "kind_of", "kinds_of", "quantities"]


def quantities(text: str, settings: TextSettings, units: Mapping[str, str]) -> list[Quantity]:
    """Return the quantities of a text, with the user's units as well."""
    further = tuple(units.items())
    lexicon = lexicon_for(further)
    if kernels.native() is not None:
        from numberline.reading.quantities.native import readings_of as native_readings_of

        readings = native_readings_of(text, settings, further)
    else:
        readings = definition_of(text, settings, lexicon)
    return [quantity_of(reading, text, lexicon) for reading in readings]


def definition_of(text: str, settings: TextSettings, lexicon: Lexicon) -> list[Reading]:
    """Return the readings of a text by the definition in Python."""
    from numberline.reading.scanner import tokens_of

    line = Line(text, replace(settings, magnitudes=False, number_words=False))
    return list(readings_of(line, tokens_of(line), lexicon))


def kinds_of(line: Line, tokens: list[Token]) -> list[int]:
    """Return the index of each token's kind; words have that of plain numerals.

    A numeral of the tokens has the kind of the quantity in which it begins.
    """
    from numberline.reading.scanner import tokens_of

    kinds = [KIND_INDEX[PLAIN]] * len(tokens)
    if all(token.value is None for token in tokens):
        return kinds
    settings = line.settings
    plain_tokens = tokens
    if settings.magnitudes or settings.number_words:
        line = Line(line.text, replace(settings, magnitudes=False, number_words=False))
        plain_tokens = tokens_of(line)
    lexicon = standard_lexicon()
    index = 0
    for reading in readings_of(line, plain_tokens, lexicon):
        kind = KIND_INDEX[token_kind(reading, lexicon)]
        roles = dict(reading.roles)
        while index < len(tokens) and tokens[index].start < reading.end:
            token = tokens[index]
            if token.value is not None and token.end > reading.start:
                role = roles.get(token.start)
                kinds[index] = KIND_INDEX[role] if role else kind
            index += 1
    return kinds


def token_kind(reading: Reading, lexicon: Lexicon) -> str:
    """Return the kind of a reading's numerals: that of the reading, or its dimension."""
    if reading.kind != "measure":
        return reading.kind
    terms = [(lexicon.units[unit], power) for unit, power in reading.terms]
    return kind_of_measure(dimension_of(terms))


def kind_of(quantity: Quantity) -> str:
    """Return the kind that a quantity's numerals have in a corpus: of a measure, its dimension."""
    return kind_of_measure(quantity.dimension) if quantity.kind == "measure" else quantity.kind


def kind_of_measure(dimension: str) -> str:
    return dimension if dimension in DIMENSIONS or dimension == "duration" else "measure"

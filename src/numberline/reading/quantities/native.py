"""Settings and units → the native reader, which reads as readings.py does, but much faster."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING

from numberline.kernels import require_native
from numberline.reading.kinds import DIMENSIONS, KIND_INDEX, KINDS, PLAIN
from numberline.reading.native import native_scanner
from numberline.reading.quantities.classes import CLASSES
from numberline.reading.quantities.lexicon import Lexicon, lexicon_for
from numberline.reading.quantities.reading import Reading
from numberline.reading.quantities.readings import ANCHORS, NO_QUANTITY
from numberline.reading.quantities.rules import SPLIT, Rule, Step, rules
from numberline.reading.quantities.units import DIMENSION_OF, OTHER_DIMENSION
from numberline.reading.text_fields import to_utf8
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

if TYPE_CHECKING:
    from numberline._native import QuantityReader, QuantityTables

MOST_READERS = 32  # kept by each thread
HALF = 64  # bits of a set of classes that native code holds in one number
READING_KINDS = (*KINDS, NO_QUANTITY)
KIND_NUMBER = {kind: index for index, kind in enumerate(READING_KINDS)}
Further = tuple[tuple[str, str], ...]  # the user's units


def halves(classes: int) -> tuple[int, int]:
    return classes & (1 << HALF) - 1, classes >> HALF


def step_parts(step: Step) -> tuple[int, int, tuple[int, int], int]:
    is_split = step.operation == SPLIT
    return (
        step.operation,
        step.first,
        halves(0 if is_split else step.second),
        step.second if is_split else 0,
    )


def rule_parts(rule: Rule) -> tuple[int, int, str, list[object], tuple[int, int]]:
    after = KIND_NUMBER[rule.after] if rule.after else -1
    steps: list[object] = [step_parts(step) for step in rule.steps]
    return KIND_NUMBER[rule.kind], after, rule.form, steps, halves(rule.first_classes)


@lru_cache(maxsize=8)
def tables_for(further: Further) -> QuantityTables:
    """Return the tables of the native reader, with the user's units."""
    lexicon = lexicon_for(further)
    dimensions = dimensions_of(lexicon)
    number = {name: index for index, name in enumerate(dimensions)}
    tables: QuantityTables = require_native().QuantityTables(
        classes=list(CLASSES),
        spellings=[
            (spelling, is_exact, halves(entry.classes), entry.value, entry.unit)
            for is_exact, table in ((True, lexicon.exact), (False, lexicon.folded))
            for spelling, entry in table.items()
        ],
        longest=list(lexicon.longest.items()),
        anchors=halves(ANCHORS),
        units=[(number[unit.dimension], unit.factor, unit.exponents) for unit in lexicon.units],
        dimension_of=[(exponents, number[name]) for exponents, name in DIMENSION_OF.items()],
        kind_of_dimension=[KIND_INDEX[measure_kind(name)] for name in dimensions],
        rules=[rule_parts(rule) for rule in rules()],
        numbers=[
            ("other_dimension", number[OTHER_DIMENSION]),
            ("money_dimension", number["money"]),
            ("percent_dimension", number["percent"]),
            ("pound", lexicon.pound),
            ("sterling", lexicon.sterling),
            ("inch", lexicon.inch),
            ("foot", lexicon.foot),
            ("second", lexicon.second),
            ("degree", lexicon.degree),
            *((kind, KIND_NUMBER[kind]) for kind in (PLAIN, "measure", "money", "day", "date")),
            *((kind, KIND_NUMBER[kind]) for kind in ("year", NO_QUANTITY)),
        ],
    )
    return tables


def dimensions_of(lexicon: Lexicon) -> list[str]:
    names = [unit.dimension for unit in lexicon.units]
    return list(dict.fromkeys([*names, *DIMENSION_OF.values(), OTHER_DIMENSION, "money"]))


def measure_kind(dimension: str) -> str:
    """Return the kind of the numerals of a measure of some dimension."""
    return dimension if dimension in DIMENSIONS or dimension == "duration" else OTHER_DIMENSION


_readers = threading.local()  # a reader's memory serves one thread


def reader_for(settings: TextSettings, further: Further = ()) -> QuantityReader:
    """Return this thread's reader for these settings and units."""
    readers: dict[object, QuantityReader] = _readers.__dict__.setdefault("readers", {})
    scanner = native_scanner(settings)
    key = (id(scanner), further)
    if key not in readers:
        if len(readers) >= MOST_READERS:
            readers.clear()
        readers[key] = require_native().QuantityReader(scanner, tables_for(further))
    return readers[key]


def readings_of(text: str, settings: TextSettings, further: Further = ()) -> list[Reading]:
    """Return the readings that readings.readings_of yields, without the roles of numerals."""
    reader = reader_for(settings, further)
    readings = []
    for start, end, value, low, high, kind, *rest in reader.read(to_utf8(text)):
        readings.append(Reading(start, end, value, low, high, READING_KINDS[kind], *rest))  # type: ignore[arg-type]
    return readings


def kinds_of(text: str, settings: TextSettings) -> list[int]:
    """Return the kind of each token of a line, as quantities.kinds_of does."""
    kinds: list[int] = reader_for(settings).kinds_of(to_utf8(text))
    return kinds


def tokenize(text: str, settings: TextSettings) -> list[Token]:
    """Return the tokens that tokenizer.tokenize returns."""
    return [
        Token(spelling.decode() if value is None else text[start:end], value, start, end, kind)
        for spelling, value, start, end, kind in reader_for(settings).tokenize(to_utf8(text))
    ]


def words_and_numerals(text: str, settings: TextSettings) -> tuple[list[str | None], list[Token]]:
    """Return what tokenizer.words_and_numerals returns."""
    words, numerals = reader_for(settings).words_and_numerals(to_utf8(text))
    tokens = [
        Token(text[start:end], value, start, end, kind) for _, value, start, end, kind in numerals
    ]
    return words, tokens

"""words.txt and units.txt → what a word or sign of a text may mean: its classes, value and unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from numberline.reading.quantities.classes import bits
from numberline.reading.quantities.units import Unit, unit_table

WORDS = Path(__file__).with_name("words.txt")
NO_UNIT = -1
CLASSES_BY_DIMENSION = {
    "money": bits("money"),
    "percent": bits("percent"),
    "duration": bits("unit duration"),
}


class Entry(NamedTuple):
    """The classes, value and unit of a spelling; value 0 and no unit if it has none."""

    classes: int
    value: float
    unit: int

    def joined(self, other: Entry) -> Entry:
        unit = self.unit if self.unit != NO_UNIT else other.unit
        return Entry(self.classes | other.classes, self.value or other.value, unit)


@dataclass(frozen=True)
class Lexicon:
    """Spellings of one or more words, with blanks between them, and what they mean."""

    units: tuple[Unit, ...]
    exact: dict[str, Entry] = field(default_factory=dict)  # in this case only
    folded: dict[str, Entry] = field(default_factory=dict)  # in any case; spelled in lower case
    longest: dict[str, int] = field(default_factory=dict)  # words of spellings with this first word

    @cached_property
    def pound(self) -> int:
        return self.unit_named("pound")

    @cached_property
    def sterling(self) -> int:
        return self.unit_named("GBP")

    @cached_property
    def inch(self) -> int:
        return self.unit_named("inch")

    @cached_property
    def degree(self) -> int:
        return self.unit_named("degree")

    @cached_property
    def foot(self) -> int:
        return self.unit_named("foot")

    @cached_property
    def second(self) -> int:
        return self.unit_named("second")

    def unit_named(self, name: str) -> int:
        return next(index for index, unit in enumerate(self.units) if unit.name == name)

    def add(self, spelling: str, entry: Entry, is_exact: bool) -> None:
        table = self.exact if is_exact else self.folded
        table[spelling] = table[spelling].joined(entry) if spelling in table else entry
        words = spelling.split(" ")
        self.longest[words[0]] = max(self.longest.get(words[0], 1), len(words))

    def find(self, exact: str, folded: str) -> Entry | None:
        """Return what a spelling means as it is written, and in lower case."""
        first, second = self.exact.get(exact), self.folded.get(folded)
        return first.joined(second) if first and second else first or second


def word_lines() -> Iterator[tuple[str, float, list[str]]]:
    """Yield classes, value and spellings of each line of words.txt."""
    for line in WORDS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("# "):
            names, value, spellings = line.split(" ", 2)
            yield names, float(value), spellings.split("|") if spellings != "|" else ["|"]


def lexicon_of(further: Mapping[str, str]) -> Lexicon:
    """Return the words, the units, and the user's `further` units: spelling → unit or factor."""
    table = unit_table(further)
    lexicon = Lexicon(table.units)
    for names, value, spellings in word_lines():
        for spelling in spellings:
            entry = Entry(bits(names), value, NO_UNIT)
            lexicon.add(spelling, entry, is_exact=spelling != spelling.lower())
    for spelling, unit, is_exact in table.spellings:
        dimension = table.units[unit].dimension
        classes = CLASSES_BY_DIMENSION.get(dimension, bits("unit"))
        if dimension == "money" and is_exact:
            classes |= bits("currency")
        lexicon.add(spelling, Entry(classes, 0.0, unit), is_exact)
    for entries in (lexicon.exact, lexicon.folded):
        # "in" is an inch only where a rule says so.
        if "in" in entries:
            entries["in"] = entries["in"]._replace(classes=entries["in"].classes & ~bits("unit"))
    return lexicon


@lru_cache(maxsize=8)
def lexicon_for(further: tuple[tuple[str, str], ...]) -> Lexicon:
    """Return the lexicon with the user's units, made once for each set of them."""
    return lexicon_of(dict(further))


def standard_lexicon() -> Lexicon:
    return lexicon_for(())

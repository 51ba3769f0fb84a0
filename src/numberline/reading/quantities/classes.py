"""The classes of items, by name, each a bit: an item of a text may have several."""

from __future__ import annotations

NUMBERS = (  # how a number is written
    "number",
    "integer",
    "whole",  # digits alone, no sign
    "digit",  # one digit
    "short",  # one or two digits
    "three",  # as many digits
    "four",
    "pointed",  # digits, a point and decimals
    "threepoint",  # three digits, a point and decimals
    "year",  # four digits that may name a year
    "likely",  # a year of our time, which a count rarely is
    "monthno",
    "day",
    "hour",
    "sixty",  # two digits below 60
    "clocked",  # 2.17, as hours and minutes
    "seconds",  # 08.84: two digits below 60, a point and decimals
    "signed",  # with a plus sign
    "counted",  # in words
    "one",  # the word, which is often a pronoun
    "scaled",  # with a magnitude, as in 3 million
    "ordinal",
    "dayth",  # an ordinal that may be a day of a month
    "fiscal",  # FY19
    "dotted",  # 1.2.3
)
WORDS = (  # what a word may mean; words.txt and units.txt say which
    "counting scale moneyscale hundred dozen fraction half parts suffix superscript "
    "month shortmonth lowmonth lowname datecue weekday meridiem clock zone era yearcue decade "
    "unit duration percent money currency weak footunit inchunit footinch "
    "sized pronoun negative pointword ago yo modifier after label namelabel phonecue versioncue "
    "agecue old scorenoun scoreverb possessive "
    "to and in of per article the or between from outof power accounts "
    "countable yearnoun function word plural name initial adjective"
).split()
SIGNS = (
    "dash hyphen slash open square close comma colon point plus minus plusminus caret times "
    "apostrophe footsign inchsign degreesign hash semicolon other"
).split()

CLASSES = (*NUMBERS, *WORDS, *SIGNS)
BIT = {name: 1 << index for index, name in enumerate(CLASSES)}


def bits(names: str) -> int:
    """Return the bits of classes whose names are separated by blanks or bars."""
    combined = 0
    for name in names.replace("|", " ").split():
        combined |= BIT[name]
    return combined

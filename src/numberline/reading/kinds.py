"""The kinds of numbers: what a numeral counts or names, as far as the text beside it says.

A numeral is a pair of a value and a kind. Encoded corpora and models store kinds by their index, so
new ones are appended. Kind 0 is that of a numeral of which the text says nothing.
"""

from __future__ import annotations

from numberline.errors import TokensError, describe
from numberline.numerals.kinds import UNKNOWN_KIND as UNKNOWN_KIND

PLAIN = "plain"

# What a unit measures.
DIMENSIONS = (
    "length",
    "area",
    "volume",
    "mass",
    "temperature",
    "speed",
    "pressure",
    "energy",
    "power",
    "frequency",
    "electricity",
    "data",
    "angle",
    "concentration",
    "measure",  # of any other dimension
)

KINDS = (
    PLAIN,
    "count",  # of things: 300 people
    "money",
    "percent",
    "year",
    "day",  # of a month
    "date",  # another part of a date, such as the number of a month
    "time",  # of a day
    "duration",
    "age",
    "ordinal",
    "ratio",  # and scores of games: 3:1, 2 out of 5
    "identifier",  # codes and the numbers of sections, rows and rooms
    "phone",
    "version",
    *DIMENSIONS,
)

KIND_INDEX = {kind: index for index, kind in enumerate(KINDS)}

MOST_KINDS = 256  # of a corpus, named or not
PLAIN_INDEX = KIND_INDEX[PLAIN]


def kind_index(name: str) -> int:
    """Return the index of a kind; a name that is none is refused."""
    if name not in KIND_INDEX:
        raise TokensError(f"{describe(name)} is no kind of number; kinds are {', '.join(KINDS)}")
    return KIND_INDEX[name]

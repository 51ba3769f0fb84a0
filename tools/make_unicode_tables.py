"""Unicode database of the running Python → src/numberline/reading/unicode.txt.

Run it with a newer Python to move to a newer version of Unicode, and commit what it writes. The
tables are pinned so that a model reads text in the same way under every version of Python.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src/numberline/reading/unicode.txt"
CODE_POINTS = range(sys.maxunicode + 1)
SURROGATES = range(0xD800, 0xE000)
JOINERS = "\u200c\u200d"  # zero-width (non-)joiner: part of words in Persian and Indic scripts
HEADER = f"""\
# Character classes, lower case and numeric values; written by tools/{Path(__file__).name}.
# shapes.py explains the classes. All code points are hexadecimal:
# shape FIRST LAST CLASS; lower UPPER LOWER; fraction CODE VALUE; zero CODE (of ten digits in a row)
version {unicodedata.unidata_version}
"""


def is_vulgar_fraction(char: str) -> bool:
    name = unicodedata.name(char, "")
    return unicodedata.decomposition(char).startswith("<fraction>") and "NUMERATOR" not in name


def shape_of(code: int) -> str | None:
    """Return the class of a code point, or None for punctuation, symbols and unassigned ones."""
    char = chr(code)
    category = unicodedata.category(char)
    if category == "Nd":
        return "0"
    if is_vulgar_fraction(char):
        return "f"
    if category in {"Lu", "Ll", "Lt", "Lm", "Nl", "No"}:
        return "a"
    if category == "Lo":
        return "z"
    if category in {"Mn", "Mc", "Me"} or char in JOINERS:
        return "m"
    if category in {"Zs", "Zl", "Zp", "Cc", "Cf"}:
        return "w"
    if category == "Sc":
        return "$"
    if category in {"Pe", "Pf"}:
        return ")"
    return None


def shape_lines() -> Iterator[str]:
    """Yield one line for each run of code points of one class."""
    for shape, run in groupby(CODE_POINTS, shape_of):
        codes = list(run)
        if shape is not None:
            yield f"shape {codes[0]:X} {codes[-1]:X} {shape}"


def lower_case_lines() -> Iterator[str]:
    for code in CODE_POINTS:
        lower = chr(code).lower()[0]  # one to one: "İ" becomes "i", not "i" and a combining dot
        if code not in SURROGATES and ord(lower) != code:
            yield f"lower {code:X} {ord(lower):X}"


def fraction_lines() -> Iterator[str]:
    for char in filter(is_vulgar_fraction, map(chr, CODE_POINTS)):
        value = Fraction(unicodedata.numeric(char)).limit_denominator(1000)
        yield f"fraction {ord(char):X} {value.numerator}/{value.denominator}"


def zero_lines() -> Iterator[str]:
    for code in CODE_POINTS:
        if unicodedata.decimal(chr(code), None) == 0:
            run = [unicodedata.decimal(chr(code + step), None) for step in range(10)]
            assert run == list(range(10)), hex(code)
            yield f"zero {code:X}"


def main() -> None:
    lines = [*shape_lines(), *lower_case_lines(), *fraction_lines(), *zero_lines()]
    TARGET.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Unicode database of the running Python → src/numberline/reading/unicode_tables.py.

Run it with a newer Python to move to a newer Unicode version; commit what it writes. Pinning the
tables keeps a model's reading of text the same under every Python version.
"""

from __future__ import annotations

import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src/numberline/reading/unicode_tables.py"
CODE_POINTS = range(sys.maxunicode + 1)
JOINERS = "\u200c\u200d"  # zero-width (non-)joiner: part of words in Persian and Indic scripts


def is_vulgar_fraction(char: str) -> bool:
    name = unicodedata.name(char, "")
    return unicodedata.decomposition(char).startswith("<fraction>") and "NUMERATOR" not in name


def shape_of(char: str) -> str | None:
    """The class of a character, or None for punctuation, other symbols and unassigned ones."""
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


def ranges(shape: Callable[[str], str | None]) -> Iterator[tuple[int, int, str]]:
    """Maximal runs of code points of one class, as (first, last, class)."""
    first, current = 0, shape(chr(0))
    for code in [*CODE_POINTS[1:], None]:
        here = None if code is None else shape(chr(code))
        if code is None or here != current:
            last = sys.maxunicode if code is None else code - 1
            if current is not None:
                yield first, last, current
            first, current = last + 1, here


def lower_case_pairs() -> Iterator[str]:
    for char in map(chr, CODE_POINTS):
        if 0xD800 <= ord(char) < 0xE000:
            continue
        lower = char.lower()[0]  # one to one: "İ" becomes "i", not "i" and a combining dot
        if lower != char:
            yield f"{ord(char):X}>{ord(lower):X}"


def fraction_pairs() -> Iterator[str]:
    for char in map(chr, CODE_POINTS):
        if is_vulgar_fraction(char):
            value = Fraction(unicodedata.numeric(char)).limit_denominator(1000)
            yield f"{ord(char):X}={value.numerator}/{value.denominator}"


def digit_starts() -> Iterator[str]:
    """Code points of the zeros: decimal digits come in runs of ten."""
    for code in CODE_POINTS:
        if unicodedata.decimal(chr(code), None) == 0:
            run = [unicodedata.decimal(chr(code + step), None) for step in range(10)]
            assert run == list(range(10)), hex(code)
            yield f"{code:X}"


def block(name: str, comment: str, items: Iterator[str]) -> str:
    body = textwrap.fill(" ".join(items), 96, break_long_words=False, break_on_hyphens=False)
    return f'# {comment}\n{name} = """\n{body}\n"""\n'


def main() -> None:
    shapes = (f"{first:X}-{last:X}:{shape}" for first, last, shape in ranges(shape_of))
    TARGET.write_text(
        '"""Character classes, lower case and numeric values: generated, do not edit.\n\n'
        f'Written by tools/{Path(__file__).name}.\n"""\n\n'
        f'UNICODE_VERSION = "{unicodedata.unidata_version}"\n\n'
        + block("SHAPE_RANGES", "first-last:class (text/shapes.py explains the classes)", shapes)
        + "\n"
        + block("LOWER_CASE", "upper>lower, one character to one", lower_case_pairs())
        + "\n"
        + block("VULGAR_FRACTIONS", "character=value", fraction_pairs())
        + "\n"
        + block("DIGIT_ZEROS", "the zero of each run of ten decimal digits", digit_starts()),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()

"""Characters → their classes: the *shape* of a text, on which every rule of reading is written.

    text    Jeff is 5'8", −3½ °C
    shape   aeaa aa 0'0", ~0f $a

A shape has one ASCII character per character of the text:

    0  decimal digit of any script        .  ,  /  :  _  themselves
    e  the letters e and E                -  hyphens            ~  minus sign (U+2212)
    a  other letters with case, also      +  plus signs         |  fraction slash
       superscripts and letter numbers    '  apostrophes, feet  "  double quotes, inches
    z  letters without case (Han, Arabic) $  currencies, % ‰ °  )  closing brackets and quotes
    m  marks that combine with a letter   !  every other sign
    f  vulgar fractions such as ½         s  no-break, thin and figure spaces
                                    space w  plain space, other white space    \\n line ends
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

TABLES = Path(__file__).with_name("unicode.txt")  # one version of Unicode for every Python
CODE_POINTS = 0x110000

OTHER_SIGN = "!"
SPECIAL_SHAPES = {
    "\n": "\n\r",
    " ": " ",
    "s": "\u00a0\u2007\u2009\u202f",
    "e": "eE",
    "$": "%‰‱°\uff05",
    ".": ".",
    ",": ",",
    "/": "/",
    ":": ":",
    "_": "_",
    "-": "-\u2010\u2011\ufe63\uff0d",
    "~": "\u2212",
    "+": "+\uff0b",
    "|": "\u2044\u2215",
    "'": "'\u2019\u2032\uff07",
    '"': '"\u201d\u2033\uff02',
}

LONE_SURROGATES = re.compile("[\ud800-\udfff]")  # halves of a character, which no text can hold
REPLACEMENT = "\ufffd"
FOLDED_SIGNS = "'\"-"  # several characters for each have the same meaning


@cache
def unicode_tables() -> dict[str, list[list[str]]]:
    """Return the lines of unicode.txt, split at blanks, by their first word."""
    tables: dict[str, list[list[str]]] = {}
    for line in TABLES.read_text(encoding="utf-8").splitlines():
        kind, *values = line.split()
        tables.setdefault(kind, []).append(values)
    return tables


@cache
def shape_codes() -> npt.NDArray[np.uint8]:
    """Return the class of every code point, as the code of its shape character."""
    codes = np.full(CODE_POINTS, ord(OTHER_SIGN), np.uint8)
    for first, last, shape in unicode_tables()["shape"]:
        codes[int(first, 16) : int(last, 16) + 1] = ord(shape)
    for shape, characters in SPECIAL_SHAPES.items():
        codes[[ord(character) for character in characters]] = ord(shape)
    return codes


@cache
def folded_codes(lowercase: bool) -> npt.NDArray[np.uint32]:
    """Return each code point's spelling in a word: in lower case, with plain quotes and hyphens.

    Lone surrogates are spelled U+FFFD.
    """
    codes = np.arange(CODE_POINTS, dtype=np.uint32)
    codes[0xD800:0xE000] = ord(REPLACEMENT)
    if lowercase:
        for upper, lower in unicode_tables()["lower"]:
            codes[int(upper, 16)] = int(lower, 16)
    for sign in FOLDED_SIGNS:
        codes[[ord(character) for character in SPECIAL_SHAPES[sign]]] = ord(sign)
    return codes


@cache
def digit_zeros() -> npt.NDArray[np.uint32]:
    """Return the zeros of all scripts, ascending; each is followed by its digits 1 to 9."""
    return np.array([int(zero, 16) for (zero,) in unicode_tables()["zero"]], np.uint32)


@cache
def vulgar_fractions() -> dict[str, float]:
    """Return the value of each fraction character, such as ½."""
    fractions = {}
    for code, ratio in unicode_tables()["fraction"]:
        numerator, denominator = ratio.split("/")
        fractions[chr(int(code, 16))] = int(numerator) / int(denominator)
    return fractions


class _Translation(dict[int, str]):
    """A table for str.translate that computes an entry when its character first occurs."""

    def __init__(self, of_code: Callable[[int], str]) -> None:
        self._of_code = of_code

    def __missing__(self, code: int) -> str:
        self[code] = translated = self._of_code(code)
        return translated


def _digit(code: int) -> str:
    zeros = digit_zeros()
    return str(code - int(zeros[np.searchsorted(zeros, code, side="right") - 1]))


_SHAPES = _Translation(lambda code: chr(shape_codes()[code]))
_FOLDED = _Translation(lambda code: chr(folded_codes(lowercase=False)[code]))
_LOWER_FOLDED = _Translation(lambda code: chr(folded_codes(lowercase=True)[code]))
_DIGITS = _Translation(_digit)


def shape_of(text: str) -> str:
    """Return one class character per character of the text."""
    return text.translate(_SHAPES)


def fold(text: str, lowercase: bool) -> str:
    """Return a word as the vocabulary spells it."""
    return text.translate(_LOWER_FOLDED if lowercase else _FOLDED)


def without_surrogates(text: str) -> str:
    """Return a text with U+FFFD in place of each lone surrogate; both have the same class."""
    return LONE_SURROGATES.sub(REPLACEMENT, text)


def ascii_digits(text: str) -> str:
    """Return decimal digits of any script as 0 to 9."""
    return text.translate(_DIGITS)

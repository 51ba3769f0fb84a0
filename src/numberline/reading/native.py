"""TextSettings → the native scanner, which reads as scanner.py does, but many times faster."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from numberline.fields import setting_names
from numberline.kernels import require_native
from numberline.reading.shapes import digit_zeros, folded_codes, shape_codes, vulgar_fractions
from numberline.reading.text_fields import to_utf8
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

if TYPE_CHECKING:
    from numberline._native import Scanner

_NAMES = setting_names(TextSettings)
_options_of = attrgetter(*_NAMES)


def native_scanner(settings: TextSettings) -> Scanner:
    """Return the scanner for these settings; calls with equal settings share it."""
    return _scanner(*_options_of(settings))


@cache
def _scanner(*options: bool) -> Scanner:
    scanner: Scanner = require_native().Scanner(
        shape=shape_codes(),
        folded=folded_codes(lowercase=True),
        zeros=digit_zeros(),
        vulgar=[(ord(character), value) for character, value in vulgar_fractions().items()],
        **dict(zip(_NAMES, options, strict=True)),
    )
    return scanner


def tokenize(text: str, settings: TextSettings) -> list[Token]:
    """Return the tokens that scanner.tokenize returns."""
    tokens = native_scanner(settings).tokenize(to_utf8(text))
    return [
        Token(spelling.decode() if value is None else text[start:end], value, start, end)
        for spelling, value, start, end in tokens
    ]


def words_and_numerals(text: str, settings: TextSettings) -> tuple[list[str | None], list[Token]]:
    """Return what scanner.words_and_numerals returns."""
    words, numerals = native_scanner(settings).words_and_numerals(to_utf8(text))
    tokens = [Token(text[start:end], value, start, end) for _, value, start, end in numerals]
    return words, tokens

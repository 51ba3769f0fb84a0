"""TextConfig → the native scanner that reads as scanner.py defines, many times faster."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache

from numberline._native import Scanner
from numberline.reading.shapes import digit_zeros, folded_codes, shape_codes, vulgar_fractions
from numberline.reading.tokens import Token
from numberline.settings import TextConfig


@cache
def native_scanner(config: TextConfig) -> Scanner:
    return Scanner(
        shape=shape_codes(),
        folded=folded_codes(lowercase=True),
        zeros=digit_zeros(),
        vulgar=[(ord(character), value) for character, value in vulgar_fractions().items()],
        **asdict(config),
    )


def tokenize(text: str, config: TextConfig) -> list[Token]:
    """As scanner.tokenize. Lone surrogates cannot be encoded; like it, they are signs."""
    tokens = native_scanner(config).tokenize(text.encode("utf-8", "replace"))
    return [
        Token(spelling.decode() if value is None else text[start:end], value, start, end)
        for spelling, value, start, end in tokens
    ]

"""Tokens of a line → the kind of each numeral, as far as the signs beside it say."""

from __future__ import annotations

from numberline.reading.kinds import KIND_INDEX, PLAIN_INDEX
from numberline.reading.numerals import Line
from numberline.reading.tokens import Token


def kinds_of(line: Line, tokens: list[Token]) -> list[int]:
    """Return the index of each token's kind; that of a word is of no use."""
    return [PLAIN_INDEX if token.value is None else kind_of(line, token) for token in tokens]


def kind_of(line: Line, token: Token) -> int:
    if line.text[token.end : token.end + 1] == "%":
        return KIND_INDEX["percent"]
    if token.start and line.shape[token.start - 1] == "$":
        return KIND_INDEX["money"]
    return PLAIN_INDEX

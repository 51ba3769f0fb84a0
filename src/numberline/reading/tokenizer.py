"""Text → tokens, numerals with their kinds: the definition of what the native scanner returns."""

from __future__ import annotations

from numberline.reading.numerals import Line
from numberline.reading.quantities import kinds_of
from numberline.reading.scanner import tokens_of
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

DEFAULTS = TextSettings()


def tokenize(text: str, settings: TextSettings = DEFAULTS) -> list[Token]:
    """Split a text into words and numerals, as training with the same settings does."""
    line = Line(text, settings)
    tokens = tokens_of(line)
    kinds = kinds_of(line, tokens)
    return [token._replace(kind=kind) for token, kind in zip(tokens, kinds, strict=True)]


def words_and_numerals(
    text: str, settings: TextSettings = DEFAULTS
) -> tuple[list[str | None], list[Token]]:
    """Return the spelling of each word, None for each numeral; and the numerals."""
    tokens = tokenize(text, settings)
    words = [token.text if token.value is None else None for token in tokens]
    return words, [token for token in tokens if token.value is not None]

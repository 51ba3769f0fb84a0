"""The tokens that scanning yields."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A numeral with its value, or a word or sign, whose value is None.

    text[start:end] of the text that was read is the token; `text` is its spelling, in lower case
    if the settings say so.
    """

    text: str
    value: float | None
    start: int
    end: int

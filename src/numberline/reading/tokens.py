"""The tokens that scanning yields."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A numeral with its value, or a word or sign, whose value is None.

    `text` is its spelling, in lower case if the settings say so; `start` and `end` are its span in
    the text that was read. `kind` is the index of a numeral's kind, as in kinds.py.
    """

    text: str
    value: float | None
    start: int
    end: int
    kind: int = 0

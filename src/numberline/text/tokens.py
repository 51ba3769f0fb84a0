"""What scanning gives."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A word, a sign, or a numeral with its value; and where it stands in the text."""

    text: str
    value: float | None
    start: int
    end: int

"""What scanning gives."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A word or a sign, whose value is None, or a numeral; and where it stands in the text.

    `text` is lower-cased as the settings say; text[start:end] is what was read.
    """

    text: str
    value: float | None
    start: int
    end: int

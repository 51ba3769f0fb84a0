"""A line of chat that knows where its labelled quantities lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from numberline.tagging import Span


class Message(NamedTuple):
    """One line of chat with its labelled spans, in the order of the text."""

    text: str
    spans: tuple[Span, ...]

    def quantities(self) -> Iterator[tuple[str, str]]:
        """Yield the label and the text of every span."""
        for label, start, end in self.spans:
            yield label, self.text[start:end]

"""Pieces of text, some of them labelled → a message that knows where its labelled spans lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from numberline.tagging.sentences import Span

__all__ = ["LABELS", "Draft", "Message", "Span"]

LABELS = (
    "height",
    "weight",
    "age",
    "foot_length",
    "shoe_size",
    "letter_size",
    "clothing_size",
    "child_size",
    "jeans_waist",
    "jeans_length",
    "waist",
    "chest",
    "hip",
    "inseam",
    "neck",
    "sleeve",
    "shoulder",
    "head",
    "price",
    "discount",
    "quantity",
    "points",
    "rating",
    "date",
    "time",
    "duration",
    "order_number",
    "article_number",
    "postal_code",
    "phone",
)


class Message(NamedTuple):
    """One line of chat with its labelled spans, in the order of the text."""

    text: str
    spans: tuple[Span, ...]

    def quantities(self) -> Iterator[tuple[str, str]]:
        """Label and text of every span."""
        for label, start, end in self.spans:
            yield label, self.text[start:end]


@dataclass(slots=True)
class Draft:
    """A message while it is being written, from left to right."""

    pieces: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    length: int = 0

    def say(self, text: str) -> None:
        """Append plain text."""
        self.pieces.append(text)
        self.length += len(text)

    def tell(self, label: str, text: str) -> None:
        """Append a quantity or a letter size under its label."""
        self.spans.append(Span(label, self.length, self.length + len(text)))
        self.say(text)

    def last_character(self) -> str:
        """The character a continuation would follow; empty at the start."""
        return self.pieces[-1][-1:] if self.pieces else ""

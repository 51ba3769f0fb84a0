"""What was read: the characters of a quantity, its kind and its values, not yet a Quantity."""

from __future__ import annotations

from dataclasses import dataclass, field

# (year, month, day) or (hour, minute, second); None where the text does not say
Calendar = tuple[int | None, int | None, int | None]


@dataclass(slots=True)
class Reading:
    """A quantity as the native reader returns it too; quantity.py makes a Quantity of it."""

    start: int
    end: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    kind: str = ""
    modifier: int = 0  # index into MODIFIERS
    terms: list[tuple[int, int]] = field(default_factory=list)  # units and their powers
    noun: tuple[int, int] | None = None  # span of what is counted
    unit_span: tuple[int, int] | None = None  # span of the unit as written
    calendar: Calendar | None = None
    roles: list[tuple[int, str]] = field(default_factory=list)  # kinds of numerals by their start

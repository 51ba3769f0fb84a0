"""Arguments of a model's methods, checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from numberline.config import as_whole_number
from numberline.errors import ConfigError

Item = TypeVar("Item")


def one_of(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ConfigError(name, value, f"one of {', '.join(known)}")


def positive(name: str, value: int) -> int:
    number = as_whole_number(value)
    if number is None or number < 1:
        raise ConfigError(name, value, "a whole number, 1 or more")
    return number


def several(name: str, values: Iterable[Item]) -> list[Item]:
    """A string would be taken for the list of its letters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ConfigError(name, values, "a list or another iterable")
    return list(values)

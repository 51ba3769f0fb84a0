"""Arguments of a model's methods, checked."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from numbers import Real
from typing import TypeVar

from numberline.errors import ConfigError
from numberline.fields import as_whole_number

Item = TypeVar("Item")


def one_of(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ConfigError(name, value, f"one of {', '.join(known)}")


def positive(name: str, value: int) -> int:
    number = as_whole_number(value)
    if number is None or number < 1:
        raise ConfigError(name, value, "a whole number, 1 or more")
    return number


def not_negative(name: str, value: float) -> float:
    return number_up_to(name, value, math.inf, "a number, 0 or more")


def as_share(name: str, value: float) -> float:
    return number_up_to(name, value, 1, "a number from 0 to 1")


def number_up_to(name: str, value: float, largest: float, needed: str) -> float:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= largest:
        raise ConfigError(name, value, needed)
    return float(value)


def several(name: str, values: Iterable[Item]) -> list[Item]:
    """A string would be taken for the list of its letters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ConfigError(name, values, "a list or another iterable")
    return list(values)

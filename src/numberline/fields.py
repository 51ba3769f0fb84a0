"""Fields of frozen dataclasses: a default, a help text and a check, written once and in one place.

    @dataclass(frozen=True)
    class Gmm(CheckedSettings):
        prototypes: int | None = setting(None, "How many.", optional(whole_number(1, 300)))

A check takes the name and value of a setting and returns the value to keep, or raises a
ConfigError. Numbers of NumPy become plain ones, so that JSON takes them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import field, fields
from numbers import Real
from typing import Any

from numberline.errors import ConfigError

Check = Callable[[str, Any], Any]

LARGEST_COUNT = 2**63 - 1  # counts have 64 bits
LARGEST_SIZE = 2**31 - 1  # ids and indices have 32


class CheckedSettings:
    """A base of frozen dataclasses whose fields are checked once, when an object is made."""

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]  # its children are dataclasses
            if check := one.metadata.get("check"):
                object.__setattr__(self, one.name, check(one.name, getattr(self, one.name)))


def setting(default: Any, explanation: str, check: Check | None = None) -> Any:
    """Return a dataclass field; the explanation is the help text of its flag."""
    if check is None and isinstance(default, bool):
        check = switch
    return field(default=default, metadata={"help": explanation, "check": check})


def is_setting(one: Any) -> bool:
    """Return whether a field is one setting, not a config that holds settings."""
    return "help" in one.metadata


def whole_number(smallest: int, largest: int) -> Check:
    def check(name: str, value: Any) -> int:
        number = as_whole_number(value)
        if number is None or not smallest <= number <= largest:
            raise ConfigError(name, value, f"a whole number from {smallest} to {largest:,}")
        return number

    return check


def positive_number(largest: float, may_be_zero: bool = False) -> Check:
    def check(name: str, value: Any) -> float:
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number or not (0 < value <= largest or (may_be_zero and value == 0)):
            lowest = "0 or more" if may_be_zero else "above 0"
            raise ConfigError(name, value, f"a number {lowest}, at most {largest:,}")
        return float(value)

    return check


def one_of(*known: str) -> Check:
    def check(name: str, value: Any) -> str:
        if value not in known:
            raise ConfigError(name, value, f"one of {', '.join(known)}")
        return str(value)

    return check


def optional(check: Check) -> Check:
    """Return a check that lets None pass, too."""
    return lambda name, value: None if value is None else check(name, value)


def switch(name: str, value: Any) -> bool:
    """Accept True or False, or 1 or 0; any text would be true."""
    if value not in (True, False):
        raise ConfigError(name, value, "True or False")
    return bool(value)


def as_whole_number(value: Any) -> int | None:
    """Return an integer of Python, or None for anything that is no integer."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None

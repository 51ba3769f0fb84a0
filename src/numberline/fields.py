"""Fields of frozen dataclasses: a default, a help text and a check, written once.

    @dataclass(frozen=True)
    class Gmm(CheckedSettings):
        prototypes: int | None = setting(None, "Components.", or_none(whole_number(1, 300)))

A check takes the name and value of a setting and returns the value to keep, or raises a
ConfigError. NumPy numbers become plain ones, which JSON can hold.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, fields
from numbers import Real
from typing import Any, TypeVar

from numberline.errors import ConfigError

__all__ = [
    "CheckedSettings",
    "made_of",
    "names",
    "one_of",
    "or_none",
    "positive_number",
    "setting",
    "setting_names",
    "switch",
    "whole_number",
]

Check = Callable[[str, Any], Any]
Kind = TypeVar("Kind")
Item = TypeVar("Item")

LARGEST_COUNT = 2**63 - 1  # counts are 64-bit integers
LARGEST_SIZE = 2**31 - 1  # ids and indices are 32-bit integers


class CheckedSettings:
    """A base class for frozen dataclasses that checks each field when an object is made."""

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]  # subclasses are dataclasses
            if check := one.metadata.get("check"):
                object.__setattr__(self, one.name, check(one.name, getattr(self, one.name)))


def setting(
    default: Any,
    explanation: str,
    check: Check | None = None,
    *,
    rare: bool = False,
    saved: bool = True,
) -> Any:
    """Return a field of a dataclass; the explanation is the help text of its flag.

    `rare` settings come last in --help; those with saved=False are not written to files.
    """
    if check is None and isinstance(default, bool):
        check = switch
    metadata = {"help": explanation, "check": check, "rare": rare, "saved": saved}
    return field(default=default, metadata=metadata)


def setting_names(kind: type[Any], saved: bool = False) -> list[str]:
    """Return the names of all settings of a class, or with `saved` only those that files keep."""
    return [one.name for one in fields(kind) if one.metadata["saved"] or not saved]


def made_of(kind: type[Kind], settings: Mapping[str, Any]) -> Kind:
    """Return `kind(**settings)`; an unknown setting is a TypeError that names the known ones."""
    require_known(settings, setting_names(kind))
    return kind(**settings)


def require_known(names: Iterable[str], known: Iterable[str]) -> None:
    """Raise a TypeError for an unknown setting; its message lists the known ones."""
    if unknown := sorted({*names} - {*known}):
        message = f"unknown setting {unknown[0]!r}; known are {', '.join(sorted(known))}"
        raise TypeError(message)


def whole_number(smallest: int, largest: int) -> Check:
    """Return a check that accepts integers from `smallest` to `largest`."""

    def check(name: str, value: Any) -> int:
        number = as_whole_number(value)
        if number is None or not smallest <= number <= largest:
            raise ConfigError(name, value, f"a whole number from {smallest} to {largest:,}")
        return number

    return check


def positive_number(largest: float, may_be_zero: bool = False) -> Check:
    """Return a check that accepts numbers above zero, or from zero on, up to `largest`."""

    def check(name: str, value: Any) -> float:
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number or not (0 < value <= largest or (may_be_zero and value == 0)):
            lowest = "0 or more" if may_be_zero else "above 0"
            most = "" if largest == math.inf else f", at most {largest:,}"
            raise ConfigError(name, value, f"a number {lowest}{most}")
        return float(value)

    return check


as_count = whole_number(1, LARGEST_SIZE)
as_fraction = positive_number(1, may_be_zero=True)


def one_of(*choices: str) -> Check:
    """Return a check that accepts these strings."""

    def check(name: str, value: Any) -> str:
        if value not in choices:
            raise ConfigError(name, value, f"one of {', '.join(choices)}")
        return str(value)

    return check


def names(name: str, value: Any) -> tuple[str, ...]:
    """Accept one name, or several that differ; return them all."""
    listed = (value,) if isinstance(value, str) else value
    is_list = isinstance(listed, list | tuple) and all(isinstance(one, str) for one in listed)
    if not is_list or not listed or "" in listed or len({*listed}) < len(listed):
        raise ConfigError(name, value, "a name or a list of different names")
    return tuple(listed)


def or_none(check: Check) -> Check:
    """Return a check that also accepts None."""
    return lambda name, value: None if value is None else check(name, value)


def as_list(name: str, values: Iterable[Item]) -> list[Item]:
    """Return the items as a list, refusing a string, which would be split into its letters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ConfigError(name, values, "a list or another iterable")
    return list(values)


def switch(name: str, value: Any) -> bool:
    """Accept True, False, 1 or 0. Strings are refused: even "False" would be true."""
    if value not in (True, False):
        raise ConfigError(name, value, "True or False")
    return bool(value)


def as_whole_number(value: Any) -> int | None:
    """Return an integer as Python's int, and None for anything else."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None

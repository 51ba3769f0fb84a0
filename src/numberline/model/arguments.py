"""Arguments of a model's methods, checked."""

from __future__ import annotations

from collections.abc import Collection

from numberline.config import as_whole_number
from numberline.errors import ConfigError


def one_of(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ConfigError(name, value, f"one of {', '.join(known)}")


def positive(name: str, value: int) -> int:
    number = as_whole_number(value)
    if number is None or number < 1:
        raise ConfigError(name, value, "a whole number, 1 or more")
    return number

"""The arrays of numerals among those of a model, under names that begin alike."""

from __future__ import annotations

from collections.abc import Mapping

from numberline.arrays import Array
from numberline.numerals.state import State
from numberline.numerals.vectors import NumeralVectors

PREFIX = "numerals."


def named_state(numerals: NumeralVectors | None) -> State:
    """Return the state under those names; nothing for None, a corpus without numerals."""
    if numerals is None:
        return {}
    return {PREFIX + name: array for name, array in numerals.state().items()}


def is_named_state(name: str) -> bool:
    return name.startswith(PREFIX)


def state_within(arrays: Mapping[str, Array]) -> State:
    """Return the state that `named_state` put among these arrays."""
    return {
        name.removeprefix(PREFIX): array for name, array in arrays.items() if is_named_state(name)
    }

"""The arrays of an encoder among others, under names of their own."""

from __future__ import annotations

from collections.abc import Mapping

from numberline.encoders.base import NumeralEncoder
from numberline.encoders.state import State
from numberline.encoders.weights import Array

PREFIX = "encoder."


def named_state(encoder: NumeralEncoder | None) -> State:
    """Nothing for None, which stands for a corpus without numerals."""
    if encoder is None:
        return {}
    return {PREFIX + name: array for name, array in encoder.state().items()}


def is_named_state(name: str) -> bool:
    return name.startswith(PREFIX)


def state_within(arrays: Mapping[str, Array]) -> State:
    return {
        name.removeprefix(PREFIX): array for name, array in arrays.items() if is_named_state(name)
    }

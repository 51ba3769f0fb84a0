"""Arrays as they come from a model folder → an encoder's own, refused if they are not its."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from numberline.numerals.rows import Array
from numberline.errors import EncoderStateError

State = dict[str, Array]


def refuse_others(state: Mapping[str, Array], known: Iterable[str]) -> None:
    """An array that nobody reads is a sign that the state is another encoder's."""
    others = sorted(set(state) - set(known))
    if others:
        raise EncoderStateError(
            f"the state of the encoder holds {', '.join(others)}, which it does not know"
        )


def required_array(state: Mapping[str, Array], name: str, shape: tuple[int | None, ...]) -> Array:
    """A copy, so that training changes nobody else's array; None stands for any length."""
    if name not in state:
        held = ", ".join(sorted(state)) or "nothing"
        raise EncoderStateError(f"the state of the encoder lacks {name}; it holds {held}")
    array = np.array(state[name])
    is_long = [wanted in (None, length) for wanted, length in zip(shape, array.shape, strict=False)]
    if array.dtype.kind != "f" or array.ndim != len(shape) or not all(is_long):
        wanted_shape = " x ".join("any" if length is None else str(length) for length in shape)
        raise EncoderStateError(
            f"{name} in the state of the encoder has shape {array.shape} and type {array.dtype}, "
            f"but it must be floats, {wanted_shape}"
        )
    return array

"""Arrays of a model folder → the arrays of an encoder, or an error if they do not fit it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import EncoderStateError

State = dict[str, Array]


def refuse_others(
    state: Mapping[str, Array], known: Iterable[str], owner: str = "the encoder"
) -> None:
    """Refuse an array that its owner does not read: the state must be another encoder's."""
    others = sorted(set(state) - set(known))
    if others:
        raise EncoderStateError(
            f"the state of {owner} holds {', '.join(others)}, which it does not know"
        )


def required_array(
    state: Mapping[str, Array],
    name: str,
    shape: tuple[int | None, ...],
    owner: str = "the encoder",
) -> Array:
    """Return a copy of an array of floats of this shape, in which None stands for any length."""
    if name not in state:
        held = ", ".join(sorted(state)) or "nothing"
        raise EncoderStateError(f"the state of {owner} lacks {name}; it holds {held}")
    array = np.array(state[name])
    fits = [wanted in (None, length) for wanted, length in zip(shape, array.shape, strict=False)]
    if array.dtype.kind != "f" or array.ndim != len(shape) or not all(fits):
        wanted_shape = " x ".join("any" if length is None else str(length) for length in shape)
        raise EncoderStateError(
            f"{name} in the state of {owner} has shape {array.shape} and type {array.dtype}, "
            f"but it must be floats, {wanted_shape}"
        )
    return array


def require_ascending(name: str, array: Floats, smallest: int = 1) -> None:
    """Refuse positions on a line that are not finite, not in order, or too few."""
    if len(array) < smallest or not np.isfinite(array).all() or (array[1:] < array[:-1]).any():
        raise EncoderStateError(
            f"{name} in the state of the encoder must be finite ascending numbers, "
            f"at least {smallest} of them"
        )


def require_equal_lengths(**arrays: Floats) -> None:
    """Refuse arrays of the same prototypes that differ in length."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise EncoderStateError(f"arrays in the state of the encoder differ in length: {listed}")

"""A valid argument → a damaged one: wrong types, shapes, layouts, values and sizes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

EXTREMES = (-1, 0, 1, 2, 3, 7, 127, 2**15, 2**31 - 1, 2**31, 2**32, 2**63 - 1, -(2**31), -(2**63))
FLOATS = (float("nan"), float("inf"), -float("inf"), -0.0, 1e308, -1e308, 5e-324, 1e-300)
NUMBERS = (*EXTREMES, *FLOATS, 2**64, 2**200, -(2**200), 1.5, True, np.int64(3), np.float16(2))
OTHERS = (None, "text", b"bytes", [], (), {}, object(), int, [None], [[1], [1, 2]], 1j)


class OtherArray(np.ndarray):
    """A subclass, as other packages have."""


def misaligned(array: np.ndarray) -> np.ndarray:
    memory = bytearray(array.nbytes + 1)
    copy = np.frombuffer(memory, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def read_only(array: np.ndarray) -> np.ndarray:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def strided(array: np.ndarray) -> np.ndarray:
    return np.repeat(array, 2, axis=-1)[..., ::2]


def padded(array: np.ndarray) -> np.ndarray:
    return np.resize(array, (*array.shape[:-1], array.shape[-1] + 16))


LAYOUTS = (
    misaligned,
    read_only,
    strided,
    padded,
    lambda array: array[::-1],
    lambda array: array[:-1],
    lambda array: array[:0],
    lambda array: array[1:],
    lambda array: np.concatenate([array, array]),
    lambda array: np.asfortranarray(array),
    lambda array: array.T,
    lambda array: array[None],
    lambda array: array.reshape(-1),
    lambda array: np.array(0, array.dtype),
    lambda array: array.view(OtherArray),
    lambda array: np.ma.masked_array(array),
    lambda array: array.astype(array.dtype.newbyteorder()),
    lambda array: array.astype(np.float16),
    lambda array: array.astype(np.int8),
    lambda array: array.astype(np.float64),
    lambda array: array.astype(np.complex128),
    lambda array: array.astype(object),
    lambda array: array.astype("U9"),
    lambda array: array.tolist(),
    lambda array: memoryview(array) if array.size else array,
    lambda array: array.tobytes(),
    lambda array: np.broadcast_to(array.ravel()[:1], array.shape) if array.size else array,
    lambda array: np.zeros((0, 2**40), array.dtype),
    lambda array: np.zeros((0, 16), array.dtype),
    lambda array: np.zeros((3, 0), array.dtype),
)


def with_extremes(array: np.ndarray, chance: random.Random) -> np.ndarray:
    """Return a copy in which some values are extreme for its type."""
    copy = array.copy()
    values = EXTREMES if copy.dtype.kind in "iu" else (*FLOATS, *EXTREMES)
    for _ in range(chance.randint(1, 3)):
        if copy.size:
            value = np.array(chance.choice(values), dtype=object)
            with np.errstate(all="ignore"):
                kept = np.array(int(value) % 2**64, np.uint64) if copy.dtype.kind in "iu" else value
                copy.ravel()[chance.randrange(copy.size)] = kept.astype(copy.dtype)
    return copy


def shuffled(array: np.ndarray, chance: random.Random) -> np.ndarray:
    return np.random.default_rng(chance.randrange(2**32)).permutation(array)


def damaged_array(array: np.ndarray, chance: random.Random) -> Any:
    kind = chance.random()
    if kind < 0.45:
        return with_extremes(array, chance)
    if kind < 0.5:
        return shuffled(array, chance)
    if kind < 0.95 and array.ndim:
        return chance.choice(LAYOUTS)(array)
    return chance.choice(OTHERS)


def damaged_bytes(text: bytes, chance: random.Random) -> Any:
    size = chance.choice((0, 1, 15, 16, 17, 100, 70_000))
    pieces = (text, b"\0", b"\xff", b"1", b"1,000", b" ", b"\n", b"\r", "½٣\u2028e".encode(), b"-")
    return chance.choice(
        (
            chance.randbytes(size),
            b"".join(chance.choice(pieces) for _ in range(size)),
            chance.choice(pieces) * size,
            bytearray(text),
            memoryview(text),
            text.decode("latin-1"),
            None,
        )
    )


def damaged(value: Any, chance: random.Random) -> Any:
    """Return something else in place of a valid argument."""
    if isinstance(value, np.ndarray):
        return damaged_array(value, chance)
    if isinstance(value, bytes):
        return damaged_bytes(value, chance)
    if isinstance(value, bool | int | float):
        return chance.choice(NUMBERS if chance.random() < 0.9 else OTHERS)
    if isinstance(value, type):  # a native class: an object that was never initialised
        return value.__new__(value)
    if isinstance(value, list):
        return chance.choice(([], [*value, *value], [*value, None], [*value, 3], (), None, "ab", 5))
    uninitialised = type(value).__new__(type(value))
    return chance.choice((uninitialised, *OTHERS)) if chance.random() < 0.9 else type(value)

"""Named arrays ↔ a safetensors file; reading maps it into memory and copies nothing.

The file is written here, not by the package safetensors, so that arrays may come in pieces and keep
their order; every reader of safetensors can read it.
"""

from __future__ import annotations

import json
import math
import mmap
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array

DTYPES = {
    name: np.dtype(code)
    for name, code in {
        "F64": "<f8",
        "I64": "<i8",
        "F32": "<f4",
        "I32": "<i4",
        "I8": "i1",
        "U8": "u1",
    }.items()
}
HEADER_BYTES = 1 << 20  # a longer header is not one of numberline
PADDING = "padding"  # begins the names of arrays that fill gaps, so that others are aligned
ALIGNMENT = 8
CHUNK_BYTES = 1 << 24  # checked at a time


@dataclass(frozen=True)
class Pieces:
    """An array of one dimension that is written piece by piece."""

    dtype: npt.DTypeLike
    pieces: Iterable[Array]


def write_tensors(file: BinaryIO, arrays: Mapping[str, Array | Pieces]) -> str:
    """Write arrays in their order and return the checksum of the file."""
    writer = _Writer(file, arrays)
    for name, array in arrays.items():
        if isinstance(array, Pieces):
            writer.add(name, np.dtype(array.dtype), array.pieces)
        else:
            writer.add(name, array.dtype, [np.ascontiguousarray(array)], array.shape)
        writer.align()
    return writer.finish()


class _Writer:
    def __init__(self, file: BinaryIO, names: Iterable[str]) -> None:
        self._file = file
        self._header_bytes = reserved_bytes(names)
        self._described: dict[str, Any] = {}
        self._end = 0
        self._checksum = 0
        file.seek(self._header_bytes)

    def add(
        self,
        name: str,
        dtype: np.dtype[Any],
        pieces: Iterable[Array],
        shape: tuple[int, ...] | None = None,
    ) -> None:
        code = next(code for code, known in DTYPES.items() if known == dtype)
        start = self._end
        for piece in pieces:
            data = piece.astype(DTYPES[code], copy=False).reshape(-1).view(np.uint8).data
            self._file.write(data)
            self._checksum = zlib.crc32(data, self._checksum)
            self._end += len(data)
        if shape is None:
            shape = ((self._end - start) // dtype.itemsize,)
        self._described[name] = description(code, shape, start, self._end)

    def align(self) -> None:
        """Fill up to where an array of any type may begin."""
        if gap := -self._end % ALIGNMENT:
            name = f"{PADDING}{len(self._described)}"
            self.add(name, np.dtype(np.uint8), [np.zeros(gap, np.uint8)])

    def finish(self) -> str:
        """Write the header, which needs all sizes; it comes last in the checksum, too."""
        text = json.dumps(self._described).encode().ljust(self._header_bytes - 8)
        header = len(text).to_bytes(8, "little") + text
        self._file.seek(0)
        self._file.write(header)
        return f"{zlib.crc32(header, self._checksum):08x}"


def reserved_bytes(names: Iterable[str]) -> int:
    """Return a size at which the header fits before the arrays, whatever their sizes are."""
    longest = description("F64", (1 << 60, 1 << 60), 1 << 60, 1 << 60)
    every = [name for one in names for name in (one, f"{PADDING}{1 << 60}")]
    size = 8 + len(json.dumps([(name, longest) for name in every]))
    return size + -size % ALIGNMENT


def description(code: str, shape: tuple[int, ...], start: int, end: int) -> dict[str, Any]:
    return {"dtype": code, "shape": list(shape), "data_offsets": [start, end]}


class TensorFile:
    """An open safetensors file, mapped into memory read-only, whose arrays are views of it."""

    def __init__(self, file: BinaryIO) -> None:
        """Map the file; a ValueError says what is wrong with it."""
        self._bytes = map_bytes(file)
        start = int.from_bytes(self._bytes[:8], "little") + 8
        if not 8 < start <= min(HEADER_BYTES, len(self._bytes)):
            raise ValueError("it is damaged or too short: it has no header of safetensors")
        self._start = start

    @property
    def size(self) -> int:
        """Return the number of bytes in the file."""
        return len(self._bytes)

    def checksum(self) -> str:
        """Return the checksum that `write_tensors` returned, of the bytes as they are."""
        total, end = 0, len(self._bytes)
        for first in range(self._start, end, CHUNK_BYTES):
            total = zlib.crc32(self._bytes[first : min(first + CHUNK_BYTES, end)], total)
        return f"{zlib.crc32(self._bytes[: self._start], total):08x}"

    def arrays(self) -> dict[str, Array]:
        """Return all arrays; their data must fill the file without gaps or overlaps."""
        try:
            described = json.loads(bytes(self._bytes[8 : self._start]).decode())
        except RecursionError:
            raise ValueError("the brackets of its header are nested too deep") from None
        if not isinstance(described, dict):
            raise ValueError("its header is no JSON object")
        arrays: dict[str, Array] = {}
        end = 0
        for name, tensor in described.items():
            dtype, shape = described_as(tensor)
            size = dtype.itemsize * math.prod(shape)
            if tensor["data_offsets"] != [end, end + size]:
                raise ValueError(f"the bytes of {name!r:.40} do not fit")
            if not name.startswith(PADDING):
                arrays[name] = self._array(dtype, shape, end, size)
            end += size
        if self._start + end != len(self._bytes):
            raise ValueError("its arrays do not fill it")
        return arrays

    def _array(self, dtype: np.dtype[Any], shape: tuple[int, ...], first: int, size: int) -> Array:
        if self._start + first + size > len(self._bytes):
            raise ValueError("it is too short for its arrays")
        data = self._bytes[self._start + first : self._start + first + size]
        array: Array = np.frombuffer(data, dtype).reshape(shape) if size else np.zeros(shape, dtype)
        return array


def map_bytes(file: BinaryIO) -> memoryview:
    """Return the bytes of a file; they are read when they are used."""
    try:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except ValueError:  # an empty file cannot be mapped
        return memoryview(b"")


def described_as(tensor: Any) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Return the type and the shape that a header gives an array."""
    if not isinstance(tensor, dict) or set(tensor) != {"dtype", "shape", "data_offsets"}:
        raise ValueError("its header does not describe its arrays")
    shape = tensor["shape"]
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("its header holds a shape that is none")
    if len(shape) > 2 or not isinstance(tensor["dtype"], str) or tensor["dtype"] not in DTYPES:
        raise ValueError("its header describes an array that numberline does not write")
    return DTYPES[tensor["dtype"]], tuple(shape)

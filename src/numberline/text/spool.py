"""Indexed blocks, kept until the vocabulary is known; and arrays written piece by piece."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from numberline.text.indexing import IndexedBlock

_NO_IDS = np.empty(0, np.int32)
_NO_LENGTHS = np.empty(0, np.int64)
_NO_BLOCK = IndexedBlock(0, _NO_IDS, _NO_LENGTHS, ends_line=True, replaced_characters=0)


class Spool:
    """Blocks kept in order: in memory up to a limit, the later ones in a temporary file."""

    def __init__(self, in_memory_bytes: int) -> None:
        self._room = in_memory_bytes
        self._in_memory: list[IndexedBlock] = []
        self._file: IO[bytes] | None = None
        self._on_disk: list[tuple[IndexedBlock, int, int]] = []  # without arrays, but their sizes

    def append(self, block: IndexedBlock) -> None:
        self._room -= block.ids.nbytes + block.line_lengths.nbytes
        if self._room >= 0:
            self._in_memory.append(block)
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._file.write(block.ids.data)
        self._file.write(block.line_lengths.data)
        emptied = replace(block, ids=_NO_IDS, line_lengths=_NO_LENGTHS)
        self._on_disk.append((emptied, len(block.ids), len(block.line_lengths)))

    @property
    def is_on_disk(self) -> bool:
        return self._file is not None

    def drain(self) -> Iterator[IndexedBlock]:
        """All blocks, once; each is let go when the next is asked for."""
        for place, block in enumerate(self._in_memory):
            self._in_memory[place] = _NO_BLOCK
            yield block
        if self._file is None:
            return
        self._file.seek(0)
        for block, id_count, line_count in self._on_disk:
            ids = self._read(np.int32, id_count)
            yield replace(block, ids=ids, line_lengths=self._read(np.int64, line_count))

    def _read(self, dtype: type[Any], count: int) -> npt.NDArray[Any]:
        assert self._file is not None
        return np.frombuffer(bytearray(self._file.read(count * np.dtype(dtype).itemsize)), dtype)

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


class NpyWriter:
    """A one-dimensional .npy file whose length is known only at the end."""

    def __init__(self, path: Path, dtype: type[Any]) -> None:
        self._dtype = np.dtype(dtype)
        self._length = 0
        self._file = path.open("wb")
        self._write_header()
        self._header_bytes = self._file.tell()

    def append(self, more: npt.NDArray[Any]) -> None:
        self._file.write(np.ascontiguousarray(more, self._dtype).data)
        self._length += len(more)

    def _write_header(self) -> None:
        description = {
            "descr": np.lib.format.dtype_to_descr(self._dtype),
            "fortran_order": False,
            "shape": (self._length,),
        }
        np.lib.format.write_array_header_1_0(self._file, description)

    def __enter__(self) -> NpyWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if error is None:
            self._file.seek(0)
            self._write_header()
            # NumPy pads headers so that they can grow; if it ever stops, say so, don't corrupt.
            assert self._file.tell() == self._header_bytes
        self._file.close()

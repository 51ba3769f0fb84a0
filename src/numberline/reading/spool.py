"""Blocks of provisional ids, kept until the vocabulary is known; arrays written piece by piece."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from numberline.reading.counting import NumberedBlock

_NO_IDS = np.empty(0, np.int32)
_NO_LENGTHS = np.empty(0, np.int64)


class Spool:
    """Keeps blocks in order: in memory up to a limit, the later ones in a temporary file."""

    def __init__(self, in_memory_bytes: int, directory: Path | None = None) -> None:
        self._in_memory_bytes = in_memory_bytes
        self._directory = directory  # of the temporary file; None: the system's own
        self._ids = bytearray()  # grows without copying, and can be renumbered in place
        self._line_lengths = bytearray()
        self._file: IO[bytes] | None = None
        self._blocks: list[tuple[NumberedBlock, int, int]] = []  # without arrays; their sizes

    def append(self, block: NumberedBlock) -> None:
        emptied = replace(block, ids=_NO_IDS, line_lengths=_NO_LENGTHS)
        self._blocks.append((emptied, len(block.ids), len(block.line_lengths)))
        needed_bytes = block.ids.nbytes + block.line_lengths.nbytes
        held_bytes = len(self._ids) + len(self._line_lengths)
        if self._file is None and held_bytes + needed_bytes <= self._in_memory_bytes:
            self._ids += block.ids.data.cast("B")
            self._line_lengths += block.line_lengths.data.cast("B")
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._directory)  # noqa: SIM115
        self._file.write(block.ids.data)
        self._file.write(block.line_lengths.data)

    @property
    def is_on_disk(self) -> bool:
        return self._file is not None

    @property
    def ids_in_memory(self) -> npt.NDArray[np.int32]:
        return np.frombuffer(self._ids, np.int32)

    def blocks(self) -> Iterator[NumberedBlock]:
        """Yield all blocks; changing ids that are in memory changes `ids_in_memory`."""
        ids, line_lengths = self.ids_in_memory, np.frombuffer(self._line_lengths, np.int64)
        first_id = first_line = 0
        if self._file is not None:
            self._file.seek(0)
        for block, id_count, line_count in self._blocks:
            if first_id < len(ids) or first_line < len(line_lengths):
                block_ids = ids[first_id : first_id + id_count]
                block_lengths = line_lengths[first_line : first_line + line_count]
            else:
                block_ids = self._read(np.int32, id_count)
                block_lengths = self._read(np.int64, line_count)
            yield replace(block, ids=block_ids, line_lengths=block_lengths)
            first_id, first_line = first_id + id_count, first_line + line_count

    def _read(self, dtype: type[Any], count: int) -> npt.NDArray[Any]:
        assert self._file is not None
        return np.frombuffer(bytearray(self._file.read(count * np.dtype(dtype).itemsize)), dtype)

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


class NpyWriter:
    """Writes a one-dimensional .npy file whose length is known only at the end."""

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
            # NumPy pads headers so that they can grow. Should it stop, fail instead of corrupting.
            assert self._file.tell() == self._header_bytes
        self._file.close()

"""Blocks of provisional ids → the same blocks, kept until the vocabulary is complete."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from numberline.reading.counting import NumberedBlock

_NO_IDS = np.empty(0, np.int32)
_NO_LENGTHS = np.empty(0, np.int64)


class Spool:
    """Keeps blocks in order: in memory up to a limit, and later ones in a temporary file."""

    def __init__(self, in_memory_bytes: int, directory: Path | None = None) -> None:
        self._in_memory_bytes = in_memory_bytes
        self._directory = directory  # where the temporary file goes; None: the system's default
        self._ids = bytearray()  # grows without copying, and can be renumbered in place
        self._line_lengths = bytearray()
        self._file: IO[bytes] | None = None
        # Blocks without their arrays, and the lengths of those.
        self._blocks: list[tuple[NumberedBlock, int, int]] = []

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

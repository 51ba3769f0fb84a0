"""An Arrow file → an error if it would unpack to buffers larger than memory should hold.

Each compressed buffer begins with the size to which it unpacks. Arrow allocates that much before it
reads on, so a small file could ask for any amount. The sizes are found by way of the file's own
tables (https://arrow.apache.org/docs/format/Columnar.html), which are FlatBuffers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from numberline.extras import optional

LARGEST_BUFFER = 1 << 30  # bytes
TAIL_BYTES = 10  # of an Arrow file: the length of its footer, and ARROW1
BLOCK_BYTES = 24  # an offset, a length of metadata, a length of the body
BUFFER_BYTES = 16  # an offset into the body, and a length


class Table:
    """A FlatBuffers table, at `start` in `data`."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._start = data, start
        self._fields = start - self.number("<i", start)

    def number(self, kind: str, at: int) -> int:
        if not 0 <= at <= len(self._data) - struct.calcsize(kind):
            raise ValueError("its metadata are damaged")
        return int(struct.unpack_from(kind, self._data, at)[0])

    def field(self, index: int) -> int:
        """Return where a field is, or 0 if it is left out."""
        entry = 4 + 2 * index
        if entry >= self.number("<H", self._fields):
            return 0
        offset = self.number("<H", self._fields + entry)
        return self._start + offset if offset else 0

    def table(self, index: int) -> Table:
        return Table(self._data, self.target(index))

    def target(self, index: int) -> int:
        at = self.field(index)
        if not at:
            raise ValueError("its metadata are damaged")
        return at + self.number("<I", at)

    def structs(self, index: int, size: int) -> Iterator[int]:
        """Yield where the elements of a vector are."""
        if self.field(index):
            start = self.target(index)
            for element in range(self.number("<I", start)):
                yield start + 4 + size * element


def require_small_stream(file: Any) -> None:
    """Check the messages from the file's position on."""
    for message in optional("pyarrow.ipc", "arrow").MessageReader.open_stream(file):
        require_small(message)


def require_small_file(file: Any) -> None:
    """Check the messages that the footer of a file lists."""
    read_message = optional("pyarrow.ipc", "arrow").read_message
    file.seek(file.size() - TAIL_BYTES)
    size = int.from_bytes(file.read(4), "little")
    file.seek(max(0, file.size() - TAIL_BYTES - size))
    data = file.read(size)
    footer = root(data)
    for vector in (2, 3):  # dictionaries, batches
        for at in footer.structs(vector, BLOCK_BYTES):
            file.seek(footer.number("<q", at))
            require_small(read_message(file))


def require_small(message: Any) -> None:
    if message.type not in ("record batch", "dictionary") or message.body is None:
        return
    batch = root(message.metadata.to_pybytes()).table(2)
    if message.type == "dictionary":
        batch = batch.table(1)
    if not batch.field(3):  # it is not compressed
        return
    for at in batch.structs(2, BUFFER_BYTES):
        start, length = batch.number("<q", at), batch.number("<q", at + 8)
        if length >= 8 and 0 <= start <= message.body.size - 8:
            size = message.body.slice(start, 8).to_pybytes()
            unpacked = int.from_bytes(size, "little", signed=True)  # -1: it is not compressed
            if unpacked > LARGEST_BUFFER:
                raise ValueError(
                    f"a buffer unpacks to {unpacked:,} bytes, and {LARGEST_BUFFER:,} are the most "
                    "that is read; write it in smaller batches"
                )


def root(data: bytes) -> Table:
    return Table(data, int.from_bytes(data[:4], "little"))

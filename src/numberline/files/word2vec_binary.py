"""Words and their vectors ↔ bytes: a header as in text, then each word, a blank, and its float32s.

word2vec and others put a line end after each vector; it is written, but not needed in reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

import numpy as np

from numberline.arrays import Array
from numberline.errors import VectorsError
from numberline.files.word2vec_header import miscounted, read_header

FLOAT = np.dtype("<f4")
LONGEST_WORD = 1 << 16  # bytes; whatever is longer is no word


def write_binary(words: list[str], table: Array, file: BinaryIO) -> None:
    file.write(b"%d %d\n" % table.shape)
    for word, row in zip(words, table, strict=True):
        file.write(word.encode() + b" " + row.astype(FLOAT).tobytes() + b"\n")


def read_binary(chunks: Iterator[bytes], name: str) -> tuple[list[str], Array]:
    """Return the words and their vectors. The first chunk must hold the whole header."""
    first_line, _, start = next(chunks, b"").partition(b"\n")
    header = read_header(first_line, name)
    words: list[str] = []
    table = bytearray()
    for word, row in records(chain([start], chunks), header.dim * FLOAT.itemsize, name):
        words.append(word.lstrip(b"\n").decode("utf-8", "replace"))
        table += row
    if len(words) != header.words:
        raise miscounted(name, header, len(words))
    rows = np.frombuffer(table, FLOAT).reshape(len(words), header.dim)
    return words, rows.astype(np.float32, copy=False)


def records(chunks: Iterable[bytes], row_bytes: int, name: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the bytes of each word and of its vector; both must be complete at the end."""
    rest = b""
    for chunk in chunks:
        buffer, start = rest + chunk, 0
        while (blank := buffer.find(b" ", start)) >= 0 and blank + row_bytes < len(buffer):
            end = blank + 1 + row_bytes
            yield buffer[start:blank], buffer[blank + 1 : end]
            start = end
        rest = buffer[start:]
        if blank < 0 and len(rest) > LONGEST_WORD:
            raise VectorsError(
                f"{name}: a word of more than {LONGEST_WORD:,} bytes; this is no word2vec file"
            )
    if rest.strip(b"\n"):
        raise VectorsError(f"{name} ends within a vector; the file is truncated or damaged")

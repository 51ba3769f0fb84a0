"""Bytes ↔ words and vectors: a header as in text, then each word, a blank, and its float32s.

Some writers put a line end behind each vector; it is skipped here, and written, as word2vec did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

import numpy as np

from numberline.errors import VectorsError
from numberline.files.word2vec_header import miscounted, read_header
from numberline.model.word_vectors import WordVectors, from_file

FLOAT = np.dtype("<f4")
LONGEST_WORD = 1 << 16  # bytes; more is no word


def write_binary(vectors: WordVectors, file: BinaryIO) -> None:
    file.write(b"%d %d\n" % (len(vectors), vectors.dim))
    for word, row in zip(vectors.words, vectors.table, strict=True):
        file.write(word.encode() + b" " + row.astype(FLOAT).tobytes() + b"\n")


def read_binary(chunks: Iterator[bytes], name: str) -> WordVectors:
    """The first chunk must hold the header."""
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
    return from_file(words, rows.astype(np.float32, copy=False), name)


def records(chunks: Iterable[bytes], row_bytes: int, name: str) -> Iterator[tuple[bytes, bytes]]:
    """The bytes of each word and of its vector; what is left at the end is no whole one."""
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

"""Words and their vectors ↔ files of word2vec, fastText and GloVe, in text or binary.

text     one line per word: the word, then its numbers, with a blank before each; numbers have the
         fewest digits that read back as the same float32
binary   a word, a blank, its float32s, and a line end, which readers do not need

The first line holds the numbers of words and of dimensions; GloVe's text has no such line.
"""

from __future__ import annotations

import codecs
import re
import warnings
from collections.abc import Iterable, Iterator
from itertools import chain, takewhile
from typing import BinaryIO, NamedTuple

import numpy as np

from numberline.arrays import Array
from numberline.errors import NumberlineWarning, VectorsError

MOST_DIMENSIONS = 100_000
LONGEST_LINE = 1 << 23  # bytes; a file with longer lines is not text
LONGEST_WORD = 1 << 16  # bytes; a binary file with longer words is not word2vec's
FLOAT = np.dtype("<f4")
_HEADER = re.compile(rb"\s*(\d{1,15})\s+(\d{1,15})\s*")


class Header(NamedTuple):
    words: int
    dim: int


def read_header(line: bytes, name: str) -> Header:
    header = parse_header(line)
    if header is None:
        raise VectorsError(
            f"{name} begins with {shown(line)}, but word2vec files begin with the number of words "
            "and of dimensions; the format 'glove' has no such line"
        )
    if not 1 <= header.dim <= MOST_DIMENSIONS:
        raise VectorsError(
            f"{name}: its header says {header.dim:,} dimensions; 1 to {MOST_DIMENSIONS:,} are "
            "possible"
        )
    return header


def parse_header(line: bytes) -> Header | None:
    match = _HEADER.fullmatch(line.removeprefix(codecs.BOM_UTF8))
    return Header(int(match[1]), int(match[2])) if match else None


def miscounted(name: str, header: Header, words: int) -> VectorsError:
    more = "more" if words > header.words else f"{words:,}"
    return VectorsError(
        f"{name}: its header says {header.words:,} words, but there are {more}; "
        "the file is truncated or damaged"
    )


def shown(line: bytes) -> str:
    return repr(line[:40].decode("utf-8", "replace"))


def write_text(words: list[str], table: Array, file: BinaryIO, has_header: bool) -> None:
    if has_header:
        file.write(b"%d %d\n" % table.shape)
    for word, row in zip(words, table, strict=True):
        file.write(f"{word} {' '.join(map(str, row))}\n".encode())


def read_text(chunks: Iterator[bytes], name: str, has_header: bool) -> tuple[list[str], Array]:
    lines = numbered_lines(chunks, name)
    header = None
    if has_header:
        header = read_header(next(lines, (1, b""))[1], name)
    words: list[str] = []
    table = bytearray()
    dim = header.dim if header else 0
    for number, line in lines:
        if not line.strip():
            continue
        dim = dim or dimensions_of(line, name)
        try:
            word, numbers = read_line(line, dim)
        except ValueError as error:
            raise VectorsError(f"{name}, line {number}: {error}") from error
        words.append(word.decode("utf-8", "replace"))
        table += as_float32(numbers)
        if header and len(words) > header.words:
            break  # before a compressed file fills the memory
    if header and len(words) != header.words:
        raise miscounted(name, header, len(words))
    if not header and not words:
        raise VectorsError(f"{name} is empty; it should hold words and their vectors")
    return words, np.frombuffer(table, np.float32).reshape(len(words), dim)


def numbered_lines(chunks: Iterator[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a text, numbered from 1."""
    number, rest, is_start = 0, b"", True
    for chunk in chunks:
        text = rest + chunk
        *lines, rest = (text.removeprefix(codecs.BOM_UTF8) if is_start else text).split(b"\n")
        is_start = False
        for line in lines:
            number += 1
            yield number, line
        if len(rest) > LONGEST_LINE:
            raise VectorsError(
                f"{name}, line {number + 1} has more than {LONGEST_LINE:,} bytes; this is no text"
            )
    if rest.strip():
        yield number + 1, rest
        warnings.warn(
            f"{name} has no line end at its end; if the file was cut, so may be its last number",
            NumberlineWarning,
            stacklevel=2,
        )


def read_line(line: bytes, dim: int) -> tuple[bytes, list[float]]:
    """Return a word and its numbers; a ValueError says what is wrong with the line."""
    word, *numbers = line.rstrip().rsplit(b" ", dim)
    first, *parts = word.split(b" ")  # GloVe has words such as `at name@domain.com`
    if len(numbers) < dim or b"" in parts or any(map(is_number, parts)):
        count = len(parts) + len(numbers)
        raise ValueError(f"{count:,} numbers after {shown(first)}, but {dim:,} are needed")
    if not word:
        raise ValueError("it begins with a blank instead of a word")
    if b"_" in line[len(word) :]:  # Python reads 1_0 as a number
        raise ValueError(f"{shown(line[len(word) :])} holds _, which is part of no number")
    try:
        return word, list(map(float, numbers))
    except ValueError:
        odd = next(number for number in numbers if not is_number(number))
        raise ValueError(f"{shown(odd)} is no number") from None


def as_float32(numbers: list[float]) -> bytes:
    with np.errstate(over="ignore"):  # the caller refuses infinite numbers
        return np.array(numbers, np.float32).tobytes()


def dimensions_of(line: bytes, name: str) -> int:
    """Return the number of numbers at the end of a line."""
    fields = line.rstrip().split(b" ")
    count = sum(1 for _ in takewhile(is_number, reversed(fields[1:])))
    if not 1 <= count <= MOST_DIMENSIONS:
        raise VectorsError(f"{name} begins with {shown(line)}, which is not a word and its numbers")
    return count


def is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


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
        if not words[-1]:
            raise VectorsError(f"{name}: word {len(words):,} is empty; the file is damaged")
        table += row
        if len(words) > header.words:
            break  # before a compressed file fills the memory
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

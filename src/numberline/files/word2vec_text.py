"""Words and their vectors ↔ lines of text: a word, then its numbers, with a blank before each.

word2vec and fastText begin with a line that holds the numbers of words and of dimensions; GloVe
does not. Numbers are written with the fewest digits that are read as the same float32.
"""

from __future__ import annotations

import codecs
import warnings
from collections.abc import Iterator
from itertools import takewhile
from typing import BinaryIO

import numpy as np

from numberline.arrays import Array
from numberline.errors import NumberlineWarning, VectorsError
from numberline.files.word2vec_header import MOST_DIMENSIONS, miscounted, read_header, shown

LONGEST_LINE = 1 << 23  # bytes; whatever is longer is no text


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
    if header and len(words) != header.words:
        raise miscounted(name, header, len(words))
    if not header and not words:
        raise VectorsError(f"{name} is empty; it should hold words and their vectors")
    return words, np.frombuffer(table, np.float32).reshape(len(words), dim)


def numbered_lines(chunks: Iterator[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers, from 1 on."""
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
            f"{name} has no line end at its end; if it was cut, its last number may be, too",
            NumberlineWarning,
            stacklevel=2,
        )


def read_line(line: bytes, dim: int) -> tuple[bytes, list[float]]:
    """Return a word and its numbers; the text of a ValueError says what is wrong."""
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
    with np.errstate(over="ignore"):  # infinite numbers are refused when all is read
        return np.array(numbers, np.float32).tobytes()


def dimensions_of(line: bytes, name: str) -> int:
    """Return how many numbers a line ends with."""
    fields = line.rstrip().split(b" ")
    count = sum(1 for _ in takewhile(is_number, reversed(fields[1:])))
    if not 1 <= count <= MOST_DIMENSIONS:
        raise VectorsError(f"{name} begins with {shown(line)}, which is no word and its numbers")
    return count


def is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True

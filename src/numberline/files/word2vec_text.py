"""Lines of text ↔ words and vectors: a word, then its numbers, between single blanks.

word2vec and fastText put a line before them that says how many words and dimensions there are;
GloVe does not. Numbers are written with the fewest digits that give the same float32 again.
"""

from __future__ import annotations

import codecs
import warnings
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from numberline.errors import NumberlineWarning, VectorsError
from numberline.files.word2vec_header import MOST_DIMENSIONS, miscounted, read_header, shown
from numberline.model.word_vectors import WordVectors, from_file

LONGEST_LINE = 1 << 23  # bytes; more is no text


def write_text(vectors: WordVectors, file: BinaryIO, has_header: bool) -> None:
    if has_header:
        file.write(b"%d %d\n" % (len(vectors), vectors.dim))
    for word, row in zip(vectors.words, vectors.table, strict=True):
        file.write(f"{word} {' '.join(map(str, row))}\n".encode())


def read_text(chunks: Iterator[bytes], name: str, has_header: bool) -> WordVectors:
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
    return from_file(words, np.frombuffer(table, np.float32).reshape(len(words), dim), name)


def numbered_lines(chunks: Iterator[bytes], name: str) -> Iterator[tuple[int, bytes]]:
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
            f"{name} has no line end at its end; if it was cut, so may be its last number",
            NumberlineWarning,
            stacklevel=2,
        )


def read_line(line: bytes, dim: int) -> tuple[bytes, list[float]]:
    """A word and its numbers. A ValueError says what is wrong."""
    fields = line.rstrip().split(b" ")
    if len(fields) != dim + 1:
        fields = with_blanks_in_word(fields, dim)
    word = fields[0]
    if not word:
        raise ValueError("it begins with a blank instead of a word")
    if b"_" in line[len(word) :]:  # which Python takes for part of a number
        raise ValueError(f"{shown(line[len(word) :])} holds _, which is part of no number")
    try:
        return word, list(map(float, fields[1:]))
    except ValueError:
        odd = next(field for field in fields[1:] if not is_number(field))
        raise ValueError(f"{shown(odd)} is no number") from None


def as_float32(numbers: list[float]) -> bytes:
    with np.errstate(over="ignore"):  # what became infinite is found when all is read
        return np.array(numbers, np.float32).tobytes()


def with_blanks_in_word(fields: list[bytes], dim: int) -> list[bytes]:
    """As in GloVe's `at name@domain.com`; a number among its parts shows a wrong dimension."""
    parts = fields[:-dim]
    if not parts or any(map(is_number, parts[1:])) or b"" in parts:
        count = len(fields) - 1
        raise ValueError(f"{count:,} numbers after {shown(fields[0])}, but {dim:,} are needed")
    return [b" ".join(parts), *fields[-dim:]]


def dimensions_of(line: bytes, name: str) -> int:
    """How many numbers end a line."""
    fields = line.rstrip().split(b" ")
    count = 0
    for field in reversed(fields[1:]):
        if not is_number(field):
            break
        count += 1
    if not 1 <= count <= MOST_DIMENSIONS:
        raise VectorsError(f"{name} begins with {shown(line)}, which is no word and its numbers")
    return count


def is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True

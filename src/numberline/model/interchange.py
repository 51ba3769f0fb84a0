"""Vectors ↔ files that other tools read: word2vec (binary, text), GloVe, and mapped NumPy arrays.

export(model, "vectors.bin", numerals=1000)   a model's words and some numerals, written
read_vectors("vectors.bin")                   vectors of whatever origin, as WordVectors
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from numberline.errors import VectorsError
from numberline.files.decompression import READ_BYTES, decompress, peek
from numberline.files.npy_folder import read_npy, unreadable, write_npy
from numberline.files.whole_file import replace_file
from numberline.files.word2vec_binary import read_binary, write_binary
from numberline.files.word2vec_header import parse_header
from numberline.files.word2vec_text import read_text, write_text
from numberline.model.arguments import one_of
from numberline.model.embeddings import Embeddings
from numberline.model.materialise import Numerals, materialise
from numberline.model.word_vectors import WordVectors, from_file
from numberline.numerals.base import Side

FORMATS = ("word2vec", "word2vec-text", "glove", "npy")
SNIFF_BYTES = 1 << 14  # a header, and what follows it
SNIFFED_NUMBERS = 64  # bytes after the first word

# A blank or line end of any script would cut a word in two, in some reader if not in ours; the
# byte order mark would vanish at the start of a file.
_UNWRITABLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff\ufeff]|^$")


def export(
    model: Embeddings,
    path: str | Path,
    format: str = "word2vec",
    *,
    numerals: Numerals = None,
    side: Side = "input",
    overwrite: bool = False,
    skip_unwritable: bool = False,
) -> WordVectors:
    """Write a model's words and the chosen numerals, whole or not at all; give what was written.

    Words with blanks or control characters fit only "npy"; elsewhere they are refused, or left
    out with skip_unwritable.
    """
    one_of("format", format, FORMATS)
    vectors = materialise(model, numerals, side)
    if skip_unwritable and format != "npy":
        vectors = writable_part(vectors)
    write_vectors(vectors, path, format, overwrite=overwrite)
    return vectors


def write_vectors(
    vectors: WordVectors, path: str | Path, format: str = "word2vec", *, overwrite: bool = False
) -> None:
    one_of("format", format, FORMATS)
    path = Path(path)
    if format == "npy":
        write_npy(vectors.words, vectors.table, path, overwrite)
        return
    require_writable(vectors.words, format)
    with replace_file(path, overwrite) as file:
        if format == "word2vec":
            write_binary(vectors.words, vectors.table, file)
        else:
            has_header = format == "word2vec-text"
            write_text(vectors.words, vectors.table, file, has_header)


def read_vectors(path: str | Path, format: str | None = None) -> WordVectors:
    """Vectors of a file, compressed or not; its format is found out unless it is given."""
    path = Path(path)
    if format is not None:
        one_of("format", format, FORMATS)
    if format == "npy" or (format is None and path.is_dir()):
        return from_file(*read_npy(path), str(path))
    head, rest = peek(decompress(file_chunks(path), str(path)), SNIFF_BYTES)
    chunks = chain([head], rest)
    found = format or guessed_format(head)
    if found == "word2vec":
        return from_file(*read_binary(chunks, str(path)), str(path))
    return from_file(*read_text(chunks, str(path), found == "word2vec-text"), str(path))


def guessed_format(head: bytes) -> str:
    """By its first line, and by whether what follows the first word can be read."""
    first_line, _, following = head.partition(b"\n")
    if parse_header(first_line) is None:
        return "glove"
    numbers = following.partition(b" ")[2][:SNIFFED_NUMBERS].partition(b"\n")[0]
    is_text = all(32 <= byte < 127 or byte in b"\r\t" for byte in numbers)
    return "word2vec-text" if is_text else "word2vec"


def file_chunks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while chunk := file.read(READ_BYTES):
                yield chunk
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unreadable(path, error) from error


def is_writable(word: str) -> bool:
    return _UNWRITABLE.search(word) is None


def require_writable(words: list[str], format: str) -> None:
    odd = [word for word in words if not is_writable(word)]
    if odd:
        raise VectorsError(
            f"{len(odd):,} words hold blanks or control characters or nothing, as {odd[0]!r:.40}, "
            f"which {format} files cannot hold; leave them out or choose the format npy"
        )


def writable_part(vectors: WordVectors) -> WordVectors:
    kept = [at for at, word in enumerate(vectors.words) if is_writable(word)]
    if len(kept) == len(vectors):
        return vectors
    return WordVectors([vectors.words[at] for at in kept], vectors.table[kept])

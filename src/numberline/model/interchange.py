"""Words and vectors ↔ files of other tools: word2vec (binary, text), GloVe, mapped NumPy arrays.

Folders of model2vec are written only.

export(model, "vectors.bin", numerals=1000)   writes a model's words and some numerals
read_vectors("vectors.bin")                   returns the vectors of a file, as WordVectors
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from numberline.errors import VectorsError
from numberline.fields import one_of
from numberline.files.decompression import READ_BYTES, decompress, peek, plausible
from numberline.files.model2vec import write_model2vec
from numberline.files.npy_folder import read_npy, unreadable, write_npy
from numberline.files.regular import open_regular
from numberline.files.whole_file import replace_file
from numberline.files.word2vec import (
    parse_header,
    read_binary,
    read_text,
    write_binary,
    write_text,
)
from numberline.model.embeddings import Embeddings
from numberline.model.materialise import Numerals, materialise
from numberline.model.text_vectors import token_weights
from numberline.model.word_vectors import WordVectors, from_file
from numberline.numerals.base import Side

FORMATS = ("word2vec", "word2vec-text", "glove", "npy")
WRITTEN_FORMATS = (*FORMATS, "model2vec")
FORMAT_BYTES = 1 << 14  # read to detect the format: a header and the line after it
NUMBER_BYTES = 64  # after the first word: if they are text, so are the numbers of the file

# Some reader would split a word at a blank or line end of any script, and drop a byte order mark at
# the start of a file.
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
    """Write a model's words and the chosen numerals, whole or not at all; return them.

    Only "npy" can hold words with blanks or control characters; other formats refuse them, or
    leave them out with skip_unwritable=True. For "model2vec", rows are scaled by how much a token
    counts, so that its means are those of `text_vectors`.
    """
    one_of(*WRITTEN_FORMATS)("format", format)
    vectors = materialise(model, numerals, side)
    if skip_unwritable and format != "npy":
        vectors = writable_part(vectors)
    if format == "model2vec":
        require_writable(vectors.words, format)
        weights = token_weights(model, model.lookup.read_tokens(vectors.words))
        table = vectors.table * weights[:, None]
        lowercase = model.settings.lowercase
        write_model2vec(vectors.words, table, Path(path), lowercase, overwrite)
        return vectors
    write_vectors(vectors, path, format, overwrite=overwrite)
    return vectors


def write_vectors(
    vectors: WordVectors, path: str | Path, format: str = "word2vec", *, overwrite: bool = False
) -> None:
    one_of(*FORMATS)("format", format)
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
    """Read the vectors of a file, compressed or not; without `format` it is detected."""
    path = Path(path)
    if format is not None:
        one_of(*FORMATS)("format", format)
    if format == "npy" or (format is None and path.is_dir()):
        return from_file(*read_npy(path), str(path))
    content = plausible(decompress(file_chunks(path), str(path)), path.stat().st_size, str(path))
    head, rest = peek(content, FORMAT_BYTES)
    chunks = chain([head], rest)
    format = format or format_of(head)
    if format == "word2vec":
        return from_file(*read_binary(chunks, str(path)), str(path))
    return from_file(*read_text(chunks, str(path), format == "word2vec-text"), str(path))


def format_of(head: bytes) -> str:
    """Return the format of a file, judged by its first line and the bytes after the first word."""
    first_line, _, following = head.partition(b"\n")
    if parse_header(first_line) is None:
        return "glove"
    numbers = following.partition(b" ")[2][:NUMBER_BYTES].partition(b"\n")[0]
    is_text = all(32 <= byte < 127 or byte in b"\r\t" for byte in numbers)
    return "word2vec-text" if is_text else "word2vec"


def file_chunks(path: Path) -> Iterator[bytes]:
    try:
        with open_regular(path) as file:
            while chunk := file.read(READ_BYTES):
                yield chunk
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unreadable(path, error) from error


def is_writable(word: str) -> bool:
    """Tell whether formats other than npy can hold a word."""
    return _UNWRITABLE.search(word) is None


def require_writable(words: list[str], format: str) -> None:
    odd = [word for word in words if not is_writable(word)]
    if odd:
        raise VectorsError(
            f"{len(odd):,} words are empty or hold blanks or control characters, "
            f"such as {odd[0]!r:.40}, which {format} files cannot hold; leave them out or choose "
            "the format npy"
        )


def writable_part(vectors: WordVectors) -> WordVectors:
    """Return the words that every format can hold, with their vectors."""
    kept = [id for id, word in enumerate(vectors.words) if is_writable(word)]
    if len(kept) == len(vectors):
        return vectors
    return WordVectors([vectors.words[id] for id in kept], vectors.table[kept])

"""Words and their vectors ↔ a folder with vectors.npy and words.json.

vectors.npy   float32 [words, dim], which stays on disk and is mapped into memory
words.json    a list of the words, which may be any strings, in the order of the rows
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import BinaryIO

import numpy as np

from numberline.arrays import Array
from numberline.errors import VectorsError
from numberline.files.whole_folder import FolderKind, replace_folder

VECTORS, WORDS = "vectors.npy", "words.json"


def write_npy(words: list[str], table: Array, folder: Path, overwrite: bool) -> None:
    with replace_folder(folder, EXPORTED, overwrite) as unfinished:
        with (unfinished / VECTORS).open("wb") as file:
            write_table(np.ascontiguousarray(table, np.float32), file)
        text = json.dumps(words, indent=0)
        (unfinished / WORDS).write_text(text, encoding="utf-8")


def write_table(table: Array, file: BinaryIO) -> None:
    """Write an array in NumPy's format; np.save may leave out its end without an error."""
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(table))
    file.write(table.data)


def read_npy(folder: Path) -> tuple[list[str], Array]:
    words = read_words(folder / WORDS)
    table = map_table(folder / VECTORS)
    if len(words) != len(table):
        raise VectorsError(f"{folder} holds {len(words):,} words, but {len(table):,} vectors")
    return words, table


def read_words(path: Path) -> list[str]:
    try:
        words = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise VectorsError(f"{path} is no list of words")
    return words


def map_table(path: Path) -> Array:
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise unreadable(path, error) from error
    if not isinstance(table, np.ndarray) or table.ndim != 2 or table.dtype != np.float32:
        raise VectorsError(f"{path} holds no table of float32 numbers")
    return table


def holds_vectors(folder: Path) -> bool:
    return (folder / VECTORS).is_file() and (folder / WORDS).is_file()


EXPORTED = FolderKind("exported vectors", frozenset({VECTORS, WORDS}), holds_vectors)


def unreadable(path: Path, error: Exception) -> VectorsError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return VectorsError(f"cannot read {path}: {reason}")

"""Words and their vectors ↔ a folder with vectors.npy and words.json.

vectors.npy   float32 [words, dim], which stays on disk and is mapped into memory
words.json    a list of the words, which may be any strings, in the order of the rows
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np

from numberline.arrays import Array
from numberline.errors import VectorsError
from numberline.files.regular import open_regular, read_whole, reason_of
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
        words = json.loads(read_whole(path).decode())
    except RecursionError:
        raise VectorsError(f"cannot read {path}: it is nested too deeply") from None
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise VectorsError(f"{path} is no list of words")
    return words


def map_table(path: Path) -> Array:
    try:
        with open_regular(path) as file:
            shape, by_column, dtype = read_table_header(file)
            if len(shape) != 2 or dtype != np.float32:
                raise VectorsError(f"{path} holds no table of float32 numbers")
            start = file.tell()
            if start + math.prod(shape) * dtype.itemsize != file.seek(0, os.SEEK_END):
                raise ValueError(f"it has another size than a table of {shape}; it is damaged")
            if not math.prod(shape):
                return np.zeros(shape, dtype)
            order: Literal["F", "C"] = "F" if by_column else "C"
            return np.memmap(file, dtype, "r", start, shape, order)
    except (OSError, ValueError) as error:
        if isinstance(error, VectorsError):
            raise
        raise unreadable(path, error) from error


def read_table_header(file: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return the shape, whether columns are stored one after the other, and the type.

    NumPy parses this header as a Python literal, which can fail in many ways.
    """
    try:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0
        if version != (1, 0):
            read = np.lib.format.read_array_header_2_0
        header: tuple[tuple[int, ...], bool, np.dtype[Any]] = read(file)
    except OSError:
        raise
    except Exception as error:
        raise ValueError("it has no header of NumPy") from error
    if header[2].hasobject:
        raise ValueError("it holds Python objects")
    if any(type(size) is not int or size < 0 for size in header[0]):
        raise ValueError(f"its shape is {header[0]}")
    return header


def holds_vectors(folder: Path) -> bool:
    return (folder / VECTORS).is_file() and (folder / WORDS).is_file()


EXPORTED = FolderKind("exported vectors", frozenset({VECTORS, WORDS}), holds_vectors)


def unreadable(path: Path, error: Exception) -> VectorsError:
    return VectorsError(f"cannot read {path}: {reason_of(error)}")

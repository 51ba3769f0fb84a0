"""Bytes → a file that appears as a whole or not at all."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from numberline.errors import OutputError
from numberline.files.whole_folder import hidden_neighbour, require_replaceable

GZIP_LEVEL = 6  # higher levels hardly make vectors smaller


@contextmanager
def replace_file(path: Path, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Yield a file to write; it replaces `path` at the end, or vanishes after an error.

    It is compressed if the name ends in .gz.
    """
    target = free_file(path, overwrite)
    with hidden_neighbour(target, path) as partial:
        new = partial / "new"
        with new.open("wb") as file:
            if path.suffix == ".gz":
                with gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as compressed:
                    yield cast(BinaryIO, compressed)
            else:
                yield file
        os.replace(new, target)


def free_file(path: Path, overwrite: bool) -> Path:
    """Return the path behind any links; it is an error if the file must not be written."""
    target = require_replaceable(path)
    if target.exists() and not target.is_file():
        raise OutputError(f"cannot write {path}: it is no file")
    if target.exists() and not overwrite:
        raise OutputError(f"{path} exists already; overwrite it or choose another file")
    return target

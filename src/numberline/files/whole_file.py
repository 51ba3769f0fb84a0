"""Bytes → a file that appears as a whole or not at all."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from numberline.errors import OutputError
from numberline.files.lock import NEW, Lock
from numberline.files.whole_folder import output_errors, require_replaceable, synchronise

GZIP_LEVEL = 6  # higher levels hardly make vectors smaller


@contextmanager
def replace_file(path: Path, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Yield a file to write; it replaces `path` at the end, or vanishes after an error.

    It is compressed if the name ends in .gz.
    """
    target = free_file(path, overwrite)
    with output_errors(path):
        lock = Lock(target)
        new = lock.folder / NEW
        try:
            with new.open("wb") as file:
                if path.suffix == ".gz":
                    with gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as compressed:
                        yield cast(BinaryIO, compressed)
                else:
                    yield file
            synchronise(new)
            free_file(path, overwrite)
            os.replace(new, target)
            synchronise(target.parent)
        finally:
            with suppress(OSError):  # the next writer begins it anew
                new.unlink(missing_ok=True)
            lock.release()


def free_file(path: Path, overwrite: bool) -> Path:
    """Return the path behind any links; it is an error if the file must not be written."""
    target = require_replaceable(path)
    if target.exists() and not target.is_file():
        raise OutputError(f"cannot write {path}: it is no file")
    if target.exists() and not overwrite:
        raise OutputError(f"{path} exists already; overwrite it or choose another file")
    return target

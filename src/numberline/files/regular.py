"""A path → its file, opened only if reading cannot wait: no pipe, device or socket."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

LARGEST_TEXT = 1 << 30  # bytes of a file that is read at once

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


class NotRegularError(OSError):
    """A path to something else than a file; its strerror says what it is."""

    def __init__(self, path: str | os.PathLike[str], mode: int) -> None:
        if stat.S_ISDIR(mode):
            super().__init__(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        else:
            super().__init__(
                errno.EINVAL, f"it is {kind_of(mode)}, no regular file", os.fspath(path)
            )


def kind_of(mode: int) -> str:
    return _KINDS.get(stat.S_IFMT(mode), "of an unknown kind")


def open_regular(
    path: str | os.PathLike[str], opener: Callable[[str, int], int] = os.open
) -> BinaryIO:
    """Return a regular file, open for reading; anything else is an OSError and never waits."""
    flags = os.O_RDONLY
    for name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY"):  # not every system has all of them
        flags |= getattr(os, name, 0)
    try:
        descriptor = opener(os.fspath(path), flags)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise NotRegularError(path, stat.S_IFSOCK) from error
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise NotRegularError(path, mode)
    return os.fdopen(descriptor, "rb")


def read_whole(path: Path) -> bytes:
    """Return the content of a regular file; a ValueError says that it is too large."""
    with open_regular(path) as file:
        content = file.read(LARGEST_TEXT + 1)
    if len(content) > LARGEST_TEXT:
        raise ValueError(f"it has more than {LARGEST_TEXT:,} bytes")
    return content


def read_text(path: Path) -> str:
    """Return the text of a regular file without a byte order mark; a ValueError says why not."""
    try:
        text = read_whole(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def reason_of(error: Exception) -> str:
    """Return why a file could not be read."""
    return (isinstance(error, OSError) and error.strerror) or str(error)

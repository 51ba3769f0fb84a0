"""A folder → its files as they were at one moment, even while another process replaces the folder.

A folder is opened once and its files are opened in it, so that all of them are of one version.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from numberline.errors import OutputError
from numberline.files.lock import Lock, hidden_folder
from numberline.files.regular import open_regular
from numberline.files.whole_folder import restore

Result = TypeVar("Result")

TRIES = 100  # while other processes replace the folder
PAUSE_SECONDS = 0.02  # between two tries


class ReplacedError(Exception):
    """The folder was replaced between opening it and opening one of its files."""


class Snapshot:
    """An open folder. Its files stay as they are for as long as they are open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Windows opens no folders. There no file of one can be replaced while another is open.
        is_openable = os.open in os.supports_dir_fd
        self._descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY) if is_openable else None

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading; pipes and devices, which might never end, are refused."""
        try:
            return open_regular(self._folder / name, self._open_within)
        except FileNotFoundError:
            if self._is_replaced():
                raise ReplacedError from None
            raise

    def _open_within(self, path: str, flags: int) -> int:
        if self._descriptor is None:
            return os.open(path, flags)
        return os.open(os.path.basename(path), flags, dir_fd=self._descriptor)

    def _is_replaced(self) -> bool:
        if self._descriptor is None:
            return False
        try:
            return not os.path.samestat(os.fstat(self._descriptor), os.stat(self._folder))
        except FileNotFoundError:
            return True


def read_snapshot(folder: Path, read: Callable[[Snapshot], Result]) -> Result:
    """Return what `read` makes of a folder; it is called again if the folder is replaced meanwhile.

    A folder whose writer was killed while it replaced the folder is put back first.
    """
    for _ in range(TRIES):
        try:
            snapshot = Snapshot(folder)
        except FileNotFoundError:
            # It may have been between two renames and be back already.
            if not was_put_back(folder) and not folder.exists():
                raise
            time.sleep(PAUSE_SECONDS)
            continue
        with snapshot:
            try:
                return read(snapshot)
            except ReplacedError:
                pass
    raise OSError(errno.EBUSY, "other processes replace it all the time", str(folder))


def was_put_back(folder: Path) -> bool:
    """Put back a folder whose writer was killed; tell whether it is worth looking again."""
    target = Path(os.path.realpath(folder))
    if not hidden_folder(target).is_dir():
        return False
    try:
        lock = Lock(target)
    except OutputError:  # its writer is alive
        return True
    except OSError:  # nothing can be written there
        return False
    try:
        restore(target)
    finally:
        lock.release()
    return target.exists()

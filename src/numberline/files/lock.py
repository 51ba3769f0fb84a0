"""A path → a hidden folder beside it that one writer at a time holds.

.numberline-DIGEST/lock        locked while somebody writes
.numberline-DIGEST/new         what is being written
.numberline-DIGEST/old         the replaced folder, on systems that cannot exchange two folders
.numberline-DIGEST/discarded   what is being deleted
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
from pathlib import Path

from numberline.errors import OutputError

LOCK, NEW, OLD, DISCARDED = "lock", "new", "old", "discarded"

_TAKEN = {errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def hidden_folder(target: Path) -> Path:
    """Return the hidden folder that belongs to a path; every process finds the same one."""
    digest = hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]
    return target.with_name(f".numberline-{digest}")


class Lock:
    """The hidden folder of a path, held by this object until it is released."""

    def __init__(self, target: Path) -> None:
        """Take the lock, or raise an OutputError if somebody else has it."""
        self.folder = hidden_folder(target)
        while (descriptor := self._try(target)) is None:
            pass  # its last holder has just deleted the file
        self._descriptor = descriptor

    def _try(self, target: Path) -> int | None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / LOCK
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except FileNotFoundError:
            return None
        is_held = False
        try:
            if not lock_file(descriptor):
                raise OutputError(f"another process is writing {target}; wait until it is done")
            is_held = os.path.samestat(os.fstat(descriptor), os.stat(path))
        except FileNotFoundError:
            pass
        finally:
            if not is_held:
                os.close(descriptor)
        return descriptor if is_held else None

    def release(self) -> None:
        """Delete the hidden folder, unless something is left in it, and let others write."""
        if sys.platform == "win32":  # which deletes no open file
            os.close(self._descriptor)
        try:
            (self.folder / LOCK).unlink(missing_ok=True)
            self.folder.rmdir()
        except OSError:
            pass  # the next writer deletes what is left
        if sys.platform != "win32":
            os.close(self._descriptor)


def lock_file(descriptor: int) -> bool:
    """Lock an open file, and return False if somebody else has locked it."""
    try:
        _lock(descriptor)
    except OSError as error:
        # Disks without locks, such as some network disks, are written without one.
        return error.errno not in _TAKEN
    return True

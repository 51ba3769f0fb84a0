"""Two names on one disk → the same names with their contents exchanged, in one step."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_AT_FDCWD = -100  # Linux: paths are relative to the current folder
_RENAME_EXCHANGE = 2  # Linux, renameat2
_RENAME_SWAP = 2  # macOS, renamex_np
_NOT_SUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def exchange(first: Path, second: Path) -> bool:
    """Exchange two existing names; return False if the system or the disk cannot do it."""
    if sys.platform == "linux":
        paths = (_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second))
        return _call("renameat2", *paths, _RENAME_EXCHANGE)
    if sys.platform == "darwin":
        return _call("renamex_np", os.fsencode(first), os.fsencode(second), _RENAME_SWAP)
    return False


def _call(name: str, *arguments: int | bytes) -> bool:
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if function is None:
        return False
    if function(*arguments) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_SUPPORTED:
        return False
    raise OSError(number, os.strerror(number))

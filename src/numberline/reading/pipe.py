"""The path of a pipe or terminal → what is written to it, without waiting for a writer for ever."""

from __future__ import annotations

import errno
import os
import select
import stat
import time

from numberline.files.regular import NotRegularError

PATIENCE = 5.0  # seconds in which some program must have opened the pipe for writing
PAUSE = 0.02  # seconds between two looks


class Pipe:
    """A pipe or terminal that the user named, such as <(zcat text.gz) in a shell."""

    def __init__(self, path: str) -> None:
        # A plain open would wait for a writer.
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        mode = os.fstat(self._descriptor).st_mode
        self._has_begun = os.isatty(self._descriptor)
        if not (self._has_begun or stat.S_ISFIFO(mode)):
            os.close(self._descriptor)
            raise NotRegularError(path, mode)

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def read1(self, size: int) -> bytes:
        """Return what has been written, or nothing at the end."""
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                data = os.read(self._descriptor, size)
            except BlockingIOError:  # there is a writer, which has written nothing new
                self._has_begun = True
                select.select([self._descriptor], [], [])
                continue
            self._has_begun = self._has_begun or data != b""
            if self._has_begun:
                return data
            if time.monotonic() > give_up:
                reason = f"no program has written to this pipe within {PATIENCE:.0f} seconds"
                raise OSError(errno.ETIMEDOUT, reason)
            time.sleep(PAUSE)

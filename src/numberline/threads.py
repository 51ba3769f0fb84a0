"""A number of threads → a pool of them, or a MemoryError where they could not start."""

from __future__ import annotations

import mmap
from concurrent.futures import ThreadPoolExecutor

# A thread that starts takes its stack, 8 MiB, and then memory of its own, 64 MiB aligned to as
# much. If the limit of a process falls in between, Python 3.11 waits for the thread without end and
# OpenBLAS ends the process.
NEEDED_BYTES = 160 << 20


def thread_pool(threads: int | None = None) -> ThreadPoolExecutor:
    """Return a pool of this many threads, or of as many as Python chooses."""
    require_address_space()
    return ThreadPoolExecutor(threads)


def require_address_space() -> None:
    """Raise a MemoryError unless this process may map NEEDED_BYTES more; no byte is touched."""
    try:
        mmap.mmap(-1, NEEDED_BYTES).close()
    except OSError as error:
        raise MemoryError(f"less than {NEEDED_BYTES >> 20} MiB are free") from error

"""Work on small batches → the same on one thread: several would only wait for each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numberline.errors import MissingExtraError

try:
    import torch
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error


@contextmanager
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)

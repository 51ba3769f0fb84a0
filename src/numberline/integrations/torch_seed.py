"""A seed → torch on one thread and with that seed, for as long as a block of code runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numberline.errors import MissingExtraError

try:
    import torch
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error


@contextmanager
def seeded_torch(seed: int = 0) -> Iterator[None]:
    """Make what torch computes reproducible; afterwards it is as it was.

    It has one thread: several give other sums, and with small batches they wait for each other.
    """
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)

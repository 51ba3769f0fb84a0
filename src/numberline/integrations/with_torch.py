"""torch, or an error that names the extra to install; and torch on one thread with a seed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numberline.errors import MissingExtraError

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

__all__ = ["Tensor", "nn", "seeded_torch", "torch"]


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

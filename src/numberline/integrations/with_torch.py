"""torch, or an error that names the extra to install; and reproducible results from torch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numberline.errors import MissingExtraError

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise MissingExtraError("torch", "torch", error) from error

__all__ = ["Tensor", "nn", "seeded_torch", "torch"]


@contextmanager
def seeded_torch(seed: int = 0) -> Iterator[None]:
    """Make the results of torch reproducible; restore its state afterwards.

    It runs on one thread: several add up in another order, and are slower on small batches.
    """
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)

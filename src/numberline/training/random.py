"""A key and a counter → random bits (SplitMix64 at a chosen counter), without a state.

What is drawn for a token depends on the seed, the epoch and the token's index in the corpus, not on
threads, blocks or what was drawn before. So training can stop and continue anywhere, and every
kernel draws the same. The twin of native/training/random.h.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint64]
GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)


def mixed(bits: Bits) -> Bits:
    bits = (bits ^ bits >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ bits >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return bits ^ bits >> np.uint64(31)


def random_bits(key: int, counters: npt.ArrayLike) -> Bits:
    steps = np.atleast_1d(np.asarray(counters, np.uint64)) + np.uint64(1)
    return mixed(np.uint64(key) + steps * GOLDEN_RATIO)


def random_fraction(bits: Bits) -> npt.NDArray[np.float32]:
    """Return numbers uniform in [0, 1), of 24 bits."""
    return (bits >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)


def random_index(bits: Bits, size: int) -> npt.NDArray[np.int64]:
    """Return numbers uniform in 0 … size - 1, from the upper half of the bits."""
    return ((bits >> np.uint64(32)) * np.uint64(size) >> np.uint64(32)).astype(np.int64)


@cache
def epoch_key(seed: int, epoch: int) -> int:
    """Return the key of all draws of an epoch."""
    return int(random_bits(seed, epoch)[0])


def lower_half(bits: Bits) -> npt.NDArray[np.uint32]:
    return (bits & np.uint64(0xFFFFFFFF)).astype(np.uint32)

"""A corpus and settings → the blocks of text in the order of training, with learning rates.

Blocks are shuffled anew in every epoch: as the learning rate falls, less is learnt from later text.
So each part of a sorted text, or each of several sources, comes early in one epoch and late in
another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.errors import describe
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.random import epoch_key, random_bits

Tokens = npt.NDArray[np.int64]  # indices into the ids of a corpus

MAX_BLOCK_TOKENS = 1 << 14  # a thread trains them in about 5 ms, then returns to Python
MIN_BLOCKS = 256  # per epoch, so that the learning rate falls in small steps
MIN_BLOCK_TOKENS = 512  # a short text has fewer blocks instead
LAST_RATE = 1e-4  # fraction of the first learning rate, so that the last blocks still learn
ORDER_DRAW = 1 << 63  # a counter beyond all that is drawn for tokens


@dataclass(frozen=True)
class Block:
    """Tokens that one thread trains without returning to Python."""

    number: int  # from the start of training
    epoch: int
    first_token: int
    last_token: int  # the one after its end
    done: float  # fraction of all tokens of all epochs that come before it

    @property
    def tokens(self) -> int:
        return self.last_token - self.first_token


class Order(NamedTuple):
    """The blocks of an epoch in the order of training."""

    indices: npt.NDArray[np.intp]  # among the blocks of the text
    done: Tokens  # tokens of the epoch before each block, then after the last


class BlockBounds(NamedTuple):
    """The tokens of several blocks."""

    first: Tokens
    last: Tokens  # the ones after their ends

    @property
    def starts(self) -> Tokens:
        """Return the start of each block once they are concatenated, then the end of the last."""
        return np.concatenate([[0], np.cumsum(self.last - self.first)])


class Schedule:
    """All blocks of a training, numbered in its order."""

    def __init__(self, corpus: EncodedCorpus, settings: Settings) -> None:
        self.settings = settings
        self.bounds = block_bounds(corpus.sentence_offsets)
        self.blocks_per_epoch = len(self.bounds) - 1
        self.block_count = self.blocks_per_epoch * settings.epochs
        self.tokens = int(self.bounds[-1]) * settings.epochs
        self._order = lru_cache(maxsize=2)(self._new_order)

    def _new_order(self, epoch: int) -> Order:
        key = int(random_bits(epoch_key(self.settings.seed, epoch), ORDER_DRAW)[0])
        indices = np.argsort(random_bits(key, np.arange(self.blocks_per_epoch)), kind="stable")
        lengths = np.diff(self.bounds)[indices]
        return Order(indices, np.concatenate([[0], np.cumsum(lengths)]))

    def __getitem__(self, number: int) -> Block:
        epoch, index = divmod(number, self.blocks_per_epoch)
        order = self._order(epoch)
        first, last = self.bounds[order.indices[index] :][:2].tolist()
        done = (epoch * int(self.bounds[-1]) + int(order.done[index])) / self.tokens
        return Block(number, epoch, first, last, done)

    def require_next(self, block: object) -> None:
        """Raise a ValueError unless training can continue with this block, or is at its end."""
        if type(block) is not int or not 0 <= block <= self.block_count:
            raise ValueError(
                f"next_block is {describe(block)}, but must be a whole number from 0 to "
                f"{self.block_count}, the number of blocks"
            )

    def learning_rate(self, done: float) -> float:
        """Return the rate after a fraction of all tokens: it falls linearly."""
        return self.settings.learning_rate * max(1 - done, LAST_RATE)

    def done_before(self, number: int) -> float:
        """Return the fraction of all tokens that come before a block, or before the end."""
        return 1.0 if number >= self.block_count else self[number].done

    def end_of_launch(self, first: int, tokens: int) -> int:
        """Return the block after a launch: at most `tokens`, at least one block, of one epoch."""
        epoch, index = divmod(first, self.blocks_per_epoch)
        done = self._order(epoch).done
        end = np.searchsorted(done, done[index] + tokens, side="right") - 1
        return first - index + max(int(end), index + 1)

    def bounds_of(self, first: int, last: int) -> BlockBounds:
        """Return the tokens of blocks first … last - 1, of one epoch, in the order of training."""
        epoch, index = divmod(first, self.blocks_per_epoch)
        indices = self._order(epoch).indices[index : index + last - first]
        return BlockBounds(self.bounds[indices], self.bounds[indices + 1])


def block_bounds(offsets: Tokens) -> Tokens:
    """Return where blocks end: at sentence ends. Only a longer sentence is cut, evenly."""
    tokens = int(offsets[-1])
    size = min(MAX_BLOCK_TOKENS, max(MIN_BLOCK_TOKENS, tokens // MIN_BLOCKS))
    bounds, sentence, sentences = [0], 0, len(offsets) - 1
    while sentence < sentences:
        end = int(np.searchsorted(offsets, offsets[sentence] + size, side="right")) - 1
        if end == sentence:
            end += 1
            length = int(offsets[end] - offsets[sentence])
            blocks = -(-length // size)
            cuts = int(offsets[sentence]) + np.arange(1, blocks) * length // blocks
            bounds += cuts.tolist()
        bounds.append(int(offsets[end]))
        sentence = end
    return np.array(bounds, np.int64)

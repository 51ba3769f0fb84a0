"""A corpus and settings → the ranges of text to train, one after the other, with a learning rate.

Ranges are shuffled anew in every epoch: the learning rate falls, so that what comes last is learnt
least. Where a text has several sources, or is sorted, all of it should come early and late.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.random import epoch_key, random_bits

Bounds = npt.NDArray[np.int64]

MOST_RANGE_TOKENS = 1 << 14  # what a thread trains without coming back to Python: some 5 ms
LEAST_RANGES = 256  # of an epoch, so that the learning rate falls in small steps, ...
LEAST_RANGE_TOKENS = 512  # ... unless the text is too short for that
LAST_RATE = 1e-4  # of the first learning rate: the last ranges still learn
ORDER_DRAW = 1 << 63  # a counter beyond all that is drawn for tokens


@dataclass(frozen=True)
class TextRange:
    """Tokens that one thread trains."""

    number: int  # from the start of training
    epoch: int
    first_token: int
    last_token: int
    first_sentence: int
    last_sentence: int  # the one after the last that has tokens in the range
    done: float  # fraction of all tokens of all epochs that come before it

    @property
    def tokens(self) -> int:
        return self.last_token - self.first_token


class Order(NamedTuple):
    """The ranges of an epoch in the order of training."""

    indices: npt.NDArray[np.intp]  # among the ranges of the text
    begun: Bounds  # tokens of the epoch that come before each; and all of them


class TokenRanges(NamedTuple):
    """Tokens of the corpus, range by range."""

    first: Bounds
    last: Bounds  # the ones after

    @property
    def starts(self) -> Bounds:
        """Return where each begins if they are put together; and the end."""
        return np.concatenate([[0], np.cumsum(self.last - self.first)])


class Schedule:
    def __init__(self, corpus: EncodedCorpus, settings: Settings) -> None:
        self._offsets = corpus.sentence_offsets
        self._settings = settings
        self.bounds = range_bounds(self._offsets)
        self.ranges_per_epoch = len(self.bounds) - 1
        self.ranges = self.ranges_per_epoch * settings.epochs
        self.tokens = int(self._offsets[-1]) * settings.epochs
        self._order = lru_cache(maxsize=2)(self._new_order)

    def _new_order(self, epoch: int) -> Order:
        key = int(random_bits(epoch_key(self._settings.seed, epoch), ORDER_DRAW)[0])
        indices = np.argsort(random_bits(key, np.arange(self.ranges_per_epoch)), kind="stable")
        lengths = np.diff(self.bounds)[indices]
        return Order(indices, np.concatenate([[0], np.cumsum(lengths)]))

    def __getitem__(self, number: int) -> TextRange:
        epoch, position = divmod(number, self.ranges_per_epoch)
        order = self._order(epoch)
        index = int(order.indices[position])
        first, last = self.bounds[index : index + 2].tolist()
        first_sentence = int(np.searchsorted(self._offsets, first, side="right")) - 1
        last_sentence = int(np.searchsorted(self._offsets, last, side="left"))
        done = (epoch * int(self._offsets[-1]) + int(order.begun[position])) / self.tokens
        return TextRange(number, epoch, first, last, first_sentence, last_sentence, done)

    def learning_rate(self, done: float) -> float:
        """Fall from the first rate to almost nothing, in a straight line."""
        return self._settings.learning_rate * max(1 - done, LAST_RATE)

    def done_before(self, number: int) -> float:
        """Return the fraction of all tokens that come before a range, or before the end."""
        return 1.0 if number >= self.ranges else self[number].done

    def reach(self, first: int, tokens: int) -> int:
        """Return the range after so many tokens, of the same epoch and beyond the first."""
        epoch, position = divmod(first, self.ranges_per_epoch)
        begun = self._order(epoch).begun
        end = np.searchsorted(begun, begun[position] + tokens, side="right") - 1
        return first - position + max(int(end), position + 1)

    def token_ranges(self, first: int, last: int) -> TokenRanges:
        """Return the tokens of ranges of one epoch, in the order of training."""
        epoch, position = divmod(first, self.ranges_per_epoch)
        indices = self._order(epoch).indices[position : position + last - first]
        return TokenRanges(self.bounds[indices], self.bounds[indices + 1])


def range_bounds(offsets: Bounds) -> Bounds:
    """Return where ranges end: at sentence ends. Only a longer sentence is cut, evenly."""
    tokens = int(offsets[-1])
    size = min(MOST_RANGE_TOKENS, max(LEAST_RANGE_TOKENS, tokens // LEAST_RANGES))
    bounds, sentence, sentences = [0], 0, len(offsets) - 1
    while sentence < sentences:
        end = int(np.searchsorted(offsets, offsets[sentence] + size, side="right")) - 1
        if end == sentence:
            end += 1
            length = int(offsets[end] - offsets[sentence])
            parts = -(-length // size)
            cuts = int(offsets[sentence]) + np.arange(1, parts) * length // parts
            bounds += cuts.tolist()
        bounds.append(int(offsets[end]))
        sentence = end
    return np.array(bounds, np.int64)

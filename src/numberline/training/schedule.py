"""A corpus and settings → the blocks to train, one after the other, each with its learning rate.

They come as they stand in the text, or shuffled: in another order in every epoch. The learning rate
falls, so that what comes last is learnt least. Where the text is of several sources, or sorted, all
of them should come early and late.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.config import TrainingConfig
from numberline.encoders.squash import Floats
from numberline.text.encoded import EncodedCorpus
from numberline.training.random import epoch_key, random_bits

Bounds = npt.NDArray[np.int64]

TOKENS_AT_A_TIME = 1 << 24
LAST_RATE = 1e-4  # of the first: the last blocks still learn
ORDER_DRAW = 1 << 63  # beyond all that is drawn for tokens


@dataclass(frozen=True)
class TextBlock:
    """Tokens that are trained between two looks at the encoder."""

    number: int  # from the start of training
    epoch: int
    first_token: int
    last_token: int
    first_sentence: int
    last_sentence: int  # the one after the last that has a part in the block
    done_share: float  # of all tokens of all epochs, before this block
    part: int = 0  # of the block of this number

    @property
    def tokens(self) -> int:
        return self.last_token - self.first_token


@dataclass(frozen=True, eq=False)
class BlockSummary:
    """One number each for some blocks."""

    tokens: npt.NDArray[np.int64]
    numerals: Floats
    rates: Floats


class Order(NamedTuple):
    """The blocks of an epoch, as they are trained."""

    places: npt.NDArray[np.intp]  # among the blocks of the text
    begun: Bounds  # tokens of the epoch that come before each; and all of them


class TextRanges(NamedTuple):
    """Tokens of the corpus, block by block."""

    first: Bounds
    last: Bounds  # the ones after

    @property
    def starts(self) -> Bounds:
        """Where each begins if they are put together; and the end."""
        return np.concatenate([[0], np.cumsum(self.last - self.first)])


class Schedule:
    def __init__(
        self,
        corpus: EncodedCorpus,
        config: TrainingConfig,
        seed: int,
        most_numerals: int | None = None,
    ) -> None:
        """`most_numerals` is what a block may hold of them; None: any number."""
        self._offsets = corpus.sentence_offsets
        self._config = config
        counts = numerals_of_sentences(corpus)
        self.bounds = block_bounds(
            self._offsets, counts, config.block_tokens, most_numerals or config.block_tokens
        )
        self.blocks_per_epoch = len(self.bounds) - 1
        self.blocks = self.blocks_per_epoch * config.epochs
        reached = np.concatenate([[0], np.cumsum(counts)])
        self._numerals = np.diff(np.interp(self.bounds, self._offsets, reached))
        self.tokens = int(self._offsets[-1]) * config.epochs
        self._order = lru_cache(maxsize=2)(lambda epoch: self._new_order(seed, epoch))

    def _new_order(self, seed: int, epoch: int) -> Order:
        places = np.arange(self.blocks_per_epoch)
        if self._config.shuffle:
            key = int(random_bits(epoch_key(seed, epoch), ORDER_DRAW)[0])
            places = np.argsort(random_bits(key, places), kind="stable")
        lengths = np.diff(self.bounds)[places]
        return Order(places, np.concatenate([[0], np.cumsum(lengths)]))

    def learning_rate(self, block: TextBlock) -> float:
        """From the first rate to nothing, in a straight line."""
        return self._config.learning_rate * max(1 - block.done_share, LAST_RATE)

    def parts(self, block: TextBlock, most_numerals: float) -> list[TextBlock]:
        """A block in parts of about so many numerals, at sentence ends where some are near."""
        numerals = float(self._numerals[self._places(block.number, block.number + 1)[0]])
        count = min(block.tokens, math.ceil(numerals / most_numerals))
        if count < 2:
            return [block]
        cuts = block.first_token + np.arange(1, count) * block.tokens // count
        ends = self._offsets[block.first_sentence + 1 : block.last_sentence]  # within the block
        if len(ends):
            nearest = ends[np.abs(ends[:, None] - cuts).argmin(axis=0)]
            cuts = np.where(np.abs(nearest - cuts) < block.tokens / count / 2, nearest, cuts)
        bounds = np.unique([block.first_token, *cuts.tolist(), block.last_token])
        return [
            self._text_block(block.number, first, last, first - block.first_token, part)
            for part, (first, last) in enumerate(itertools.pairwise(bounds.tolist()))
        ]

    def summary(self, first_block: int, last_block: int) -> BlockSummary:
        """Of blocks of one epoch. Where a sentence is cut, its numerals are shared out evenly."""
        epoch, position = divmod(first_block, self.blocks_per_epoch)
        begun = self._order(epoch).begun[position : position + last_block - first_block + 1]
        done = (epoch * int(self._offsets[-1]) + begun[:-1]) / self.tokens
        rates = self._config.learning_rate * np.maximum(1 - done, LAST_RATE)
        numerals = self._numerals[self._places(first_block, last_block)]
        return BlockSummary(np.diff(begun), numerals, rates)

    def reach(self, first_block: int, tokens: int) -> int:
        """The block after so many tokens, of the same epoch and beyond the first in any case."""
        epoch, position = divmod(first_block, self.blocks_per_epoch)
        begun = self._order(epoch).begun
        end = np.searchsorted(begun, begun[position] + tokens, side="right") - 1
        return first_block - position + max(int(end), position + 1)

    def ranges(self, first_block: int, last_block: int) -> TextRanges:
        """Of blocks of one epoch."""
        places = self._places(first_block, last_block)
        return TextRanges(self.bounds[places], self.bounds[places + 1])

    def __getitem__(self, number: int) -> TextBlock:
        ranges = self.ranges(number, number + 1)
        return self._text_block(number, int(ranges.first[0]), int(ranges.last[0]))

    def _places(self, first_block: int, last_block: int) -> npt.NDArray[np.intp]:
        """Where blocks of one epoch stand among those of the text."""
        epoch, position = divmod(first_block, self.blocks_per_epoch)
        return self._order(epoch).places[position : position + last_block - first_block]

    def _text_block(
        self, number: int, first: int, last: int, tokens_before: int = 0, part: int = 0
    ) -> TextBlock:
        """`tokens_before` are those of the block that a part comes after."""
        epoch, position = divmod(number, self.blocks_per_epoch)
        first_sentence = int(np.searchsorted(self._offsets, first, side="right")) - 1
        last_sentence = int(np.searchsorted(self._offsets, last, side="left"))
        begun = int(self._order(epoch).begun[position]) + tokens_before
        done = (epoch * int(self._offsets[-1]) + begun) / self.tokens
        return TextBlock(number, epoch, first, last, first_sentence, last_sentence, done, part)


def numerals_of_sentences(corpus: EncodedCorpus) -> npt.NDArray[np.int64]:
    """How many tokens of each sentence are numerals."""
    words, offsets = len(corpus.vocabulary.words), corpus.sentence_offsets
    reached = np.zeros(len(offsets), np.int64)  # numerals before each sentence
    count = 0
    for first in range(0, len(corpus.ids), TOKENS_AT_A_TIME):
        last = first + TOKENS_AT_A_TIME
        places = first + np.flatnonzero(corpus.ids[first:last] >= words)
        within = slice(*np.searchsorted(offsets, [first + 1, last + 1]))  # ends in this part
        reached[within] = count + np.searchsorted(places, offsets[within])
        count += len(places)
    return np.diff(reached)


def block_bounds(
    offsets: npt.NDArray[np.int64],
    numerals: npt.NDArray[np.int64],
    most_tokens: int,
    most_numerals: int,
) -> npt.NDArray[np.int64]:
    """Ends of blocks, at sentence ends. Only a sentence beyond a limit is cut, evenly."""
    reached = np.concatenate([[0], np.cumsum(numerals)])  # numerals before each sentence
    bounds, sentence = [0], 0
    while sentence < len(numerals):
        by_tokens = np.searchsorted(offsets, offsets[sentence] + most_tokens, side="right") - 1
        by_numerals = np.searchsorted(reached, reached[sentence] + most_numerals, side="right") - 1
        end = int(min(by_tokens, by_numerals))
        if end == sentence:
            end += 1
            length = int(offsets[end] - offsets[sentence])
            load = max(length / most_tokens, int(numerals[sentence]) / most_numerals)
            parts = min(length, int(np.ceil(load)))
            cuts = int(offsets[sentence]) + np.arange(1, parts) * length // parts
            bounds += cuts.tolist()
        bounds.append(int(offsets[end]))
        sentence = end
    return np.array(bounds, np.int64)

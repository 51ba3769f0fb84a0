"""A corpus and settings → the blocks to train, in order, each with its learning rate."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.config import TrainingConfig
from numberline.encoders.squash import Floats
from numberline.text.encoded import EncodedCorpus

TOKENS_AT_A_TIME = 1 << 24
LAST_RATE = 1e-4  # of the first: the last blocks still learn


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


class Schedule:
    def __init__(
        self, corpus: EncodedCorpus, config: TrainingConfig, most_numerals: int | None = None
    ) -> None:
        """`most_numerals` is what a block may hold of them; None: any number."""
        self._offsets = corpus.sentence_offsets
        self._config = config
        counts = numerals_of_sentences(corpus)
        self._bounds = block_bounds(
            self._offsets, counts, config.block_tokens, most_numerals or config.block_tokens
        )
        self.blocks_per_epoch = len(self._bounds) - 1
        self.blocks = self.blocks_per_epoch * config.epochs
        reached = np.concatenate([[0], np.cumsum(counts)])
        self._numerals_before = np.interp(self._bounds, self._offsets, reached)
        self.tokens = int(self._offsets[-1]) * config.epochs

    def learning_rate(self, block: TextBlock) -> float:
        """From the first rate to nothing, in a straight line."""
        return self._config.learning_rate * max(1 - block.done_share, LAST_RATE)

    def parts(self, block: TextBlock, most_numerals: float) -> list[TextBlock]:
        """A block in parts of about so many numerals, at sentence ends where some are near."""
        place = block.number % self.blocks_per_epoch
        numerals = float(self._numerals_before[place + 1] - self._numerals_before[place])
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
            self._block(block.number, block.epoch, first, last, part)
            for part, (first, last) in enumerate(itertools.pairwise(bounds.tolist()))
        ]

    def summary(self, first_block: int, last_block: int) -> BlockSummary:
        """Of blocks of one epoch. Where a sentence is cut, its numerals are shared out evenly."""
        epoch, place = divmod(first_block, self.blocks_per_epoch)
        bounds = self.bounds_of(first_block, last_block)
        done = (epoch * int(self._offsets[-1]) + bounds[:-1]) / self.tokens
        numerals = self._numerals_before[place : place + len(bounds)]
        rates = self._config.learning_rate * np.maximum(1 - done, LAST_RATE)
        return BlockSummary(np.diff(bounds), np.diff(numerals), rates)

    def reach(self, first_block: int, tokens: int) -> int:
        """The block after so many tokens, of the same epoch and beyond the first in any case."""
        place = first_block % self.blocks_per_epoch
        end = np.searchsorted(self._bounds, self._bounds[place] + tokens, side="right") - 1
        return first_block - place + max(int(end), place + 1)

    def bounds_of(self, first_block: int, last_block: int) -> npt.NDArray[np.int64]:
        """The tokens with which these blocks of one epoch begin, and the last one's end."""
        place = first_block % self.blocks_per_epoch
        return self._bounds[place : place + last_block - first_block + 1]

    def __getitem__(self, number: int) -> TextBlock:
        epoch, place = divmod(number, self.blocks_per_epoch)
        return self._block(number, epoch, *self._bounds[place : place + 2].tolist())

    def _block(self, number: int, epoch: int, first: int, last: int, part: int = 0) -> TextBlock:
        first_sentence = int(np.searchsorted(self._offsets, first, side="right")) - 1
        last_sentence = int(np.searchsorted(self._offsets, last, side="left"))
        done = (epoch * int(self._offsets[-1]) + first) / self.tokens
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

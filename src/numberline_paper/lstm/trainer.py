"""An encoded corpus and settings → trained vectors of words, and trained networks for numerals.

The text is trained block by block, as numberline.train does, and a block in batches of up to 64
groups of windows.
"""

from __future__ import annotations

import numpy as np
import torch

import numberline as nl
from numberline.arrays import Array
from numberline.numerals import Side
from numberline.settings import Settings
from numberline.training import (
    CENTRES_PER_GROUP,
    Block,
    BlockPlanner,
    Schedule,
    TrainingCallback,
    TrainingProgress,
    diverged,
)
from numberline_paper.lstm.batches import batches
from numberline_paper.lstm.digits import digits_of
from numberline_paper.lstm.step import TrainedSide, train_batch
from numberline_paper.lstm.vectors import starting_vectors

# With 64 groups numerals are predicted as well as by training in order, with 256 less well.
MOST_GROUPS = 64
LARGEST_LOAD = 1.0  # learning rate times pairs of the most frequent word; with 2, texts diverged


class LstmTrainer:
    """Run it once; then `words` and `numerals` are trained."""

    def __init__(self, corpus: nl.EncodedCorpus, settings: Settings, device: str = "cpu") -> None:
        vocabulary, rng = corpus.vocabulary, np.random.default_rng(settings.seed)
        self._settings, self._device = settings, torch.device(device)
        self.schedule = Schedule(corpus, settings)
        self.progress = TrainingProgress(self.schedule)
        self.words = starting_words(len(vocabulary.words), settings.dim, rng)
        self._digits = digits_of(vocabulary.numerals.values)
        self.numerals = starting_vectors(settings.dim, rng) if len(self._digits) else None
        self._planner = BlockPlanner(corpus, settings)
        self._groups = groups_per_batch(vocabulary, self._planner.keep_probability, settings)
        self._sides = self._side("input", self.words[0]), self._side("output", self.words[1])

    def _side(self, side: Side, words: Array) -> TrainedSide:
        network = None if self.numerals is None else self.numerals.network(side).to(self._device)
        return TrainedSide(torch.from_numpy(words).to(self._device), network)

    def run(self, progress: TrainingCallback | None = None) -> None:
        """Train all blocks; an error or an interrupt leaves at once, with nothing to clean up."""
        for number in range(self.schedule.block_count):
            self._train(self.schedule[number])
            if progress:
                progress(self.progress)
        self._fetch()

    def _train(self, block: Block) -> None:
        rate, settings = self.schedule.learning_rate(block.done), self._settings
        losses, pairs = [torch.zeros((), device=self._device)], 0
        for batch in batches(self._planner.plan(block), settings.objective, self._groups):
            step = train_batch(batch, self._sides, self._digits, rate, settings.score_offset)
            losses.append(step)
            pairs += batch.pairs
        loss_sum = float(torch.stack(losses).sum())
        self.progress.add(block.tokens, rate, loss_sum, pairs)

    def _fetch(self) -> None:
        """Copy all parameters to the CPU, where models are used."""
        for side, words in zip(self._sides, self.words, strict=True):
            words[...] = side.words.cpu().numpy()
            if side.network is not None:
                side.network.to("cpu")
        if not all(np.isfinite(words).all() for words in self.words):
            raise diverged(self._settings)


def starting_words(words: int, dim: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return input vectors, random within ±1/dim, and output vectors, all zero."""
    inputs = (2 * rng.random((words, dim), np.float32) - 1) / np.float32(dim)
    return inputs, np.zeros((words, dim), np.float32)


def groups_per_batch(vocabulary: nl.Vocabulary, keep_probability: Array, settings: Settings) -> int:
    """Return the groups of a batch: fewer where one word is in a large part of the windows."""
    kept = vocabulary.word_counts * keep_probability
    tokens = kept.sum() + vocabulary.numeral_counts.sum()
    pairs_of_token = settings.window + 1  # a window reaches half of that, on average, on each side
    pairs = CENTRES_PER_GROUP * pairs_of_token * kept.max(initial=0) / tokens
    return int(max(1, min(MOST_GROUPS, LARGEST_LOAD / max(settings.learning_rate * pairs, 1e-9))))

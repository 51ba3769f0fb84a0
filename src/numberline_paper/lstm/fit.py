"""An encoded corpus and settings → trained vectors of words, and trained networks for numerals.

The text is trained block by block, as everywhere, and a block in batches of up to 64 groups.
"""

from __future__ import annotations

import time

import numpy as np
import torch

from numberline.numerals.base import Side
from numberline.reading.encoded import EncodedCorpus
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import Settings
from numberline.training.cpu import PROGRESS_SECONDS
from numberline.training.plan import CENTRES_PER_GROUP
from numberline.training.progress import TrainingCallback, TrainingProgress, diverged
from numberline.training.sampling import Sampling, score_offset
from numberline.training.schedule import Block, Schedule
from numberline.training.tables import starting_tables
from numberline_paper.lstm.batches import batches
from numberline_paper.lstm.digits import digits_of
from numberline_paper.lstm.plans import BlockPlanner
from numberline_paper.lstm.step import TrainedSide, train_batch
from numberline_paper.lstm.vectors import starting_vectors

# With 64 groups numerals are predicted as well as by training in order, with 256 less well.
MOST_GROUPS = 64
LARGEST_LOAD = 1.0  # learning rate times pairs of the most frequent word; with 2, texts diverged


class LstmTrainer:
    """Run it once; then `tables` and `numerals` are trained."""

    def __init__(self, corpus: EncodedCorpus, settings: Settings, device: str = "cpu") -> None:
        vocabulary, rng = corpus.vocabulary, np.random.default_rng(settings.seed)
        self._settings, self._device = settings, torch.device(device)
        self.schedule = Schedule(corpus, settings)
        self.progress = TrainingProgress(self.schedule)
        self.tables = starting_tables(len(vocabulary.words), None, settings.dim, rng)
        self._digits = digits_of(vocabulary.numeral_values)
        self.numerals = starting_vectors(settings.dim, rng) if len(self._digits) else None
        self._planner = BlockPlanner(corpus, settings)
        self._groups = groups_of_batch(vocabulary, self._planner.sampling, settings)
        self._sides = self._side("input"), self._side("output")

    def _side(self, side: Side) -> TrainedSide:
        words = self.tables.word_input if side == "input" else self.tables.word_output
        network = None if self.numerals is None else self.numerals.network(side)
        if network is not None:
            network.to(self._device)
        return TrainedSide(torch.from_numpy(words).to(self._device), network)

    def run(self, progress: TrainingCallback | None = None) -> None:
        """Train all blocks; an error or an interrupt leaves at once, with nothing to clean up."""
        reported = time.monotonic()
        for number in range(self.schedule.block_count):
            self._train(self.schedule[number])
            is_last = number == self.schedule.block_count - 1
            if progress and (is_last or time.monotonic() > reported + PROGRESS_SECONDS):
                progress(self.progress)
                reported = time.monotonic()
        self._fetch()

    def _train(self, block: Block) -> None:
        rate = self.schedule.learning_rate(block.done)
        offset = score_offset(self._settings.negatives)
        losses, pairs = [torch.zeros((), device=self._device)], 0
        for batch in batches(self._planner.plan(block), self._settings.objective, self._groups):
            losses.append(train_batch(batch, self._sides, self._digits, rate, offset))
            pairs += batch.pairs
        loss_sum = float(torch.stack(losses).sum())
        self.progress.add(block.tokens, rate, loss_sum, pairs)

    def _fetch(self) -> None:
        """Bring everything to where models are used, the memory of the CPU."""
        tables = self.tables.word_input, self.tables.word_output
        for side, words in zip(self._sides, tables, strict=True):
            words[...] = side.words.cpu().numpy()
            if side.network is not None:
                side.network.to("cpu")
        if not self.tables.are_finite:
            raise diverged(self._settings)


def groups_of_batch(vocabulary: Vocabulary, sampling: Sampling, settings: Settings) -> int:
    """Return the groups of a batch: fewer where one word is in a large part of the windows."""
    kept = vocabulary.word_counts * sampling.keep_probability
    tokens = kept.sum() + vocabulary.numeral_counts.sum()
    pairs_of_token = settings.window + 1  # a window reaches half of that, on average, on each side
    pairs = CENTRES_PER_GROUP * pairs_of_token * kept.max(initial=0) / tokens
    return int(max(1, min(MOST_GROUPS, LARGEST_LOAD / max(settings.learning_rate * pairs, 1e-9))))

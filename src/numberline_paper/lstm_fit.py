"""An encoded corpus and settings → vectors of words, and two networks for numerals."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from numberline.config import TrainingConfig
from numberline.errors import TrainingError
from numberline.text.encoded import EncodedCorpus
from numberline.training.cpu import PROGRESS_SECONDS
from numberline.training.divergence import diverged, has_diverged
from numberline.training.plan import CENTRES_PER_DRAW
from numberline.training.progress import TrainingCallback, TrainingProgress
from numberline.training.schedule import Schedule, TextRange
from numberline.training.tables import Tables, starting_tables
from numberline_paper.digits import digits_of
from numberline_paper.lstm import LstmVectors, starting_vectors
from numberline_paper.lstm_step import TrainedSide, skipgram_step
from numberline_paper.planning import RangePlanner
from numberline_paper.window_batches import batches

DRAWS = 128


class LstmTrainer:
    """Trains range after range, one batch of windows at a time."""

    def __init__(
        self, corpus: EncodedCorpus, config: TrainingConfig, seed: int, device: str
    ) -> None:
        vocabulary, rng = corpus.vocabulary, np.random.default_rng(seed)
        self._config, self._device = config, torch.device(device)
        self.tables = starting_tables(len(vocabulary.words), None, config.dim, rng)
        self.schedule = Schedule(corpus, config, seed)
        self.progress = TrainingProgress(self.schedule)
        self._planner = RangePlanner(corpus, self.tables, config, seed)
        self._digits = digits_of(vocabulary.numeral_values)
        self.numerals = starting_vectors(config.dim, rng) if len(self._digits) else None
        self._sides = (
            self._side(self.tables.word_input, self.numerals and self.numerals.input),
            self._side(self.tables.word_output, self.numerals and self.numerals.output),
        )

    def _side(self, words, network):
        if network is not None:
            network.to(self._device)
        return TrainedSide(torch.from_numpy(words).to(self._device), network)

    def run(self, progress: TrainingCallback | None = None) -> None:
        reported = time.monotonic()
        for number in range(self.schedule.ranges):
            self._train(self.schedule[number])
            is_last = number == self.schedule.ranges - 1
            if progress is not None and (is_last or time.monotonic() > reported + PROGRESS_SECONDS):
                progress(self.progress)
                reported = time.monotonic()

    def _train(self, text: TextRange) -> None:
        rate = self.schedule.learning_rate(text.done)
        loss, pairs = torch.zeros((), device=self._device), 0
        for batch in batches(self._planner.plan(text), DRAWS):
            loss += skipgram_step(batch, self._sides, self._digits, rate, self._config.score_offset)
            pairs += batch.pairs
        self.progress.add(text.tokens, rate, float(loss), pairs)
        if has_diverged(float(loss), self.progress, self._config):
            raise diverged(self._config)

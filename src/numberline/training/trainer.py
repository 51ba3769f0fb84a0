"""Ids, an encoder and settings → trained vectors of words and numerals.

Threads take blocks of text one after the other, or parts of them: together they hold no more than
one thread might alone. For each, the rows of its numerals are composed, trained like those of words
by the kernel, and their change is given back to the encoder.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from numberline.config import TrainingConfig
from numberline.encoders.base import NumeralEncoder, Side
from numberline.encoders.weights import Array
from numberline.errors import TrainingError
from numberline.kernels import require_native
from numberline.text.encoded import EncodedCorpus
from numberline.training.numerals import BlockNumerals
from numberline.training.plan import Sampling
from numberline.training.progress import TrainingCallback, TrainingProgress
from numberline.training.random import epoch_key
from numberline.training.schedule import Schedule, TextBlock
from numberline.training.tables import WordTables, padded

PROGRESS_SECONDS = 0.2  # between two reports
HOPELESS = 3  # times the loss of vectors that know nothing: they only grow from there


class Trainer:
    """Run it, perhaps in several parts: blocks that are done stay done."""

    def __init__(
        self,
        corpus: EncodedCorpus,
        encoder: NumeralEncoder | None,
        tables: WordTables,
        config: TrainingConfig,
        seed: int,
        threads: int,
        next_block: int = 0,
    ) -> None:
        self.corpus, self.encoder, self.tables = corpus, encoder, tables
        self.next_block = next_block
        self.numerals = BlockNumerals(encoder, corpus.vocabulary, config)
        self.schedule = Schedule(corpus, config, seed, self.numerals.most_per_block)
        self._config, self._seed = config, seed
        self._threads = self.numerals.worthwhile_threads(threads)
        groups, tokens = self.numerals.groups, len(corpus.ids)
        sampling = Sampling.of(corpus.vocabulary, tokens, groups, config)
        self._sampling = native_sampling(sampling)
        self._most_numerals = self.numerals.most_at_once(self._threads)
        self._lock = threading.Lock()
        self._parts: deque[TextBlock] = deque()  # of the block that was begun last
        self._is_stopped = False
        self.progress = TrainingProgress(self.schedule, next_block)

    @property
    def machine(self) -> dict[str, Any]:
        """What trains, for the facts of a model."""
        instruction_set = require_native().instruction_set()
        return {"threads": self._threads, "instruction_set": instruction_set}

    def run(self, progress: TrainingCallback | None = None, seconds: float = float("inf")) -> bool:
        """Train until all blocks are done, or for about so long; says whether all are.

        Whatever ends it, all blocks below `next_block` are then done and no other is begun.
        """
        end = time.monotonic() + seconds
        self._is_stopped = False
        with ThreadPoolExecutor(self._threads) as pool:
            workers = {pool.submit(self._work) for _ in range(self._threads)}
            try:
                while workers and time.monotonic() < end:
                    patience = min(PROGRESS_SECONDS, max(0.0, end - time.monotonic()))
                    done, workers = wait(workers, patience, FIRST_EXCEPTION)
                    for worker in done:
                        worker.result()
                    if progress is not None:
                        progress(self.progress)
            finally:
                self._is_stopped = True
        for worker in workers:
            worker.result()
        return self.next_block == self.schedule.blocks

    def _work(self) -> None:
        kernel = require_native().BlockTrainer(self._sampling, self.numerals.groups)
        while (block := self._take_part()) is not None:
            rate = self.schedule.learning_rate(block)
            loss_sum, pairs = self._train(kernel, block, rate)
            with self._lock:
                self.progress.add(block.tokens, rate, loss_sum, pairs)
                is_hopeless = is_lost(loss_sum, self.progress, self._config)
                if is_hopeless:
                    self._is_stopped = True
                    self._parts.clear()
            if is_hopeless:
                raise diverged(self._config)

    def _take_part(self) -> TextBlock | None:
        with self._lock:
            if not self._parts:
                if self._is_stopped or self.next_block == self.schedule.blocks:
                    return None
                self._parts.extend(self._parts_of(self.schedule[self.next_block]))
                self.next_block += 1
            return self._parts.popleft()

    def _parts_of(self, block: TextBlock) -> list[TextBlock]:
        """One thread alone trains blocks as they are. The lower the rate, the more may be held."""
        if self._threads == 1:
            return [block]
        rate = self.schedule.learning_rate(block)
        return self.schedule.parts(block, self._most_numerals * self._config.learning_rate / rate)

    def _train(self, kernel: Any, block: TextBlock, rate: float) -> tuple[float, int]:
        offsets = self.corpus.sentence_offsets
        kernel.plan(
            ids=self.corpus.ids,
            sentence_ends=offsets[block.first_sentence + 1 : block.last_sentence + 1],
            first_token=block.first_token,
            last_token=block.last_token,
            key=epoch_key(self._seed, block.epoch),
        )
        inputs = self._composed(kernel.input_numerals, "input")
        outputs = self._composed(kernel.output_numerals, "output")
        loss: tuple[float, int] = kernel.train(
            word_input=self.tables.padded_input,
            word_output=self.tables.padded_output,
            numeral_input=inputs.rows,
            numeral_output=outputs.rows,
            learning_rate=rate,
            cbow=self._config.objective == "cbow",
            # Any number that moves on: not always the same windows.
            loss_phase=29 * (block.number + block.part),
        )
        with self._lock:
            inputs.give_back()
            outputs.give_back()
        return loss

    def _composed(self, numerals: Array, side: Side) -> ComposedRows:
        prepared = self.numerals.prepared[side][numerals]
        return ComposedRows(self.encoder, prepared, self.tables.dim, side)


class ComposedRows:
    """The rows of numerals of a block, for the kernel to change."""

    def __init__(self, encoder: NumeralEncoder | None, prepared: Any, dim: int, side: Side) -> None:
        self._encoder, self._prepared, self._side = encoder, prepared, side
        self._before = np.zeros((0, dim), np.float32)
        if encoder is not None and len(prepared):
            self._before = encoder.compose(prepared, side)
        self.rows = padded(self._before)

    def give_back(self) -> None:
        """Let the encoder learn what has changed since."""
        if self._encoder is not None and len(self._before):
            changes = self.rows[:, : self._before.shape[1]] - self._before
            self._encoder.absorb(self._prepared, changes, self._side)


def native_sampling(sampling: Sampling) -> Any:
    return require_native().Sampling(
        keep_share=sampling.keep_share,
        thresholds=sampling.negatives.thresholds,
        others=sampling.negatives.others,
        window=sampling.window,
        negatives_per_centre=sampling.negatives_per_centre,
        numeral_thresholds=sampling.numerals.thresholds,
        numeral_others=sampling.numerals.others,
        numeral_negatives=sampling.numeral_negatives,
    )


def ignorant_loss(negatives: int) -> float:
    """Of vectors that know nothing but that one of 1 + K is the centre."""
    return math.log1p(negatives) + negatives * math.log1p(1 / negatives)


def is_lost(loss_sum: float, progress: TrainingProgress, config: TrainingConfig) -> bool:
    limit = HOPELESS * ignorant_loss(config.negatives)
    return not np.isfinite(loss_sum) or progress.loss > limit


def diverged(config: TrainingConfig) -> TrainingError:
    settings = {name: getattr(config, name) for name in ("learning_rate", "block_load")}
    if config.negatives_of_numerals:
        settings = {"numeral_negatives": config.negatives_of_numerals} | settings
    named = " or ".join(f"{name}={value}" for name, value in settings.items())
    return TrainingError(f"training diverges: the vectors grow without bounds; lower {named}")

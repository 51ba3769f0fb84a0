"""Ids, rows of weights and settings → trained tables, by the threads of a CPU.

Each thread takes one block of text after another and trains it natively, without locks. Racing
writes are accepted, since updates touch few rows (Hogwild).
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import FIRST_EXCEPTION, wait
from typing import Any

from numberline.arrays import Array
from numberline.kernels import require_native
from numberline.numerals.rows import SparseRows
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.threads import thread_pool
from numberline.training.progress import TrainingCallback, TrainingProgress
from numberline.training.random import epoch_key
from numberline.training.sampling import Sampling, sampling_of
from numberline.training.schedule import Block, Schedule
from numberline.training.state import TrainingState

PROGRESS_SECONDS = 0.2  # between two calls of the callback
LOSS_STRIDE = 29  # steps by which the sample for the loss shifts from block to block


class CpuTrainer:
    """Trains the tables of `state` in place. `run` may stop early; called again, it continues."""

    def __init__(self, corpus: EncodedCorpus, state: TrainingState, settings: Settings) -> None:
        self.tables, self.next_block = state.tables, state.next_block
        self._settings = settings
        self.schedule = Schedule(corpus, settings)
        self.progress = TrainingProgress(self.schedule, state.next_block)
        self._arguments = native_arguments(corpus, state, settings)
        self._lock = threading.Lock()
        self._is_stopped = False

    @property
    def machine(self) -> dict[str, Any]:
        """Return the hardware that trains, for the facts in a model."""
        instruction_set = require_native().instruction_set()
        return {"threads": self._settings.threads, "instruction_set": instruction_set}

    def run(self, progress: TrainingCallback | None = None, seconds: float = float("inf")) -> bool:
        """Train for about `seconds`, or until all blocks are done; return whether they are.

        However it ends, all blocks below `next_block` are then done, and no other is begun.
        """
        end = time.monotonic() + seconds
        pool = thread_pool(self._settings.threads)
        try:
            # An interrupt may come while threads start: whatever has started must see the stop.
            self._is_stopped = False
            workers = {pool.submit(self._work) for _ in range(self._settings.threads)}
            while workers and time.monotonic() < end:
                patience = min(PROGRESS_SECONDS, max(0.0, end - time.monotonic()))
                done, workers = wait(workers, patience, FIRST_EXCEPTION)
                for worker in done:
                    worker.result()
                if progress is not None:
                    progress(self.progress)
        finally:
            self._is_stopped = True
            pool.shutdown()
        for worker in workers:
            worker.result()
        return self.next_block == self.schedule.block_count

    def _work(self) -> None:
        trainer = require_native().BlockTrainer(**self._arguments)
        while (block := self._next_block()) is not None:
            rate = self.schedule.learning_rate(block.done)
            loss_sum, pairs = self._train(trainer, block, rate)
            with self._lock:
                self.progress.add(block.tokens, rate, loss_sum, pairs)

    def _next_block(self) -> Block | None:
        with self._lock:
            if self._is_stopped or self.next_block >= self.schedule.block_count:
                return None
            self.next_block += 1
            return self.schedule[self.next_block - 1]

    def _train(self, trainer: Any, block: Block, rate: float) -> tuple[float, int]:
        loss: tuple[float, int] = trainer.train(
            first_token=block.first_token,
            last_token=block.last_token,
            key=epoch_key(self._settings.seed, block.epoch),
            learning_rate=rate,
            loss_phase=LOSS_STRIDE * block.number,
        )
        return loss


def native_arguments(
    corpus: EncodedCorpus, state: TrainingState, settings: Settings
) -> dict[str, Any]:
    """Return the arguments of a native BlockTrainer; all threads share their arrays."""
    vocabulary = corpus.vocabulary
    sampling = sampling_of(vocabulary, len(corpus.ids), settings)
    rows = state.numeral_rows(vocabulary.numerals)
    return {
        "corpus": native_corpus(corpus),
        "sampling": native_sampling(sampling),
        "input": native_side(state.tables.padded_input, rows["input"]),
        "output": native_side(state.tables.padded_output, rows["output"]),
        "is_frozen": state.is_frozen,
        "is_cbow": settings.objective == "cbow",
        "score_offset": settings.score_offset,
    }


def native_corpus(corpus: EncodedCorpus) -> Any:
    return require_native().Corpus(ids=corpus.ids, sentence_offsets=corpus.sentence_offsets)


def native_sampling(sampling: Sampling) -> Any:
    return require_native().Sampling(
        keep_probability=sampling.keep_probability,
        thresholds=sampling.negatives.thresholds,
        others=sampling.negatives.others,
        numeral_thresholds=sampling.numeral_negatives.thresholds,
        numeral_others=sampling.numeral_negatives.others,
        window=sampling.window,
        negatives_per_group=sampling.negatives_per_group,
        numerals_per_group=sampling.numerals_per_group,
    )


def native_side(table: Array, numerals: SparseRows) -> Any:
    return require_native().SideTable(
        rows=table, offsets=numerals.offsets, indices=numerals.indices, weights=numerals.weights
    )

"""Ids, rows of weights and settings → trained tables, by the threads of a CPU.

Each thread takes one range of text after another and trains it natively, without locks. Racing
writes are accepted, since updates touch few rows (Hogwild).
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any

from numberline.kernels import require_native
from numberline.numerals.rows import SparseRows
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.divergence import diverged, has_diverged
from numberline.training.job import TrainingJob
from numberline.training.progress import TrainingCallback, TrainingProgress
from numberline.training.random import epoch_key
from numberline.training.sampling import Sampling, sampling_of, score_offset
from numberline.training.schedule import Schedule, TextRange

PROGRESS_SECONDS = 0.2  # between two reports
LOSS_STRIDE = 29  # steps by which the looked-at windows move on from one range to the next


class CpuTrainer:
    """Train the ranges of a job. `run` may stop early; called again, it goes on from there."""

    def __init__(self, job: TrainingJob, threads: int, next_range: int = 0) -> None:
        self.tables, self.next_range = job.tables, next_range
        self._corpus: EncodedCorpus = job.corpus
        self._settings: Settings = job.settings
        self._threads = threads
        self.schedule = Schedule(job.corpus, job.settings)
        self.progress = TrainingProgress(self.schedule, next_range)
        sampling = sampling_of(job.corpus.vocabulary, len(job.corpus.ids), job.settings)
        self._arguments = {
            "sampling": native_sampling(sampling),
            "input": self.tables.padded_input,
            "output": self.tables.padded_output,
            "input_rows": row_arrays(job.rows["input"]),
            "output_rows": row_arrays(job.rows["output"]),
            "is_frozen": job.is_frozen,
            "run_draws": job.run_limits.draws,
            "run_numerals": job.run_limits.numerals,
        }
        self._lock = threading.Lock()
        self._is_stopped = False

    @property
    def machine(self) -> dict[str, Any]:
        """Return what trains, for the facts of a model."""
        instruction_set = require_native().instruction_set()
        return {"threads": self._threads, "instruction_set": instruction_set}

    def run(self, progress: TrainingCallback | None = None, seconds: float = float("inf")) -> bool:
        """Train until all ranges are done, or for about so long; tell whether all are.

        Whatever ends it, all ranges below `next_range` are then done and no other is begun.
        """
        end = time.monotonic() + seconds
        pool = ThreadPoolExecutor(self._threads)
        try:
            # An interrupt may come while threads start: whatever has started must see the stop.
            self._is_stopped = False
            workers = {pool.submit(self._work) for _ in range(self._threads)}
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
        return self.next_range == self.schedule.ranges

    def _work(self) -> None:
        trainer = require_native().RangeTrainer(**self._arguments)
        while (text := self._take_range()) is not None:
            rate = self.schedule.learning_rate(text.done)
            loss_sum, pairs = self._train(trainer, text, rate)
            with self._lock:
                self.progress.add(text.tokens, rate, loss_sum, pairs)
                if has_diverged(loss_sum, self.progress, self._settings):
                    self._is_stopped = True
                    raise diverged(self._settings)

    def _take_range(self) -> TextRange | None:
        with self._lock:
            if self._is_stopped or self.next_range == self.schedule.ranges:
                return None
            self.next_range += 1
            return self.schedule[self.next_range - 1]

    def _train(self, trainer: Any, text: TextRange, rate: float) -> tuple[float, int]:
        offsets = self._corpus.sentence_offsets[text.first_sentence : text.last_sentence + 1]
        loss: tuple[float, int] = trainer.train(
            ids=self._corpus.ids,
            sentence_offsets=offsets,
            first_token=text.first_token,
            last_token=text.last_token,
            key=epoch_key(self._settings.seed, text.epoch),
            learning_rate=rate,
            score_offset=score_offset(self._settings.negatives),
            cbow=self._settings.objective == "cbow",
            loss_phase=LOSS_STRIDE * text.number,
        )
        return loss


def native_sampling(sampling: Sampling) -> Any:
    return require_native().Sampling(
        keep_probability=sampling.keep_probability,
        thresholds=sampling.negatives.thresholds,
        others=sampling.negatives.others,
        numeral_thresholds=sampling.numeral_negatives.thresholds,
        numeral_others=sampling.numeral_negatives.others,
        window=sampling.window,
        negatives_per_draw=sampling.negatives_per_draw,
        numerals_per_draw=sampling.numerals_per_draw,
    )


def row_arrays(rows: SparseRows) -> tuple[Any, Any, Any]:
    """Return rows of weights as native code takes them."""
    return rows.offsets, rows.indices, rows.weights

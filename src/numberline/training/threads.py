"""Numbered blocks of work → all of them done, by the threads of a CPU.

Each thread takes one block after another and trains it natively, without locks. Racing writes are
accepted, since updates touch few rows (Hogwild).
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from concurrent.futures import FIRST_EXCEPTION, wait
from typing import Any, Generic, TypeVar

from numberline.kernels import require_native
from numberline.threads import thread_pool
from numberline.training.progress import TrainingCallback, TrainingProgress

PROGRESS_SECONDS = 0.2  # between two calls of the callback
AnyProgress = TypeVar("AnyProgress", bound=TrainingProgress)


class ThreadedTrainer(ABC, Generic[AnyProgress]):
    """Trains tables in place. `run` may stop early; called again, it continues."""

    progress: AnyProgress
    next_block: int  # the first that no thread has taken
    block_count: int

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._is_stopped = False

    @property
    def machine(self) -> dict[str, Any]:
        """Return the hardware that trains, for the facts in a model."""
        instruction_set = require_native().instruction_set()
        return {"threads": self._threads, "instruction_set": instruction_set}

    @abstractmethod
    def _new_native(self) -> Any:
        """Return the native trainer of one thread."""

    @abstractmethod
    def _block(self, number: int) -> Any:
        """Return a block by its number in the order of training."""

    @abstractmethod
    def _train_block(self, native: Any, block: Any) -> None:
        """Train a block and add it to the progress."""

    def run(self, progress: TrainingCallback | None = None, seconds: float = float("inf")) -> bool:
        """Train for about `seconds`, or until all blocks are done; return whether they are.

        However it ends, all blocks below `next_block` are then done, and no other is begun.
        """
        end = time.monotonic() + seconds
        pool = thread_pool(self._threads)
        try:
            # An interrupt may come while threads start: whatever has started must see the stop.
            self._is_stopped = False
            workers = {pool.submit(self._work) for _ in range(self._threads)}
            while workers:
                patience = min(PROGRESS_SECONDS, max(0.0, end - time.monotonic()))
                done, workers = wait(workers, patience, FIRST_EXCEPTION)
                for worker in done:
                    worker.result()
                if progress is not None:
                    progress(self.progress)
                if time.monotonic() >= end:
                    break
        finally:
            self._is_stopped = True
            pool.shutdown()
        for worker in workers:
            worker.result()
        return self.next_block == self.block_count

    def _work(self) -> None:
        native = self._new_native()
        while (block := self._next_block()) is not None:
            self._train_block(native, block)

    def _next_block(self) -> Any:
        """Return a block that no thread has taken, or None."""
        with self._lock:
            if self._is_stopped or self.next_block >= self.block_count:
                return None
            self.next_block += 1
            return self._block(self.next_block - 1)

"""Ids, rows of weights and settings → trained tables, by a GPU. The twin of training/cpu.py.

The device plans and trains the blocks of a launch together. While one launch trains, the next one
is sent.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from numberline.arrays import Array
from numberline.extras import optional
from numberline.numerals.rows import SparseRows
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.cuda.damping import damping_of_sides
from numberline.training.cuda.kernels import LOAD_SLOTS, Grid, KernelShape, cuda_kernels
from numberline.training.cuda.plan import Planner
from numberline.training.cuda.structs import DeviceLaunch, DeviceTables, SideTable, on_device
from numberline.training.cuda.text import LaunchText
from numberline.training.devices import gpu_name
from numberline.training.progress import TrainingCallback, TrainingProgress
from numberline.training.random import epoch_key
from numberline.training.sampling import Sampling, sampling_of
from numberline.training.schedule import Schedule
from numberline.training.state import TrainingState
from numberline.training.tables import Tables

LAUNCH_TOKENS = 1 << 22  # at most; the blocks of a launch are trained in any order
TOKENS_PER_WARP = 100  # of a launch, at least
LOSS_STRIDE = 29  # groups by which the sample for the loss shifts from block to block
LOSS_PHASES = 64  # kLossEvery in windows.cu


@dataclass
class Work:
    """The device's work so far."""

    trained_words: int = 0  # without frequent words that were dropped
    planning_seconds: float = 0.0
    training_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class Launch:
    """Blocks that the device plans and trains."""

    tokens: int
    learning_rate: float  # at its end
    events: tuple[Any, Any, Any]  # before and after planning, and after training
    totals: Any  # loss, pairs and centres: Totals in step.cu


class GpuTrainer:
    """Trains the tables of `state`. `run` may stop early; called again, it continues."""

    def __init__(
        self,
        corpus: EncodedCorpus,
        state: TrainingState,
        settings: Settings,
        warps: int | None = None,
    ) -> None:
        """Prepare to train with `warps`, by default all that fit; one follows the definition."""
        self._cupy = optional("cupy", "cuda")
        self._kernels = cuda_kernels(KernelShape.of(settings))
        self._state, self._settings, self.next_block = state, settings, state.next_block
        self.schedule = Schedule(corpus, settings)
        self.progress = TrainingProgress(self.schedule, state.next_block)
        self.progress.gpu = gpu_name()
        self.work = Work()
        sampling = sampling_of(corpus.vocabulary, len(corpus.ids), settings)
        self._text = LaunchText(corpus, sampling)
        self._planner = Planner(self._kernels, sampling)
        self._warps = warps or self._kernels.warps
        self._tables = self._tables_on_device(corpus, sampling)
        self._launches: deque[Launch] = deque()
        self._reader = self._cupy.cuda.Stream(non_blocking=True)  # does not wait for launches

    def _tables_on_device(self, corpus: EncodedCorpus, sampling: Sampling) -> DeviceTables:
        vocabulary, tables = corpus.vocabulary, self._state.tables
        rows = self._state.numeral_rows(vocabulary.numerals)
        most_warps = self._grid_of(min(len(corpus.ids), LAUNCH_TOKENS)).warps
        rate = self._settings.learning_rate
        inputs, outputs = damping_of_sides(vocabulary, sampling, rows, rate, most_warps)
        warps, per_warp = self._kernels.grid_of(self._warps).warps, self._kernels.shape
        return DeviceTables(
            input=device_side(tables.padded_input, inputs, rows["input"]),
            output=device_side(tables.padded_output, outputs, rows["output"]),
            words=np.int32(tables.words),
            is_frozen=np.int32(self._state.is_frozen),
            scratch=self._cupy.empty(warps * per_warp.scratch_floats, np.float32),
            loads=self._cupy.zeros(warps * LOAD_SLOTS, np.float32),
        )

    @property
    def machine(self) -> dict[str, Any]:
        """Return the hardware that trains, for the facts in a model."""
        return {"gpu": gpu_name()} | asdict(self.work)

    @property
    def tables(self) -> Tables:
        """Copy the vectors from the device into the tables of the state, and return these."""
        tables = self._state.tables
        for side, rows in (
            (self._tables.input, tables.padded_input),
            (self._tables.output, tables.padded_output),
        ):
            if rows.size:
                side.rows.get(out=rows)
        return tables

    def run(self, progress: TrainingCallback | None = None, seconds: float = float("inf")) -> bool:
        """Train for about `seconds`, or until all blocks are done; return whether they are.

        However it ends, all blocks below `next_block` will be done when tables are fetched, and no
        other is begun.
        """
        end = time.monotonic() + seconds
        while self.next_block < self.schedule.block_count and time.monotonic() < end:
            self._launches.append(self._launch())
            if len(self._launches) > 1:
                self._finish(progress)
        while self._launches:
            self._finish(progress)
        return self.next_block == self.schedule.block_count

    def _launch(self) -> Launch:
        """Let the device plan and train the next blocks, without waiting for it."""
        first, last = self.next_block, self.schedule.end_of_launch(self.next_block, LAUNCH_TOKENS)
        blocks, epoch = self.schedule.bounds_of(first, last), self.schedule[first].epoch
        events = tuple(self._cupy.cuda.Event() for _ in range(3))
        events[0].record()
        plan = self._planner.plan(
            self._text.of_launch(blocks, epoch_key(self._settings.seed, epoch))
        )
        events[1].record()
        tokens, launch = int(blocks.starts[-1]), self._device_launch(first, last)
        self._kernels.train_windows(self._grid_of(tokens), plan, self._tables, launch)
        self.next_block = last  # what is launched gets done, even if nobody waits for it
        events[2].record()
        return Launch(tokens, float(launch.last_rate), events, launch.totals)

    def _device_launch(self, first: int, last: int) -> DeviceLaunch:
        before, after = (self.schedule.done_before(number) for number in (first, last))
        return DeviceLaunch(
            first_rate=np.float32(self.schedule.learning_rate(before)),
            last_rate=np.float32(self.schedule.learning_rate(after)),
            loss_phase=np.int32(LOSS_STRIDE * first % LOSS_PHASES),
            totals=self._cupy.zeros(3, np.float64),
        )

    def _grid_of(self, tokens: int) -> Grid:
        return self._kernels.grid_of(min(self._warps, tokens // TOKENS_PER_WARP))

    def _finish(self, progress: TrainingCallback | None) -> None:
        """Wait for the earliest pending launch, and report it."""
        launch, cuda = self._launches.popleft(), self._cupy.cuda
        begun, planned, trained = launch.events
        trained.synchronize()
        totals = launch.totals.get(stream=self._reader)
        loss_sum, (pairs, centres) = float(totals[0]), totals[1:].view(np.uint64).tolist()
        self.work.trained_words += centres
        self.work.planning_seconds += cuda.get_elapsed_time(begun, planned) / 1000
        self.work.training_seconds += cuda.get_elapsed_time(planned, trained) / 1000
        self.progress.add(launch.tokens, launch.learning_rate, loss_sum, pairs)
        if progress is not None:
            progress(self.progress)


def device_side(table: Array, damping: Array, numerals: SparseRows) -> SideTable:
    return on_device(SideTable(table, damping, numerals.lengths, numerals))  # type: ignore[no-any-return]

"""Ids, rows of weights and settings → trained tables, by a GPU. The twin of training/cpu.py.

Some ranges of text make a launch: the device plans and trains them, and each warp goes through a
piece of its own. While one launch trains, the next one is sent.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from numberline.extras import optional
from numberline.training.cuda.damping import parts_of_steps
from numberline.training.cuda.kernels import Grid, KernelShape, cuda_kernels
from numberline.training.cuda.plan import Planner
from numberline.training.cuda.structs import LaunchSettings
from numberline.training.cuda.tables import fetch_tables, tables_to_device
from numberline.training.cuda.text import LaunchText
from numberline.training.devices import gpu_name
from numberline.training.divergence import diverged, has_diverged
from numberline.training.job import TrainingJob
from numberline.training.progress import TrainingCallback, TrainingProgress
from numberline.training.random import epoch_key
from numberline.training.sampling import sampling_of, score_offset
from numberline.training.schedule import Schedule
from numberline.training.tables import Tables

LAUNCH_TOKENS = 1 << 22  # ranges are trained in their order, but for those of a launch
TOKENS_PER_WARP = 100  # of a launch, at least
LOSS_STRIDE = 29  # draws by which the looked-at ones move on from one range to the next
LOSS_PHASES = 64  # kLossEvery in windows.cu


@dataclass
class Work:
    """What was done so far."""

    trained_words: int = 0  # left after thinning out
    planning_seconds: float = 0.0  # of the device
    training_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class Launch:
    """What the device has been told to do."""

    tokens: int
    learning_rate: float  # at its end
    events: tuple[Any, Any, Any]  # before and after planning, and after training
    totals: Any  # loss, pairs and centres: Totals in step.cu


class CudaTrainer:
    """Train the ranges of a job. `run` may stop early; called again, it goes on from there."""

    def __init__(self, job: TrainingJob, next_range: int = 0, warps: int | None = None) -> None:
        """One warp alone does all in the order of the definition; by default many work."""
        self._cupy = optional("cupy", "cuda")
        self._kernels = cuda_kernels(KernelShape.of(job.settings))
        self._job, self.next_range = job, next_range
        self.schedule = Schedule(job.corpus, job.settings)
        self.progress = TrainingProgress(self.schedule, next_range)
        self.progress.gpu = gpu_name()
        self.work = Work()
        sampling = sampling_of(job.corpus.vocabulary, len(job.corpus.ids), job.settings)
        self._text = LaunchText(job.corpus, sampling)
        self._planner = Planner(self._kernels, sampling)
        self._warps = warps or self._kernels.warps
        most_warps = self._grid_of(min(len(job.corpus.ids), LAUNCH_TOKENS)).warps
        parts = parts_of_steps(job, sampling, most_warps)
        scratch = self._kernels.grid_of(self._warps).warps * self._kernels.shape.scratch_floats
        self._tables = tables_to_device(job, parts, scratch)
        self._launches: deque[Launch] = deque()
        self._reader = self._cupy.cuda.Stream(non_blocking=True)  # does not wait for launches

    @property
    def machine(self) -> dict[str, Any]:
        """Return what trains, for the facts of a model."""
        return {"gpu": gpu_name()} | asdict(self.work)

    @property
    def tables(self) -> Tables:
        """Fetch what has been learnt into the tables of the job."""
        fetch_tables(self._tables, self._job.tables)
        return self._job.tables

    def run(self, progress: TrainingCallback | None = None, seconds: float = float("inf")) -> bool:
        """Train until all ranges are done, or for about so long; tell whether all are.

        Whatever ends it, all ranges below `next_range` will be done when tables are fetched, and no
        other is begun.
        """
        end = time.monotonic() + seconds
        while self.next_range < self.schedule.ranges and time.monotonic() < end:
            self._launches.append(self._launch())
            if len(self._launches) > 1:
                self._finish(progress)
        while self._launches:
            self._finish(progress)
        return self.next_range == self.schedule.ranges

    def _launch(self) -> Launch:
        """Have the device plan and train the next ranges, without waiting for it."""
        first, last = self.next_range, self.schedule.reach(self.next_range, LAUNCH_TOKENS)
        ranges, epoch = self.schedule.token_ranges(first, last), self.schedule[first].epoch
        events = tuple(self._cupy.cuda.Event() for _ in range(3))
        events[0].record()
        text = self._text.listed(ranges, epoch_key(self._job.settings.seed, epoch))
        plan = self._planner.plan(text)
        events[1].record()
        totals = self._cupy.zeros(3, np.float64)
        settings = self._settings(first, last)
        tokens = int(ranges.starts[-1])
        arguments = (plan, text.range_count, self._tables, settings, totals)
        self._kernels.train_windows(self._grid_of(tokens), *arguments)
        self.next_range = last  # what is launched gets done, even if nobody waits for it
        events[2].record()
        return Launch(tokens, float(settings.last_rate), events, totals)

    def _settings(self, first: int, last: int) -> LaunchSettings:
        before, after = (self.schedule.done_before(number) for number in (first, last))
        return LaunchSettings(
            np.float32(self.schedule.learning_rate(before)),
            np.float32(self.schedule.learning_rate(after)),
            np.float32(score_offset(self._job.settings.negatives)),
            np.int32(LOSS_STRIDE * first % LOSS_PHASES),
        )

    def _grid_of(self, tokens: int) -> Grid:
        return self._kernels.grid_of(min(self._warps, tokens // TOKENS_PER_WARP))

    def _finish(self, progress: TrainingCallback | None) -> None:
        """Wait for the earliest launch that is not done, and report it."""
        launch, cuda = self._launches.popleft(), self._cupy.cuda
        begun, planned, trained = launch.events
        trained.synchronize()
        totals = launch.totals.get(stream=self._reader)
        loss_sum, (pairs, centres) = float(totals[0]), totals[1:].view(np.uint64).tolist()
        self.work.trained_words += centres
        self.work.planning_seconds += cuda.get_elapsed_time(begun, planned) / 1000
        self.work.training_seconds += cuda.get_elapsed_time(planned, trained) / 1000
        self.progress.add(launch.tokens, launch.learning_rate, loss_sum, pairs)
        if has_diverged(loss_sum, self.progress, self._job.settings):
            raise diverged(self._job.settings)
        if progress is not None:
            progress(self.progress)

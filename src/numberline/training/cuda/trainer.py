"""Ids, an encoder and settings → trained vectors, on a GPU. The twin of training/trainer.py.

Text is planned a stretch at a time and trained round by round, all by the device; the host only
says how far rounds go. Blocks are those of the CPU. A round takes as much text as block_load
allows: the learning rate falls, so rounds grow.
"""

from __future__ import annotations

import itertools
import math
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.config import TrainingConfig
from numberline.encoders.base import LinearEncoder, NumeralEncoder, Side
from numberline.encoders.squash import Floats
from numberline.extras import optional
from numberline.text.encoded import EncodedCorpus
from numberline.training.cuda.crowd import Crowd
from numberline.training.cuda.kernels import Grid, KernelShape, cuda_kernels
from numberline.training.cuda.numerals import DeviceNumerals, LinearNumerals, OtherNumerals
from numberline.training.cuda.stretch import (
    MARKED_BYTES,
    DeviceSampling,
    PlannedStretch,
    StretchPlanner,
)
from numberline.training.cuda.tables import rows_to_device, rows_to_host
from numberline.training.cuda.text import DeviceText
from numberline.training.devices import gpu_name
from numberline.training.negatives import negative_shares
from numberline.training.numerals import BlockNumerals
from numberline.training.plan import Sampling
from numberline.training.progress import TrainingCallback, TrainingProgress
from numberline.training.random import epoch_key
from numberline.training.schedule import Schedule
from numberline.training.tables import WordTables
from numberline.training.trainer import diverged, is_lost

STRETCH_TOKENS = 1 << 22  # planned at once: blocks are trained in their order, but for these
ROUND_TOKENS = 1 << 20  # trained at most between two looks at the encoder
WORDS_PER_PIECE = 100  # of text that a warp goes through, at least
ROUNDS = 64  # at least in all: the learning rate falls from one to the next


@dataclass
class Work:
    """What was done so far."""

    trained_words: int = 0  # left after thinning out
    rounds: int = 0
    planning_seconds: float = 0.0
    training_seconds: float = 0.0

    def add(self, words: int, rounds: int, planning: float, training: float) -> None:
        self.trained_words += words
        self.rounds += rounds
        self.planning_seconds += planning
        self.training_seconds += training


class CudaTrainer:
    """Run it, perhaps in several parts: blocks that are done stay done."""

    def __init__(
        self,
        corpus: EncodedCorpus,
        encoder: NumeralEncoder | None,
        tables: WordTables,
        config: TrainingConfig,
        seed: int,
        next_block: int = 0,
        warps: int | None = None,
    ) -> None:
        """`warps` are those at work at once; one alone does all in the order of the definition."""
        self._cupy = optional("cupy", "cuda")
        shape = KernelShape.of(config)
        self._kernels = cuda_kernels(shape)
        self._config, self._seed = config, seed
        self._encoder, self.next_block = encoder, next_block
        vocabulary = corpus.vocabulary
        numerals = BlockNumerals(encoder, vocabulary, config)
        self.schedule = Schedule(corpus, config, seed, numerals.most_per_block)
        self._most_numerals = numerals.most_at_once(1)  # a round is trained by all together
        self.progress = TrainingProgress(self.schedule, next_block)
        self.progress.gpu = gpu_name()
        sampling = Sampling.of(vocabulary, len(corpus.ids), numerals.groups, config)
        self._text = DeviceText(corpus, self.schedule.bounds)
        self._planner = StretchPlanner(self._kernels, self._text, DeviceSampling.of(sampling))
        self._numerals = device_numerals(encoder, numerals.of_groups(), config.dim, shape.stride)
        self._word_count = len(tables.input)
        self._words = [
            rows_to_device(rows, shape.stride)
            for rows in (tables.padded_input, tables.padded_output)
        ]
        self.work = Work()
        self._loss = self._cupy.zeros(2, np.float64)  # sum, and the bits of a count
        kept = sampling.keep_share * vocabulary.word_counts
        numeral_tokens = int(vocabulary.numeral_counts.sum())
        self._kept_share = (float(kept.sum()) + numeral_tokens) / max(len(corpus.ids), 1)
        shares = negative_shares(vocabulary.word_counts, vocabulary.numeral_counts)
        crowd = Crowd.of(config, kept / max(kept.sum(), 1), shares[: len(kept)])
        self._warps = warps or crowd.most_warps(self._kernels.warps)
        self._parts = crowd.parts(self._warps)

    @property
    def machine(self) -> dict[str, Any]:
        """What trains, for the facts of a model."""
        return {"gpu": gpu_name()} | asdict(self.work)

    @property
    def tables(self) -> WordTables:
        """Fetched from the device."""
        dim = self._config.dim
        return WordTables(dim, *(rows_to_host(rows, self._word_count, dim) for rows in self._words))

    @property
    def encoder(self) -> NumeralEncoder | None:
        """With what it has learnt so far."""
        self._numerals.to_encoder()
        return self._encoder

    def run(self, progress: TrainingCallback | None = None, seconds: float = float("inf")) -> bool:
        """Train until all blocks are done, or for about so long; says whether all are.

        Whatever ends it, all blocks below `next_block` are then done and no other is begun.
        """
        end = time.monotonic() + seconds
        while self.next_block < self.schedule.blocks and time.monotonic() < end:
            self._train(self.next_block, self.schedule.reach(self.next_block, STRETCH_TOKENS))
            if progress is not None:
                progress(self.progress)
        is_done = self.next_block == self.schedule.blocks
        if is_done and self._encoder is not None:
            self._encoder.use_device("cpu")
        return is_done

    def _train(self, first_block: int, last_block: int) -> None:
        began = time.monotonic()
        last_block = self._plannable(first_block, last_block)
        grid = self._grid_of(first_block, last_block)
        segments = self._segments(grid)
        starts, rates = self.rounds_of(first_block, last_block, segments)
        epoch = self.schedule[first_block].epoch
        blocks = self.schedule.ranges(first_block, last_block)
        key = epoch_key(self._seed, epoch)
        plan = self._planner.plan(blocks, starts - first_block, key, segments)
        self._fetch_ahead(last_block)
        planned = time.monotonic()
        self._numerals.make_room(plan.most_members)
        self._loss[:] = 0
        self._launch_all(plan, self._cupy.asarray(rates), starts, grid)
        loss_sum, pairs = float(self._loss[0]), int(self._loss.view(np.uint64)[1])
        self.work.add(len(plan.rows), plan.rounds, planned - began, time.monotonic() - planned)
        self.progress.add(int(blocks.starts[-1]), float(rates[-1]), loss_sum, pairs)
        if is_lost(loss_sum, self.progress, self._config):
            raise diverged(self._config)

    def _fetch_ahead(self, block: int) -> None:
        """What is likely to be the next stretch, within the epoch."""
        if block % self.schedule.blocks_per_epoch:
            following = self.schedule.reach(block, STRETCH_TOKENS)
            self._text.fetch(self.schedule.ranges(block, following))

    def _plannable(self, first_block: int, last_block: int) -> int:
        """The block after those whose rounds are planned at once."""
        most_rounds = max(1, MARKED_BYTES // (2 * max(1, len(self._numerals.rows[0]))))
        starts, _ = self.rounds_of(first_block, last_block, segments=1)  # no fewer than with more
        if len(starts) - 1 <= most_rounds:
            return last_block
        return int(starts[most_rounds])

    def rounds_of(
        self, first_block: int, last_block: int, segments: int
    ) -> tuple[Floats, npt.NDArray[np.float32]]:
        """Blocks with which rounds start, and the one after the last; their learning rates.

        Where each warp goes through a segment of its own, all blocks are under way at once. They
        then count as alike, and a round takes a share of each. Otherwise it is made of whole ones.
        """
        reached, rates = self._loads_before(first_block, last_block, segments)
        if segments == 1:
            starts = whole_rounds(reached)
        else:
            ends = np.linspace(0, reached[-1], math.ceil(reached[-1]) + 1)
            starts = np.interp(ends, reached, np.arange(len(reached)))
        middles = ((starts[:-1] + starts[1:]) / 2).astype(int)
        return starts + first_block, rates[middles].astype(np.float32)

    def _loads_before(
        self, first_block: int, last_block: int, segments: int
    ) -> tuple[Floats, Floats]:
        """Of each block and of the end, where a round bears 1; and their learning rates."""
        blocks = self.schedule.summary(first_block, last_block)
        tokens, numerals, rates = blocks.tokens, blocks.numerals, blocks.rates
        if segments > 1:
            tokens, numerals = (np.full(len(rates), some.mean()) for some in (tokens, numerals))
            rates = np.linspace(rates[0], rates[-1], len(rates))
        most_tokens = min(ROUND_TOKENS, max(1, self.schedule.tokens // ROUNDS))
        pulls = numerals * rates / self._config.learning_rate
        loads = np.maximum(tokens / most_tokens, pulls / self._most_numerals)
        return np.concatenate([[0], np.cumsum(loads)]), rates

    def _grid_of(self, first_block: int, last_block: int) -> Grid:
        """What works on a stretch: every warp has a good piece of it to go through."""
        tokens = int(self.schedule.summary(first_block, last_block).tokens.sum())
        pieces = int(tokens * self._kept_share / WORDS_PER_PIECE)
        return self._kernels.grid_of(min(self._warps, pieces))

    def _segments(self, grid: Grid) -> int:
        """A piece of text for each warp; only one where rounds are launched one by one.

        What is done must then be told by blocks.
        """
        is_alone = isinstance(self._numerals, OtherNumerals)
        return 1 if is_alone else grid.warps

    def _launch_all(self, plan: PlannedStretch, rates: Any, starts: Floats, grid: Grid) -> None:
        """What is launched gets done: blocks count as done before the device says so."""
        if not isinstance(self._numerals, OtherNumerals):
            self._launch(plan, rates, range(plan.rounds), int(starts[0]), grid)
            self.next_block = int(starts[-1])
            return
        members, member_bounds = plan.members.get(), plan.member_bounds.get()
        for number, start in enumerate(starts[1:].tolist()):
            bounds = member_bounds[2 * number : 2 * number + 3].tolist()
            own = [members[first:end] for first, end in itertools.pairwise(bounds)]
            self._numerals.compose(own)
            self._launch(plan, rates, range(number, number + 1), int(start), grid)
            self._numerals.absorb(own)
            self.next_block = int(start)

    def _launch(
        self, plan: PlannedStretch, rates: Any, rounds: range, loss_phase: int, grid: Grid
    ) -> None:
        self._kernels.train_rounds(
            grid,
            *(plan.rows, plan.rows, plan.first_context, plan.last_context),
            *(plan.negative_rows, plan.first_centre),
            *(*self._words, *self._numerals.rows, *self._parts, plan.members),
            *self._numerals.arguments(),
            *(plan.draw_bounds, plan.member_bounds, rates),
            *map(np.int32, (rounds.start, rounds.stop, plan.rounds, plan.segments)),
            *(np.int32(29 * loss_phase), self._cupy.zeros(1, np.uint32)),
            *(self._loss[:1], self._loss[1:]),
        )


def whole_rounds(reached: Floats) -> Floats:
    """As many blocks in each as bear no more than 1 together, and at least one."""
    starts, blocks = [0], len(reached) - 1
    while starts[-1] < blocks:
        end = int(np.searchsorted(reached, reached[starts[-1]] + 1, side="right")) - 1
        starts.append(min(max(end, starts[-1] + 1), blocks))
    return np.array(starts, np.float64)


def device_numerals(
    encoder: NumeralEncoder | None, prepared: dict[Side, Any], dim: int, stride: int
) -> DeviceNumerals:
    if isinstance(encoder, LinearEncoder):
        return LinearNumerals(encoder, prepared, dim, stride)
    return OtherNumerals(encoder, prepared, dim, stride)

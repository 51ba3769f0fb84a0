"""Counts of pairs, rows of weights and settings → trained tables, by the threads of a CPU.

training/glove_reference.py defines what is trained. A block is a range of rows of the counts; in
each epoch, blocks come in another random order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from numberline.arrays import Array
from numberline.cooccurrence.pairs import PairCounts
from numberline.cooccurrence.pooling import pooled
from numberline.errors import TrainingError
from numberline.kernels import require_native
from numberline.numerals.base import SIDES
from numberline.numerals.rows import SparseRows
from numberline.objectives import Glove
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import Settings
from numberline.training.composed_side import composed_side
from numberline.training.glove_reference import starting_biases
from numberline.training.progress import PairProgress
from numberline.training.random import epoch_key, random_bits
from numberline.training.refusals import unsuitable
from numberline.training.state import TrainingState
from numberline.training.tables import tables_of
from numberline.training.threads import ThreadedTrainer

BLOCK_CELLS = 1 << 17  # trained without returning to Python, in a fraction of a second
EXTRA = ("row_squares", "biases", "bias_squares")  # of each side, beside its vectors
MIN_BLOCKS = 64  # per epoch, so that threads end together
DIVERGED_LOSS_RATIO = 10  # stop above this multiple of a block's first loss

FIRST_SQUARE = 0.01  # with which sums of squares begin: those of vectors are small
FEW_PAIRS = 10_000  # counted as without loss: a few pairs alone are no sign of divergence

Extra = Mapping[str, Array]


class GloveTrainer(ThreadedTrainer[PairProgress]):
    """Trains the tables of `state`, and what else `extra` holds, in place.

    Prototypes are trained as words, on pooled counts; `finished` makes the tables of a model.
    """

    def __init__(
        self,
        pairs: PairCounts,
        vocabulary: Vocabulary,
        state: TrainingState,
        settings: Settings,
        progress: PairProgress,
    ) -> None:
        assert isinstance(settings.objective, Glove)
        super().__init__(settings.threads)
        weights = poolable_weights(vocabulary, state, settings)
        self._pairs = pooled(pairs, state.tables.words, weights, settings.threads)
        self._settings, self._objective = settings, settings.objective
        self.tables, self.next_block, self.progress = state.tables, state.next_block, progress
        self.extra: Extra = dict(state.extra) or starting_extra(self._pairs, settings)
        require_fitting(self.extra, len(self._pairs))
        self._ranges = self._pairs.row_ranges(MIN_BLOCKS, BLOCK_CELLS)
        self._first_losses = np.full(len(self._ranges), np.nan)  # of a pair, by block
        self.block_count = len(self._ranges) * self._objective.epochs
        self.tokens = progress.total_tokens
        progress.learning_rate = self._objective.learning_rate

    def _new_native(self) -> Any:
        native = require_native()
        tables = self.tables.padded_input, self.tables.padded_output
        sides = [
            native.GloveSide(rows=table, **{name: self.extra[f"{side}_{name}"] for name in EXTRA})
            for side, table in zip(SIDES, tables, strict=True)
        ]
        return native.GloveTrainer(
            offsets=self._pairs.offsets,
            cells=self._pairs.cells.view(np.int32),
            input=sides[0],
            output=sides[1],
            dim=self.tables.dim,
            learning_rate=self._objective.learning_rate,
            x_max=self._objective.x_max,
            power=self._objective.power,
        )

    def _block(self, number: int) -> int:
        """Return the index of a block; in each epoch blocks have another order."""
        epoch, index = divmod(number, len(self._ranges))
        bits = random_bits(epoch_key(self._settings.seed, epoch), np.arange(len(self._ranges)))
        return int(np.argsort(bits, kind="stable")[index])

    def _train_block(self, native: Any, block: int) -> None:
        first, last = self._ranges[block]
        loss_sum, pairs = native.train(first_row=first, last_row=last)
        with self._lock:
            self.progress.tokens = round(self.next_block / self.block_count * self.tokens)
            self.progress.add_loss(loss_sum, pairs)
            loss = loss_sum / (pairs + FEW_PAIRS)
            if np.isnan(self._first_losses[block]):
                self._first_losses[block] = loss_sum / max(1, pairs)
            if not loss <= DIVERGED_LOSS_RATIO * self._first_losses[block]:
                rate = self._objective.learning_rate
                raise TrainingError(
                    "training diverges: the vectors grow without bounds; "
                    f"lower objective='glove:learning_rate={rate}'"
                )


def poolable_weights(
    vocabulary: Vocabulary, state: TrainingState, settings: Settings
) -> SparseRows:
    """Return the numerals' weights, by which their counts are pooled; refuse negative ones."""
    if state.is_frozen:
        raise unsuitable(settings, "whose vectors do not learn")
    weights = state.numeral_rows(vocabulary.numerals)["input"]
    if (weights.weights < 0).any():
        raise unsuitable(settings, "whose weights may be negative")
    return weights


def starting_extra(pairs: PairCounts, settings: Settings) -> Extra:
    """Return the biases of both sides, and the sums of squares."""
    assert isinstance(settings.objective, Glove)
    biases = starting_biases(pairs, settings.objective, settings.threads).astype(np.float32)
    extra: dict[str, Array] = {}
    for side in SIDES:
        extra[f"{side}_row_squares"] = np.full(len(pairs), FIRST_SQUARE, np.float32)
        extra[f"{side}_biases"] = biases.copy()
        extra[f"{side}_bias_squares"] = np.ones(len(pairs), np.float32)
    return extra


def require_fitting(extra: Extra, rows: int) -> None:
    """Refuse the arrays of a checkpoint that do not fit the tables."""
    wanted = {f"{side}_{name}": rows for side in SIDES for name in EXTRA}
    found = {name: len(array) for name, array in extra.items() if array.dtype == np.float32}
    if found != wanted:
        raise TrainingError("the checkpoint was made by another objective; start anew")


def finished(state: TrainingState, vocabulary: Vocabulary, settings: Settings) -> TrainingState:
    """Return the state with the tables of a model.

    Both sides were trained with the weights of input vectors, E. Output vectors have others, F: the
    output table T is the one with which F T comes nearest to E times the trained table, frequent
    numerals counting most. With √D F = Q R that is T = R⁻¹ Qᵀ √D E times the trained table.
    """
    assert isinstance(settings.objective, Glove)
    tables, counts = state.tables, vocabulary.numerals.counts.astype(np.float64)
    weights = state.numeral_rows(vocabulary.numerals)
    side = composed_side(tables.words, weights["output"], counts)
    numerals = weights["input"] @ np.ascontiguousarray(tables.prototype_output)
    outputs = side.solution(side.gathered(np.concatenate([tables.word_output, numerals])))[1]
    inputs = tables.word_input, tables.prototype_input
    if settings.objective.sum_sides:
        inputs = inputs[0] + tables.word_output, inputs[1] + tables.prototype_output
    new = tables_of((inputs[0], tables.word_output), (inputs[1], outputs))
    return replace(state, tables=new, next_block=0, extra={})

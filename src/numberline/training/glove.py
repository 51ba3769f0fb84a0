"""Counts of pairs, rows of weights and settings → trained tables, by the threads of a CPU.

training/glove_reference.py defines what is trained. A block is a range of rows of the counts; in
each epoch, blocks come in another random order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from numberline.arrays import Array
from numberline.cooccurrence.pairs import PairCounts
from numberline.errors import TrainingError
from numberline.kernels import require_native
from numberline.numerals.base import SIDES
from numberline.objectives import Glove
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import Settings
from numberline.training.composed_side import composed_side
from numberline.training.cpu import native_side
from numberline.training.glove_reference import starting_biases
from numberline.training.progress import PairProgress
from numberline.training.random import epoch_key, random_bits
from numberline.training.state import TrainingState
from numberline.training.tables import Tables, tables_of
from numberline.training.threads import ThreadedTrainer

BLOCK_CELLS = 1 << 17  # trained without returning to Python, in a fraction of a second
MIN_BLOCKS = 64  # per epoch, so that threads end together
DIVERGED_LOSS_RATIO = 10  # stop above this multiple of a block's first loss

FIRST_SQUARE = 0.01  # with which sums of squares begin: those of vectors are small
FEW_PAIRS = 10_000  # counted as without loss: a few pairs alone are no sign of divergence

Extra = Mapping[str, Array]


class GloveTrainer(ThreadedTrainer[PairProgress]):
    """Trains the tables of `state`, and what else `extra` holds, in place."""

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
        self._pairs, self._settings, self._objective = pairs, settings, settings.objective
        self.tables, self.next_block, self.progress = state.tables, state.next_block, progress
        self.extra: Extra = dict(state.extra) or starting_extra(pairs, state, settings)
        require_fitting(self.extra, pairs, state)
        self._ranges = pairs.row_ranges(MIN_BLOCKS, BLOCK_CELLS)
        self._first_losses = np.full(len(self._ranges), np.nan)  # of a pair, by block
        self.block_count = len(self._ranges) * self._objective.epochs
        self.tokens = progress.total_tokens
        progress.learning_rate = self._objective.learning_rate
        self._arguments = self._native_arguments(vocabulary, state)

    def _native_arguments(self, vocabulary: Vocabulary, state: TrainingState) -> dict[str, Any]:
        rows = state.numeral_rows(vocabulary.numeral_values)
        tables = state.tables.padded_input, state.tables.padded_output
        sides = [native_side(table, rows[side]) for table, side in zip(tables, SIDES, strict=True)]
        states = [
            require_native().GloveSide(
                **{name: self.extra[f"{side}_{name}"] for name in STATE_OF_SIDE}
            )
            for side in SIDES
        ]
        return {
            "offsets": self._pairs.offsets,
            "cells": self._pairs.cells.view(np.int32),
            "input": sides[0],
            "output": sides[1],
            "input_state": states[0],
            "output_state": states[1],
            "words": state.tables.words,
            "is_frozen": state.is_frozen,
            "dim": state.tables.dim,
            "learning_rate": self._objective.learning_rate,
            "x_max": self._objective.x_max,
            "power": self._objective.power,
        }

    def _new_native(self) -> Any:
        return require_native().GloveTrainer(**self._arguments)

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


STATE_OF_SIDE = ("row_squares", "biases", "bias_squares")


def starting_extra(pairs: PairCounts, state: TrainingState, settings: Settings) -> Extra:
    """Return the biases of both sides, and the sums of squares."""
    assert isinstance(settings.objective, Glove)
    biases = starting_biases(pairs, settings.objective, settings.threads).astype(np.float32)
    extra: dict[str, Array] = {}
    for side in SIDES:
        extra[f"{side}_row_squares"] = np.full(row_count(state), FIRST_SQUARE, np.float32)
        extra[f"{side}_biases"] = biases.copy()
        extra[f"{side}_bias_squares"] = np.ones(len(pairs), np.float32)
    return extra


def summed(state: TrainingState, vocabulary: Vocabulary) -> Tables:
    """Return tables whose input vectors are the sums of both sides'.

    A numeral's output vector has other weights, so prototypes get what fits best: with E and F the
    rows of weights of both sides, the table T that makes E T most like F times the output table,
    frequent numerals counting most. With √D E = Q R that is T = R⁻¹ Qᵀ √D F times the table.
    """
    tables, counts = state.tables, vocabulary.numeral_counts.astype(np.float64)
    weights = state.numeral_rows(vocabulary.numeral_values)
    prototypes = tables.prototype_input
    if not state.is_frozen:
        side = composed_side(tables.words, weights["input"], counts)
        words = np.zeros((tables.words, tables.dim), np.float32)
        outputs = weights["output"] @ np.ascontiguousarray(tables.prototype_output)
        prototypes = prototypes + side.solution(side.gathered(np.concatenate([words, outputs])))[1]
    inputs = tables.word_input + tables.word_output
    return tables_of((inputs, tables.word_output), (prototypes, tables.prototype_output))


def row_count(state: TrainingState) -> int:
    return len(state.tables.padded_input)


def require_fitting(extra: Extra, pairs: PairCounts, state: TrainingState) -> None:
    """Refuse the arrays of a checkpoint that do not fit the tables."""
    lengths = {"row_squares": row_count(state), "biases": len(pairs), "bias_squares": len(pairs)}
    wanted = {f"{side}_{name}": length for side in SIDES for name, length in lengths.items()}
    found = {name: len(array) for name, array in extra.items() if array.dtype == np.float32}
    if found != wanted:
        raise TrainingError("the checkpoint was made by another objective; start anew")

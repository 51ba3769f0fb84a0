"""Counted pairs, rows of weights and settings → tables: the PPMI matrix, factorised.

training/ppmi_matrix.py defines the matrix, composed_side.py the exact solution for composed
vectors, svd.py finds it. Nothing here depends on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from numberline.arrays import Array
from numberline.cooccurrence.pairs import PairCounts
from numberline.numerals.base import SIDES
from numberline.objectives import Ppmi
from numberline.reading.vocabulary import Vocabulary
from numberline.training.composed_side import ComposedSide, composed_side
from numberline.training.ppmi_matrix import PairMatrix
from numberline.training.state import TrainingState
from numberline.training.svd import largest_singular, rows_of
from numberline.training.tables import Tables, tables_of


class ComposedMatrix:
    """B: a matrix with a row and a column for each word and each prototype."""

    def __init__(self, matrix: PairMatrix, inputs: ComposedSide, outputs: ComposedSide) -> None:
        self._matrix, self._inputs, self._outputs = matrix, inputs, outputs
        self.shape = inputs.size, outputs.size

    def times(self, table: Array) -> Array:
        return self._inputs.gathered(self._matrix.times(self._outputs.expanded(table)))

    def transposed_times(self, table: Array) -> Array:
        products = self._matrix.times(self._inputs.expanded(table), is_transposed=True)
        return self._outputs.gathered(products)


def factorised(
    pairs: PairCounts,
    vocabulary: Vocabulary,
    state: TrainingState,
    settings: Ppmi,
    seed: int,
    threads: int,
    progress: Callable[[float], None] | None = None,
) -> Tables:
    """Return tables of the same shape as those of `state`, which are not used."""
    counts = vocabulary.numerals.counts.astype(np.float64)
    weights = state.numeral_rows(vocabulary.numerals)
    words, dim = state.tables.words, state.tables.dim
    rng = np.random.default_rng(seed)
    with rows_of(threads) as rows:
        inputs, outputs = (composed_side(words, weights[side], counts) for side in SIDES)
        matrix = ComposedMatrix(PairMatrix(pairs, settings, threads), inputs, outputs)
        left, values, right = largest_singular(matrix, dim, rng, rows, progress)
        powers = settings.input_power, 1 - settings.input_power
        scaled = [
            (vectors * roots(values, power)).astype(np.float32)
            for vectors, power in zip((left, right), powers, strict=True)
        ]
        (word_input, input_table), (word_output, output_table) = (
            side.solution(one) for side, one in zip((inputs, outputs), scaled, strict=True)
        )
    return tables_of((word_input, word_output), (input_table, output_table))


def roots(values: Array, power: float) -> Array:
    """Return powers of singular values; those of the value 0 are 0, for its vectors are, too."""
    return np.where(values > 0, np.maximum(values, 1e-30) ** power, 0)

"""Counts of pairs of ids and rows of weights → counts of pairs of words and prototypes.

A count of a numeral is shared among its prototypes by its weights: with E the rows of weights of
all ids, a 1 for each word, X becomes Eᵀ X E.
"""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats
from numberline.cooccurrence.counting import Part, pair_counts
from numberline.cooccurrence.pairs import PairCounts
from numberline.kernels import require_native
from numberline.numerals.rows import SparseRows
from numberline.reading.parallel import ordered_map

ROWS_AT_A_TIME = 1 << 10
PROTOTYPES_AT_A_TIME = 4  # each has the cells of many numerals


def pooled(pairs: PairCounts, words: int, weights: SparseRows, threads: int) -> PairCounts:
    """Return the pooled counts, in memory; words come before prototypes."""
    members = weights.transposed()
    arguments = {
        "offsets": pairs.offsets,
        "cells": pairs.cells.view(np.int32),
        "words": words,
        "weight_offsets": weights.offsets,
        "weight_indices": weights.indices,
        "weights": weights.weights,
        "member_offsets": members.offsets,
        "member_indices": members.indices,
        "member_weights": members.weights,
    }

    def pool(rows: tuple[int, int]) -> Part:
        part: Part = require_native().pool_pairs(**arguments, first_row=rows[0], last_row=rows[1])
        return part

    lengths, cells = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
    for part_lengths, part_cells in ordered_map(pool, row_ranges(words, weights.size), threads):
        lengths.append(part_lengths)
        cells.append(part_cells)
    return pair_counts(np.concatenate(lengths), np.concatenate(cells))


def row_ranges(words: int, prototypes: int) -> list[tuple[int, int]]:
    """Return ranges of rows: many of words, few of prototypes."""
    end = words + prototypes
    firsts = [*range(0, words, ROWS_AT_A_TIME), *range(words, end, PROTOTYPES_AT_A_TIME)]
    return list(zip(firsts, [*firsts[1:], end], strict=True))


def defined_pooling(counts: Floats, words: int, weights: SparseRows) -> Floats:
    """Return the pooled counts of a full table: the definition."""
    rows = np.zeros((len(counts), words + weights.size))
    rows[:words, :words], rows[words:, words:] = np.eye(words), weights.dense()
    pooled: Floats = rows.T @ counts @ rows
    return pooled

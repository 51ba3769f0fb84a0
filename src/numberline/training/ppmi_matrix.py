"""Counts of pairs → the matrix of positive pointwise mutual information, to be multiplied.

    M_ij = max(0, log(x_ij / (r_i q_j)) - log shift),   r_i = Σ_j x_ij,   q_j = r_j^s / Σ_k r_k^s

x_ij is the count of centre i with context j; smoothing by the power s makes rare contexts likelier
than they are. M itself is never stored: a cell is log x_ij plus a term of its row and one of its
column, and the transposed matrix has the same cells with the terms exchanged.

With matrix="counts", as in HAL, a cell is x_ij itself.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.cooccurrence.pairs import CELL, PairCounts
from numberline.kernels import require_native
from numberline.objectives import Ppmi

Terms = npt.NDArray[np.float32]
PARTS_PER_THREAD = 16  # of the rows, so that threads end together


def information_terms(sums: Floats, settings: Ppmi) -> tuple[Terms, Terms]:
    """Return the term of each row and of each column; 0 for ids without pairs."""
    if settings.matrix == "counts":
        zeros = np.zeros(len(sums), np.float32)
        return zeros, zeros
    occurs = sums > 0
    rows = np.where(occurs, np.log(np.where(occurs, sums, 1)), 0)
    smoothed = np.where(occurs, settings.smoothing * rows, 0)
    total = math.log(np.exp(smoothed[occurs]).sum()) if occurs.any() else 0.0
    columns = np.where(occurs, total - smoothed - math.log(settings.shift), 0)
    return (-rows).astype(np.float32), columns.astype(np.float32)


class PairMatrix:
    """M, and its transposed, times tables with a row for each id."""

    def __init__(self, pairs: PairCounts, settings: Ppmi, threads: int) -> None:
        self._ranges = pairs.row_ranges(threads * PARTS_PER_THREAD)
        self._threads = threads
        values = pairs.cells if settings.matrix == "counts" else self._logarithms(pairs)
        rows, columns = information_terms(pairs.row_sums(), settings)
        arguments = {"offsets": pairs.offsets, "cells": values.view(np.int32)}
        native = require_native().PairMatrix
        self._forwards = native(**arguments, row_terms=rows, column_terms=columns)
        self._backwards = native(**arguments, row_terms=columns, column_terms=rows)

    def _logarithms(self, pairs: PairCounts) -> Array:
        cells = np.empty(len(pairs.cells), CELL)

        def fill(rows: tuple[int, int]) -> None:
            part = slice(*pairs.offsets[list(rows)].tolist())
            cells["column"][part] = pairs.columns[part]
            np.log(pairs.counts[part], out=cells["count"][part])

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(fill, self._ranges))
        return cells

    def times(self, table: Array, is_transposed: bool = False) -> Array:
        """Return M, or the transposed M, times a table."""
        native: Any = self._backwards if is_transposed else self._forwards
        products = np.empty_like(table)

        def multiply(rows: tuple[int, int]) -> None:
            first, last = rows
            native.products(
                first_row=first, last_row=last, table=table, products=products[first:last]
            )

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(multiply, self._ranges))
        return products


def defined_matrix(counts: Floats, settings: Ppmi) -> Floats:
    """Return M of a full table of counts: the definition."""
    if settings.matrix == "counts":
        return counts
    sums = counts.sum(axis=1)
    probabilities = sums**settings.smoothing / (sums[sums > 0] ** settings.smoothing).sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.log(counts / (sums[:, None] * probabilities)) - math.log(settings.shift)
    positive: Floats = np.maximum(np.nan_to_num(information, nan=0, neginf=0), 0)
    return positive

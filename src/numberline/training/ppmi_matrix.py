"""Counts of pairs → the matrix of positive pointwise mutual information, to be multiplied.

    M_ij = max(0, log(x_ij / (r_i q_j)) - log shift),   r_i = Σ_j x_ij,   q_j = r_j^s / Σ_k r_k^s

x_ij is the count of centre i with context j; smoothing by the power s makes rare contexts likelier
than they are. M itself is never stored: a cell is log x_ij plus a term of its row and one of its
column, and the transposed matrix has the same cells with the terms exchanged.

With matrix="counts", as in HAL, a cell is x_ij itself.
"""

from __future__ import annotations

import math

import numpy as np

from numberline.arrays import Array, Floats
from numberline.cooccurrence.pairs import PairCounts
from numberline.cooccurrence.products import CellMatrix, Terms, mapped_cells
from numberline.objectives import Ppmi


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
        is_ppmi = settings.matrix == "ppmi"
        values = mapped_cells(pairs, np.log, threads) if is_ppmi else pairs.cells
        rows, columns = information_terms(pairs.row_sums(), settings)
        self._forwards = CellMatrix(pairs, values, rows, columns, threads)
        self._backwards = CellMatrix(pairs, values, columns, rows, threads)

    def times(self, table: Array, is_transposed: bool = False) -> Array:
        """Return M, or the transposed M, times a table."""
        return (self._backwards if is_transposed else self._forwards).times(table)


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

"""Cells of counted pairs → a matrix, and its products with tables that have a row for each id."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.cooccurrence.pairs import CELL, PairCounts
from numberline.kernels import require_native
from numberline.threads import thread_pool

PARTS_PER_THREAD = 16  # of the rows, so that threads end together

Terms = npt.NDArray[np.float32]


class CellMatrix:
    """A matrix with max(0, value + row term + column term) in each cell of counted pairs."""

    def __init__(
        self, pairs: PairCounts, values: Array, row_terms: Terms, column_terms: Terms, threads: int
    ) -> None:
        self._ranges, self._threads = pairs.row_ranges(threads * PARTS_PER_THREAD), threads
        self._native = require_native().PairMatrix(
            offsets=pairs.offsets,
            cells=values.view(np.int32),
            row_terms=row_terms,
            column_terms=column_terms,
        )

    def times(self, table: Array) -> Array:
        """Return the matrix times a table; each row is summed by one thread."""
        products = np.empty_like(table)

        def multiply(rows: tuple[int, int]) -> None:
            first, last = rows
            self._native.products(
                first_row=first, last_row=last, table=table, products=products[first:last]
            )

        with thread_pool(self._threads) as pool:
            list(pool.map(multiply, self._ranges))
        return products


def mapped_cells(pairs: PairCounts, function: Callable[[Array], Array], threads: int) -> Array:
    """Return cells with a function of their counts."""
    cells = np.empty(len(pairs.cells), CELL)

    def fill(rows: tuple[int, int]) -> None:
        part = slice(*pairs.offsets[list(rows)].tolist())
        cells["column"][part] = pairs.columns[part]
        cells["count"][part] = function(pairs.counts[part])

    with thread_pool(threads) as pool:
        list(pool.map(fill, pairs.row_ranges(threads)))
    return cells

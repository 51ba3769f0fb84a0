"""A matrix that can only be multiplied → its largest singular values and their vectors.

Block Lanczos, begun at random: v₁ is orthonormal, and with B the matrix

    uⱼ = B vⱼ   - its part within u₁ … uⱼ₋₁,  then made orthonormal
    vⱼ₊₁ = Bᵀ uⱼ - its part within v₁ … vⱼ,   then made orthonormal

The singular vectors of B that matter come to lie within these bases after few blocks; there B is
the small matrix UᵀBV, whose singular vectors NumPy finds. Multiplying a random table by B Bᵀ
several times, the usual randomised SVD, needs three times as many products for vectors as good.

Sums over rows are taken within chunks of fixed size and added in their order, by one thread each.
So the result has the same bytes with any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from numberline.arrays import Array, Floats
from numberline.threads import thread_pool

BLOCKS = 10
BLOCKS_OF_VECTORS = 4  # as many blocks hold as many vectors as are wanted
CHUNK_ROWS = 1 << 13
SMALLEST_SQUARE = 1e-30
ZERO_VALUE = 1e-6  # relative to the largest singular value: what rounding makes of 0
NEGLIGIBLE = 1e-10  # squared length, relative to the longest, of directions left out of a basis

Table = npt.NDArray[np.float32]


class Matrix(Protocol):
    """What can be multiplied from either side."""

    shape: tuple[int, int]

    def times(self, table: Table) -> Table:
        """Return the matrix times a table."""

    def transposed_times(self, table: Table) -> Table:
        """Return the transposed matrix times a table."""


class Rows:
    """Products of tables with many rows, by threads that take a chunk of the rows each."""

    def __init__(self, threads: int) -> None:
        self._pool = thread_pool(threads)

    def close(self) -> None:
        self._pool.shutdown()

    def inner(self, first: Table, second: Table) -> Floats:
        """Return firstᵀ second."""

        def part(rows: slice) -> Floats:
            return first[rows].T.astype(np.float64) @ second[rows].astype(np.float64)

        total = np.zeros((first.shape[1], second.shape[1]))
        for one in self._pool.map(part, chunks(len(first))):
            total += one
        return total

    def times(self, tables: Iterable[Table], small: Array) -> Table:
        """Return the tables, side by side, times a small matrix."""
        parts = list(tables)
        result = np.empty((len(parts[0]), small.shape[1]), np.float32)
        factor = small.astype(np.float32)

        def fill(rows: slice) -> None:
            np.matmul(np.hstack([table[rows] for table in parts]), factor, out=result[rows])

        list(self._pool.map(fill, chunks(len(result))))
        return result

    def without(self, table: Table, basis: list[Table]) -> Table:
        """Return a table without its part within an orthonormal basis."""
        for _ in range(2):  # rounding leaves a part the first time
            if basis:
                inner = np.vstack([self.inner(one, table) for one in basis])
                table = table - self.times(basis, inner)
        return table

    def orthonormal(self, table: Table, basis: list[Table]) -> Table:
        """Return an orthonormal basis of the columns, beside another basis.

        Directions of which hardly anything lies beside it are left out: they are rounding errors.
        """
        beside = self.without(table, basis)
        for whole in (table, None):  # rounding leaves small products the first time
            squares, directions = np.linalg.eigh(self.inner(beside, beside))
            longest = squares if whole is None else (whole.astype(np.float64) ** 2).sum(axis=0)
            is_kept = squares > NEGLIGIBLE * longest.max(initial=SMALLEST_SQUARE)
            beside = self.times([beside], directions[:, is_kept] / np.sqrt(squares[is_kept]))
        return beside


def chunks(rows: int) -> Iterator[slice]:
    return (slice(first, first + CHUNK_ROWS) for first in range(0, rows, CHUNK_ROWS))


@contextmanager
def rows_of(threads: int) -> Iterator[Rows]:
    """Yield products by so many threads, each of which computes alone."""
    rows = Rows(threads)
    try:
        with threadpool_limits(1, "blas"):
            yield rows
    finally:
        rows.close()


def largest_singular(
    matrix: Matrix,
    count: int,
    rng: np.random.Generator,
    rows: Rows,
    progress: Callable[[float], None] | None = None,
) -> tuple[Table, Floats, Table]:
    """Return left vectors [rows, count], values, the largest first, and right vectors.

    A matrix of lower rank has zeros for the rest. `progress` is called with the fraction done.
    """
    width = max(1, -(-count // BLOCKS_OF_VECTORS))
    start = rng.standard_normal((matrix.shape[1], min(width, matrix.shape[1])), np.float32)
    left: list[Table] = []
    right = [rows.orthonormal(start, [])]
    columns: list[Floats] = []  # of the small matrix, for each block of `right`
    for block in range(BLOCKS):
        image = matrix.times(right[-1])
        left.append(rows.orthonormal(image, left))
        columns.append(np.vstack([rows.inner(one, image) for one in left]))
        if progress is not None:
            progress((block + 1) / BLOCKS)
        if block + 1 == BLOCKS:
            break
        right.append(rows.orthonormal(matrix.transposed_times(left[-1]), right))
        if not right[-1].shape[1]:  # the bases hold all of the matrix
            right.pop()
            break
    u, values, v = np.linalg.svd(upper_blocks(columns))
    kept = min(count, int(np.count_nonzero(values > ZERO_VALUE * values.max(initial=0))))
    return (
        padded(rows.times(left, u[:, :kept]), count),
        np.append(values[:kept], np.zeros(count - kept)),
        padded(rows.times(right, v[:kept].T), count),
    )


def upper_blocks(columns: list[Floats]) -> Floats:
    """Return a matrix of blocks of columns, each of which is 0 below its last row."""
    height = len(columns[-1])
    return np.hstack([np.pad(one, ((0, height - len(one)), (0, 0))) for one in columns])


def padded(table: Table, columns: int) -> Table:
    return np.pad(table, ((0, 0), (0, columns - table.shape[1])))

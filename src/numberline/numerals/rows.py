"""Short rows of weights times a table of prototypes → vectors: `rows @ table`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.kernels import native


@dataclass(frozen=True, eq=False)
class SparseRows:
    """One row of weights per numeral. Row r has the entries offsets[r] to offsets[r + 1] - 1."""

    offsets: npt.NDArray[np.int64]  # [rows + 1]
    indices: npt.NDArray[np.int32]  # [entries] of prototypes
    weights: npt.NDArray[np.float32]  # [entries]
    size: int  # number of prototypes

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> npt.NDArray[np.float32]:
        """Return the sum of the absolute weights of each row."""
        sums = np.concatenate([[0], np.cumsum(np.abs(self.weights), dtype=np.float64)])
        lengths: npt.NDArray[np.float32] = np.diff(sums[self.offsets]).astype(np.float32)
        return lengths

    def __getitem__(self, chosen: npt.NDArray[np.integer]) -> SparseRows:
        first = self.offsets[:-1][chosen]
        lengths = self.offsets[1:][chosen] - first
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        entries = np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], lengths)
        return SparseRows(offsets, self.indices[entries], self.weights[entries], self.size)

    def __matmul__(self, table: Array) -> Array:
        """Return one vector per row. Single precision uses the native twin of `defined_product`."""
        if (kernels := native()) is None or table.dtype != np.float32:
            return self.defined_product(table)
        vectors = np.zeros((len(self), table.shape[1]), np.float32)
        kernels.sparse_product(
            offsets=self.offsets,
            indices=self.indices,
            weights=self.weights,
            table=np.ascontiguousarray(table),
            vectors=vectors,
        )
        return vectors

    def defined_product(self, table: Array) -> Array:
        vectors = np.zeros((len(self), table.shape[1]), table.dtype)
        terms = self.weights[:, None].astype(table.dtype) * table[self.indices]
        np.add.at(vectors, np.repeat(np.arange(len(self)), np.diff(self.offsets)), terms)
        return vectors

    def transposed(self) -> SparseRows:
        """Return one row per prototype, with the weights of the rows that use it."""
        order = np.argsort(self.indices, kind="stable")
        row_of = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))
        offsets = np.concatenate([[0], np.cumsum(np.bincount(self.indices, minlength=self.size))])
        return SparseRows(offsets, row_of[order], self.weights[order], len(self))

    def dense(self) -> npt.NDArray[np.float32]:
        """Return the weights as one full table [rows, prototypes]."""
        table = np.zeros((len(self), self.size), np.float32)
        rows = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        np.add.at(table, (rows, self.indices), self.weights)
        return table


def rows_of_columns(indices: Array, weights: Array, size: int) -> SparseRows:
    """Return rows from two tables [rows, entries], without entries of weight 0."""
    is_kept = weights != 0
    offsets = np.concatenate([[0], np.cumsum(np.count_nonzero(is_kept, axis=1))])
    kept = indices[is_kept].astype(np.int32), weights[is_kept].astype(np.float32)
    return SparseRows(offsets.astype(np.int64), *kept, size)


def rows_of_table(weights: Array) -> SparseRows:
    """Return the rows of a table [rows, prototypes], without entries of weight 0."""
    indices = np.broadcast_to(np.arange(weights.shape[1]), weights.shape)
    return rows_of_columns(indices, weights, weights.shape[1])

"""Short rows of weights over a table of prototypes → vectors: `rows @ table`."""

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
    indices: npt.NDArray[np.int32]  # [entries] which prototype
    weights: npt.NDArray[np.float32]  # [entries]
    size: int  # number of prototypes

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, chosen: npt.NDArray[np.integer]) -> SparseRows:
        first = self.offsets[:-1][chosen]
        lengths = self.offsets[1:][chosen] - first
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        entries = np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], lengths)
        return SparseRows(offsets, self.indices[entries], self.weights[entries], self.size)

    def __matmul__(self, table: Array) -> Array:
        """Compose one vector per row. The native twin of `defined_product` handles floats."""
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

    def dense(self) -> npt.NDArray[np.float32]:
        """Return the weights as one full table [rows, prototypes]."""
        table = np.zeros((len(self), self.size), np.float32)
        rows = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        np.add.at(table, (rows, self.indices), self.weights)
        return table


def full_rows(weights: Array) -> SparseRows:
    """A table [rows, prototypes] → rows that have an entry for every prototype."""
    count, size = weights.shape
    indices = np.tile(np.arange(size, dtype=np.int32), count)
    offsets = np.arange(count + 1, dtype=np.int64) * size
    return SparseRows(offsets, indices, weights.astype(np.float32, copy=False).ravel(), size)


def rows_of_columns(indices: Array, weights: Array, size: int) -> SparseRows:
    """Two tables [rows, entries] → rows; entries of weight 0 are left out."""
    is_kept = weights != 0
    offsets = np.concatenate([[0], np.cumsum(np.count_nonzero(is_kept, axis=1))])
    kept = indices[is_kept].astype(np.int32), weights[is_kept].astype(np.float32)
    return SparseRows(offsets.astype(np.int64), *kept, size)


def rows_of_table(weights: Array) -> SparseRows:
    """A table [rows, prototypes] → rows; entries of weight 0 are left out."""
    indices = np.broadcast_to(np.arange(weights.shape[1]), weights.shape)
    return rows_of_columns(indices, weights, weights.shape[1])

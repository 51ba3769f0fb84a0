"""Rows of weights over a small basis, dense or sparse → vectors, and the way back.

A numeral's vector is its row of weights times the basis: `weights @ basis`. What training changes
in vectors comes back to the basis through the transposed product, `weights.adjoint(changes)`, which
`weights.add_adjoint(changes, basis)` adds to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.kernels import native

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class DenseWeights:
    """A weight for every element of the basis."""

    table: Array  # [rows, basis]

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: npt.NDArray[np.integer]) -> DenseWeights:
        return DenseWeights(self.table[rows])

    def __matmul__(self, basis: Array) -> Array:
        rows = np.zeros((len(self.table), basis.shape[1]), basis.dtype)
        self._add_product(basis, rows, transposed=False)
        return rows

    def adjoint(self, changes: Array) -> Array:
        return adjoint_of(self, changes, self.table.shape[1])

    def add_adjoint(self, changes: Array, total: Array) -> None:
        self._add_product(changes, total, transposed=True)

    def _add_product(self, right: Array, total: Array, transposed: bool) -> None:
        left = self.table.astype(right.dtype, copy=False)
        total += (left.T if transposed else left) @ right

    def dense(self) -> Array:
        return self.table

    @property
    def nbytes(self) -> int:
        return int(self.table.nbytes)

    def squares(self) -> Array:
        """Of all weights of a row, their sum."""
        squares: Array = np.sum(self.table.astype(np.float64) ** 2, axis=1)
        return squares


@dataclass(frozen=True, eq=False)
class SparseWeights:
    """Weights for a few elements of the basis, at least one; row r has offsets[r : r + 2].

    No element is there twice, unless all but one of its shares are 0.
    """

    offsets: npt.NDArray[np.int64]  # [rows + 1]
    columns: npt.NDArray[np.int32]
    shares: npt.NDArray[np.float32]
    basis_size: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def _arrays(self) -> dict[str, Array]:
        """As kernels take them."""
        return {"offsets": self.offsets, "columns": self.columns, "shares": self.shares}

    def __getitem__(self, rows: npt.NDArray[np.integer]) -> SparseWeights:
        return self.defined_rows(rows)

    def defined_rows(self, rows: npt.NDArray[np.integer]) -> SparseWeights:
        first = self.offsets[:-1][rows]
        lengths = self.offsets[1:][rows] - first
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        taken = np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], lengths)
        return SparseWeights(offsets, self.columns[taken], self.shares[taken], self.basis_size)

    def __matmul__(self, basis: Array) -> Array:
        return self.defined_product(basis)

    def adjoint(self, changes: Array) -> Array:
        return adjoint_of(self, changes, self.basis_size)

    def add_adjoint(self, changes: Array, total: Array) -> None:
        total += self.defined_adjoint(changes)

    def defined_product(self, basis: Array) -> Array:
        terms = self.shares[:, None].astype(basis.dtype) * basis[self.columns]
        rows: Array = np.add.reduceat(terms, self.offsets[:-1], axis=0)
        return rows

    def defined_adjoint(self, changes: Array) -> Array:
        total = np.zeros((self.basis_size, changes.shape[1]), changes.dtype)
        repeated = np.repeat(changes, np.diff(self.offsets), axis=0)
        np.add.at(total, self.columns, self.shares[:, None].astype(changes.dtype) * repeated)
        return total

    def dense(self) -> Array:
        table = np.zeros((len(self), self.basis_size), np.float32)
        rows = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        np.add.at(table, (rows, self.columns), self.shares)
        return table

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._arrays.values())

    def squares(self) -> Array:
        squares: Array = np.add.reduceat(self.shares.astype(np.float64) ** 2, self.offsets[:-1])
        return squares


Weights = DenseWeights | SparseWeights


def adjoint_of(weights: Weights, changes: Array, basis_size: int) -> Array:
    total = np.zeros((basis_size, changes.shape[1]), changes.dtype)
    weights.add_adjoint(changes, total)
    return total


def are_singles(changes: Array, total: Array) -> bool:
    """That a kernel can add to `total` where it is."""
    return changes.dtype == total.dtype == np.float32 and total.flags.c_contiguous


def sparse_where(table: Array, is_kept: npt.NDArray[np.bool_]) -> SparseWeights:
    """The kept part of a dense table; every row must keep something."""
    rows, columns = np.nonzero(is_kept)
    offsets = np.searchsorted(rows, np.arange(len(table) + 1))
    shares = table[rows, columns].astype(np.float32)
    return SparseWeights(offsets, columns.astype(np.int32), shares, table.shape[1])


def sparse_columns(columns: Array, shares: Array, basis_size: int) -> SparseWeights:
    """Two tables of [rows, weights]; what is 0 is left out, and every row must keep something."""
    is_kept = shares > 0
    offsets = np.concatenate([[0], np.cumsum(np.count_nonzero(is_kept, axis=1))])
    kept = columns[is_kept].astype(np.int32), shares[is_kept].astype(np.float32)
    return SparseWeights(offsets, *kept, basis_size)

"""Rows of weights of all numerals → the prototypes' part of a factorisation, solved exactly.

Let M have a row for each word and each numeral. A numeral's vector is composed, so M is to be
approximated by E P (F C)ᵀ: P and C are the tables of words and prototypes; E and F have a 1 for
each word and the row of weights of each numeral. A numeral matters by the square root of ω, in its
row and in its column. With D = diag(ω) and QR = √D E, Q orthonormal (and likewise √D' F = Q'R'),

    ‖√D (M - E P Cᵀ Fᵀ) √D'‖² = ‖Qᵀ √D M √D' Q' - R P Cᵀ R'ᵀ‖² + constant

since what lies outside the columns of Q cannot be reached. So the best P and C of rank D come from
the singular vectors of B = Qᵀ √D M √D' Q', which has a row for each word and each prototype:
P = R⁻¹ U S^p, C = R'⁻¹ V S^(1-p). Q is not needed: √D Q = D E R⁻¹.

R⁻¹ comes from the eigenvalues of the prototypes' Gram matrix Eᵀ D E. Prototypes that share no
numeral with another are orthogonal already. One that no numeral uses gets the vector 0.

ω is 1 for words. For numeral n, with count c_n and weights w_np, it is

    ω_n = c_n Σ_p |w_np| / C_p,   C_p = Σ_n c_n |w_np|

so that a prototype weighs about as much as a word, and frequent numerals determine it. Of rare
ones, mutual information is mostly noise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from numberline.arrays import Array, Floats
from numberline.numerals.rows import SparseRows

ROWS_AT_A_TIME = 1 << 13
NEGLIGIBLE = 1e-6  # eigenvalue, relative to the largest, of directions that are left out


@dataclass(frozen=True, eq=False)
class ComposedSide:
    """√D Q of a side, to multiply with; tables have rows of words first."""

    words: int
    rows: SparseRows  # D E of numerals: [numerals, prototypes]
    columns: SparseRows  # the same, transposed
    inverse: Inverse

    @property
    def size(self) -> int:
        return self.words + self.inverse.rank

    def expanded(self, table: Array) -> Array:
        """Return √D Q times a table: a row for each id."""
        numerals = self.rows @ self.inverse.times(table[self.words :])
        return np.concatenate([table[: self.words], numerals])

    def gathered(self, table: Array) -> Array:
        """Return (√D Q)ᵀ times a table with a row for each id."""
        prototypes = self.columns @ table[self.words :]
        return np.concatenate([table[: self.words], self.inverse.transposed_times(prototypes)])

    def solution(self, vectors: Array) -> tuple[Array, Array]:
        """Return the tables of words and of prototypes: R⁻¹ times singular vectors."""
        return vectors[: self.words], self.inverse.times(vectors[self.words :])


@dataclass(frozen=True, eq=False)
class Inverse:
    """R⁻¹: a number for each prototype alone, a matrix for all others together."""

    prototypes: int
    alone: Array  # indices of prototypes
    lengths: Array  # of their columns in √D E
    others: Array  # indices
    directions: Array  # [others, rank of them]

    @property
    def rank(self) -> int:
        return len(self.alone) + int(self.directions.shape[1])

    def times(self, table: Array) -> Array:
        result = np.zeros((self.prototypes, table.shape[1]), np.float32)
        count = len(self.alone)
        result[self.alone] = table[:count] / self.lengths[:, None]
        result[self.others] = self.directions @ table[count:]
        return result

    def transposed_times(self, table: Array) -> Array:
        parts = table[self.alone] / self.lengths[:, None], self.directions.T @ table[self.others]
        return np.concatenate(parts)


def composed_side(words: int, weights: SparseRows, counts: Floats) -> ComposedSide:
    """Return one side of the factorisation, of the numerals' weights and counts."""
    importance = numeral_importance(weights, counts)
    rows = scaled(weights, importance)
    inverse = inverse_root(scaled(weights, np.sqrt(importance)))
    return ComposedSide(words, rows, rows.transposed(), inverse)


def numeral_importance(weights: SparseRows, counts: Floats) -> Floats:
    """Return ω of each numeral."""
    absolute = np.abs(weights.weights.astype(np.float64))
    row_of = np.repeat(np.arange(len(weights)), np.diff(weights.offsets))
    totals = np.bincount(weights.indices, absolute * counts[row_of], weights.size)
    terms = absolute / np.maximum(totals, 1e-30)[weights.indices]
    importance: Floats = counts * np.bincount(row_of, terms, len(weights))
    return importance


def scaled(rows: SparseRows, factors: Floats) -> SparseRows:
    """Return the rows, each times its factor."""
    per_entry = np.repeat(factors, np.diff(rows.offsets))
    return replace(rows, weights=(rows.weights * per_entry).astype(np.float32))


def inverse_root(rows: SparseRows) -> Inverse:
    """Return R⁻¹ for rows √D E, of which R is what is left of a QR decomposition."""
    squares = np.bincount(rows.indices, rows.weights.astype(np.float64) ** 2, rows.size)
    row_of = np.repeat(np.arange(len(rows)), np.diff(rows.offsets))
    is_shared = np.zeros(rows.size, bool)
    is_shared[rows.indices[np.diff(rows.offsets)[row_of] > 1]] = True
    alone = np.flatnonzero(~is_shared & (squares > 0))
    others = np.flatnonzero(is_shared)
    eigenvalues, vectors = np.linalg.eigh(gram(rows, others))
    is_kept = eigenvalues > NEGLIGIBLE * eigenvalues.max(initial=1e-30)
    directions = vectors[:, is_kept] / np.sqrt(eigenvalues[is_kept])
    return Inverse(
        rows.size,
        alone,
        np.sqrt(squares[alone]).astype(np.float32),
        others,
        directions.astype(np.float32),
    )


def gram(rows: SparseRows, chosen: Array) -> Floats:
    """Return the inner products of the chosen columns of sparse rows."""
    total = np.zeros((len(chosen), len(chosen)))
    for first in range(0, len(rows), ROWS_AT_A_TIME) if len(chosen) else ():
        part = rows[np.arange(first, min(first + ROWS_AT_A_TIME, len(rows)))]
        total += (part.transposed() @ part.dense()[:, chosen])[chosen]
    return total

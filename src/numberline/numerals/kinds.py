"""Kinds of numerals → one more entry in each row of weights: the vector that a kind shares.

The vector of a numeral n of kind k is

    e(n, k) = Σ_p w_p(n) t_p + c u_k

with the weights w and prototypes t of the encoder. The u_k are further rows of the same table,
behind the prototypes, so that kernels train them as they train prototypes. c is a constant weight.
In a corpus whose numerals are all of one kind u says nothing, and is left out.

Who asks for a number without its kind gets the mean over the numerals of the corpus, of which a
fraction f_k are of kind k:

    Σ_k f_k e(n, k) = Σ_p w_p(n) t_p + c ū,        ū = Σ_k f_k u_k

ū has a row of its own, the first behind the prototypes. Training does not use it; it is computed
from the others when vectors are asked for. So a bare number lies where its numerals lie on average.

How a number is written is one more such kind: numbers with digits after the point share the last
row, in output vectors only. Measures and prices have such digits, counts have none; and input
vectors, which users compare, stay a smooth line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.errors import EncoderStateError, NumeralsError
from numberline.numerals.rows import SparseRows
from numberline.numerals.values import have_decimals

if TYPE_CHECKING:
    from numberline.numerals.base import Side

FRACTIONS = "kind_fractions"  # name in a model folder
KIND_WEIGHT = np.float32(1)
DECIMALS_WEIGHT = np.float32(0.5)
UNKNOWN_KIND = -1  # of a number that comes without its kind
SUM_ERROR = 1e-6  # of fractions

Kinds = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class KindRows:
    """The rows behind the prototypes: the mean, one for each kind, one for decimals; or none."""

    fractions: Floats  # [kinds] of the corpus' numerals; empty: kinds have no vectors

    @property
    def kinds(self) -> int:
        return len(self.fractions)

    @property
    def differ(self) -> bool:
        """Return whether the corpus holds numerals of more than one kind."""
        return np.count_nonzero(self.fractions) > 1

    @property
    def size(self) -> int:
        """Return the number of rows."""
        return self.kinds + 2 if self.kinds else 0

    def extended(
        self, rows: SparseRows, values: Floats, kinds: npt.ArrayLike | None, side: Side
    ) -> SparseRows:
        """Return an encoder's rows of numbers with the entries of their kinds.

        `kinds` are indices, UNKNOWN_KIND for a number of which none is known; None: of all. A kind
        that the corpus does not hold says nothing, either.
        """
        if not self.size:
            return rows
        chosen = self.checked(kinds, len(values))
        occurs = np.append(self.fractions > 0, False)[chosen]
        indices = [rows.size + 1 + np.where(occurs, chosen, UNKNOWN_KIND)]
        weights = [np.full(len(values), KIND_WEIGHT * self.differ)]
        if side == "output":
            indices.append(np.full(len(values), rows.size + self.size - 1))
            weights.append(DECIMALS_WEIGHT * have_decimals(values))
        return appended(rows, np.stack(indices, 1), np.stack(weights, 1), self.size)

    def checked(self, kinds: npt.ArrayLike | None, count: int) -> Kinds:
        """Return one kind per number; refuse other counts, and kinds that were not learnt."""
        if kinds is None:
            return np.full(count, UNKNOWN_KIND, np.int32)
        chosen = np.atleast_1d(np.asarray(kinds, np.int32))
        if chosen.shape != (count,):
            raise NumeralsError(f"{count} numbers came with {len(chosen)} kinds")
        if not self.kinds:
            return chosen
        is_wrong = (chosen < UNKNOWN_KIND) | (chosen >= self.kinds)
        if is_wrong.any():
            raise NumeralsError(
                f"kind {chosen[is_wrong][0]} is none of the {self.kinds} that were learnt"
            )
        return chosen

    def starting_rows(self, dim: int) -> Array:
        return np.zeros((self.size, dim), np.float32)

    def with_mean(self, table: Array) -> Array:
        """Return a copy of a side's table in which the row of the mean is that of its kinds."""
        table = table.copy()
        if self.size:
            of_kinds = table[len(table) - self.size :]
            of_kinds[0] = self.fractions @ of_kinds[1 : 1 + self.kinds]
        return table


NO_KINDS = KindRows(np.zeros(0))


def kind_rows(counts: Floats, kinds: int) -> KindRows:
    """Return rows for at least this many kinds, which occur `counts` times."""
    padded = np.zeros(max(kinds, len(counts)))
    padded[: len(counts)] = counts
    return KindRows(padded / padded.sum())


def stored_kind_rows(fractions: Array | None) -> KindRows:
    """Return the rows whose fractions a model folder keeps; refuse what are no fractions."""
    if fractions is None:
        return NO_KINDS
    kept = np.array(fractions)
    if kept.dtype != np.float64 or kept.ndim != 1 or not (kept >= 0).all():
        raise EncoderStateError(f"{FRACTIONS} must be fractions of the kinds of numerals")
    if abs(kept.sum() - 1) > SUM_ERROR:
        raise EncoderStateError(f"{FRACTIONS} must sum to 1, not {kept.sum()}")
    return KindRows(kept)


def appended(rows: SparseRows, indices: Array, weights: Array, size: int) -> SparseRows:
    """Return rows with further entries [rows, entries] at their ends, without weights of 0."""
    is_kept = weights != 0
    added = np.count_nonzero(is_kept, axis=1)
    offsets = rows.offsets + np.concatenate([[0], np.cumsum(added)])
    row_ends = np.repeat(rows.offsets[1:], added)
    return SparseRows(
        offsets,
        np.insert(rows.indices, row_ends, indices[is_kept].astype(np.int32)),
        np.insert(rows.weights, row_ends, weights[is_kept].astype(np.float32)),
        rows.size + size,
    )

"""Kinds of numerals → further entries of their rows of weights: vectors that kinds share.

The vector of a numeral n of kind k is

    e(n, k) = Σ_p w_p(n) t_p + u_k

with the weights w and prototypes t of the encoder. The u_k are further rows of the same table,
behind the prototypes, so that kernels train them as they train prototypes. In a corpus whose
numerals are all of one kind u says nothing, and is left out.

Who asks for a number without its kind gets the mean over the numerals of the corpus, of which a
fraction f_k are of kind k:

    e(n) = Σ_p w_p(n) t_p + Σ_k f_k u_k

so that a bare number lies where its numerals lie on average. That holds for input vectors, which
users compare: all numbers move alike, and the line stays as smooth as it was.

Output vectors tell what to expect of a number, and so does its kind: 2019 is mostly a year, 12 the
day of a month. There f_k is replaced by the fraction of kind k near n. These fractions lie on the
number line as vectors do, f_k(n) = Σ_p w_p(n) f_pk, so that numbers that were never seen have them,
too. The f_pk are the least squares over all occurrences: of a numeral n of kind k the fraction is 1
for k, 0 for the others.

How a number is written is one more such kind: numbers with digits after the point share the last
row, in output vectors only. Measures and prices have such digits, counts have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.errors import EncoderStateError, NumeralsError
from numberline.numerals.least_squares import least_squares
from numberline.numerals.rows import SparseRows
from numberline.numerals.state import State, required_array
from numberline.numerals.values import have_decimals

if TYPE_CHECKING:
    from numberline.numerals.base import FittedEncoder, Side

FRACTIONS, NEAR = STATE_NAMES = ("kind_fractions", "kinds_near")  # in a model folder
UNKNOWN_KIND = -1  # of a number that comes without its kind
SMALLEST_FRACTION = 0.01  # of a kind near a number; smaller ones are left out
SUM_ERROR = 1e-4  # of fractions in single precision
DECIMALS_WEIGHT = np.float32(0.5)

Kinds = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class KindRows:
    """The rows behind the prototypes: one for each kind, then one for numbers with decimals.

    `fractions` are those of all numerals of the corpus: [kinds]; `near` are those of the numerals
    at each prototype: [prototypes, kinds].
    """

    fractions: Array
    near: Array

    @property
    def kinds(self) -> int:
        return len(self.fractions)

    @property
    def size(self) -> int:
        """Return the number of rows."""
        return self.kinds + 1 if self.kinds else 0

    @property
    def differ(self) -> bool:
        """Return whether the corpus holds numerals of more than one kind."""
        return bool(np.count_nonzero(self.fractions) > 1)

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
        indices, weights = [], []
        if self.differ:
            is_known = np.append(self.fractions > 0, False)[chosen]
            indices.append(np.where(is_known, chosen, 0)[:, None])
            weights.append(is_known.astype(np.float32)[:, None])
            if not is_known.all():
                usual = self.fractions if side == "input" else self.fractions_near(rows)
                indices.append(np.tile(np.arange(self.kinds), (len(values), 1)))
                weights.append(without_small(usual) * ~is_known[:, None])
        if side == "output":
            indices.append(np.full((len(values), 1), self.kinds))
            weights.append(DECIMALS_WEIGHT * have_decimals(values)[:, None])
        if not indices:
            return SparseRows(rows.offsets, rows.indices, rows.weights, rows.size + self.size)
        columns = rows.size + np.concatenate(indices, axis=1)
        return appended(rows, columns, np.concatenate(weights, axis=1), self.size)

    def fractions_near(self, rows: SparseRows) -> Array:
        """Return the fractions of kinds near numbers with these output rows: [numbers, kinds].

        They are not negative, and sum to 1.
        """
        near = np.maximum(rows @ self.near, 0) + SMALLEST_FRACTION * self.fractions
        fractions: Array = near / near.sum(axis=1, keepdims=True)
        return fractions

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

    def state(self) -> State:
        """Return the arrays of a model folder; none without vectors of kinds."""
        return {FRACTIONS: self.fractions, NEAR: self.near} if self.size else {}


NO_KINDS = KindRows(np.zeros(0, np.float32), np.zeros((0, 0), np.float32))


def fit_kinds(
    fitted: FittedEncoder, values: Floats, kinds: Kinds, counts: Floats, size: int
) -> KindRows:
    """Return rows for kinds 0 … size - 1, fitted to pairs of a value and a kind."""
    distinct, indices = np.unique(values, return_inverse=True)
    occurrences = np.zeros((len(distinct), size))
    np.add.at(occurrences, (indices.reshape(-1), kinds), counts)
    totals = occurrences.sum(axis=1)
    of_each = (occurrences / totals[:, None]).astype(np.float32)
    near = least_squares(fitted.weights(distinct, "output"), of_each, totals)
    fractions = occurrences.sum(axis=0) / totals.sum()
    return KindRows(fractions.astype(np.float32), near)


def stored_kinds(state: Mapping[str, Array], prototypes: int) -> KindRows:
    """Return the rows whose `state()` is among these arrays; NO_KINDS if it is not there."""
    if FRACTIONS not in state and NEAR not in state:
        return NO_KINDS
    fractions = required_array(state, FRACTIONS, (None,))
    near = required_array(state, NEAR, (prototypes, len(fractions)))
    if not (fractions >= 0).all() or abs(fractions.sum() - 1) > SUM_ERROR:
        raise EncoderStateError(f"{FRACTIONS} must be fractions that sum to 1")
    return KindRows(fractions, near)


def without_small(fractions: Array) -> Array:
    return np.where(fractions < SMALLEST_FRACTION, 0, fractions)


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

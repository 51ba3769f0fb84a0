"""Counts of pairs and tables of vectors → the tables after training on some rows: the definition.

native/training/glove_body.h does the same fast. As in GloVe, products fit the logarithms of counts:

    loss = Σ_ij f(c_ij) (x_i · o_j + a_i + b_j - log c_ij)²,   f(c) = min(1, (c / x_max)^power)

over all pairs i ≠ j, with a bias for each id and side: that of a numeral is its own, for counts of
numerals differ by magnitudes. Biases start where they fit best alone. Otherwise all vectors would
first learn what their counts have in common, in one direction that tells nothing apart: on 7 M
tokens of Wikipedia this halved the correlation with human judgements.

A pair with error e moves x_i by -η f e o_j / √H and o_j by -η f e x_i / √H', half the gradient, as
AdaGrad does; H begins at 1 and adds up the squares of f e o_j. It is one number for a row, the mean
over its dimensions, so that a row takes half the memory and no square root for each number.

A numeral's row is composed, r = Σ_p w_p t_p. The gradient of t_p is w_p times that of r, so that
AdaGrad, run on the parameters there are, moves t_p by -η f e w_p o_j / √H_p, and H_p grows by w_p²
times the square. Then r moves by -η f e s o_j with s = Σ_p w_p² / √H_p: it is trained as a word's
row, with s in the place of 1 / √H. When the visit ends, its change Δ goes to the prototypes in the
ratio of their steps, Δ w_p / (√H_p s), which moves r by Δ. A visit has at most CELLS_PER_VISIT
cells; after that, other numerals' and threads' changes are seen.

Every numeral pulls at its prototypes, but their H_p does not starve them: squares are weighted by
f² w_p², so that thousands of rare numerals together add less than one frequent word.

Each pair of ids is visited once, in the row of the larger id, and trained in both directions. Ids
of numerals are above those of words: so a numeral is nearly always the row, composed once for many
words, and frequent words, which have the smallest ids, are spread over all rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.arrays import Array, Floats
from numberline.cooccurrence.pairs import PairCounts
from numberline.cooccurrence.products import CellMatrix, mapped_cells
from numberline.numerals.rows import SparseRows
from numberline.objectives import Glove

CELLS_PER_VISIT = 256  # as in native/training/glove.h
BIAS_STEPS = 8
SMALLEST_TOTAL = 1e-12  # of ids without pairs


@dataclass
class GloveSide:
    """The parameters of one side; training changes the arrays in place."""

    rows: Array  # [words + prototypes, dim]
    row_squares: Array  # [words + prototypes]
    biases: Array  # [ids]
    bias_squares: Array  # [ids]
    numerals: SparseRows
    is_frozen: bool

    @property
    def words(self) -> int:
        return len(self.biases) - len(self.numerals)


class Visit:
    """The vector of an id on one side, until `end`."""

    def __init__(self, side: GloveSide, id: int) -> None:
        self.side, self.id = side, id
        self.indices, self.weights = np.array([id]), np.ones(1)
        if self.is_numeral:
            entries = slice(*side.numerals.offsets[id - side.words :][:2])
            self.indices = side.words + side.numerals.indices[entries]
            self.weights = side.numerals.weights[entries].astype(np.float64)
        self.vector = self.weights @ side.rows[self.indices]
        self.before = self.vector.copy()
        self.squares = 0.0
        self.prototype_squares = side.row_squares[self.indices]

    @property
    def is_numeral(self) -> bool:
        return self.id >= self.side.words

    @property
    def steps(self) -> Floats:
        """Return w_p / √H_p of each prototype; for a word, 1 / √H."""
        steps: Floats = self.weights / np.sqrt(
            self.prototype_squares + self.weights**2 * self.squares
        )
        return 0 * steps if self.is_numeral and self.side.is_frozen else steps

    @property
    def scale(self) -> float:
        return float(self.weights @ self.steps)

    def move(self, rate: float, other: Array, square: float) -> None:
        """Move against the gradient; a word at once, a numeral's prototypes in the end."""
        self.vector += rate * self.scale * other
        self.squares += square
        if not self.is_numeral:
            self.side.row_squares[self.id] += square
            self.side.rows[self.id] = self.vector

    def end(self) -> None:
        """Pass the change of a numeral to its prototypes."""
        if not self.is_numeral or self.scale == 0:
            return
        change = (self.vector - self.before) / self.scale
        np.add.at(self.side.rows, self.indices, np.outer(self.steps, change))
        np.add.at(self.side.row_squares, self.indices, self.weights**2 * self.squares)


def train_rows(
    pairs: PairCounts, sides: tuple[GloveSide, GloveSide], settings: Glove, rows: range
) -> tuple[float, int]:
    """Train some rows of the counts; return the sum of weighted squared errors and their count."""
    inputs, outputs = sides
    total, trained = 0.0, 0
    for row in rows:
        cells = pairs.cells[pairs.offsets[row] : pairs.offsets[row + 1]]
        cells = cells[cells["column"] < row]
        for first in range(0, len(cells), CELLS_PER_VISIT):
            x, o = Visit(inputs, row), Visit(outputs, row)
            for column, count in cells[first : first + CELLS_PER_VISIT].tolist():
                x_column, o_column = Visit(inputs, column), Visit(outputs, column)
                total += train_pair(x, o_column, count, settings)
                total += train_pair(x_column, o, count, settings)
                trained += 2
                x_column.end()
                o_column.end()
            x.end()
            o.end()
    return total, trained


def train_pair(centre: Visit, context: Visit, count: float, settings: Glove) -> float:
    """Train a centre and a context; return their weighted squared error."""
    a, b = (visit.side.biases[visit.id] for visit in (centre, context))
    error = float(centre.vector @ context.vector + a + b - np.log(count))
    gradient = weight_of(count, settings) * error
    rate = -settings.learning_rate * gradient
    x, o = centre.vector.copy(), context.vector.copy()
    centre.move(rate, o, gradient**2 * float(o @ o) / len(o))
    context.move(rate, x, gradient**2 * float(x @ x) / len(x))
    for visit in (centre, context):
        visit.side.biases[visit.id] += rate / np.sqrt(visit.side.bias_squares[visit.id])
        visit.side.bias_squares[visit.id] += gradient**2
    return gradient * error


def weight_of(count: float, settings: Glove) -> float:
    """Return f: how much a pair of this count matters."""
    return float(weights_of(np.array(count), settings))


def weights_of(counts: Array, settings: Glove) -> Array:
    weights: Array = (counts / np.float32(settings.x_max)) ** np.float32(settings.power)
    return np.minimum(1, weights)


def starting_biases(pairs: PairCounts, settings: Glove, threads: int) -> Floats:
    """Return the biases that alone fit the counts best, of either side.

    Each step takes the mean of the biases and of what best fits beside them: b_i is then the mean
    of log c_ij - b_j, weighted by f. The first are the logarithms of the ids' totals.
    """
    nothing = np.zeros(len(pairs), np.float32)
    weights = mapped_cells(pairs, lambda counts: weights_of(counts, settings), threads)
    matrix = CellMatrix(pairs, weights, nothing, nothing, threads)
    totals = np.maximum(pairs.row_sums(weights["count"]), SMALLEST_TOTAL)
    logarithms = pairs.row_sums(weights["count"] * np.log(pairs.counts))
    sums = np.maximum(pairs.row_sums(), SMALLEST_TOTAL)
    biases: Floats = np.log(sums) - np.log(sums.sum()) / 2
    for _ in range(BIAS_STEPS):
        products = matrix.times(biases[:, None].astype(np.float32))[:, 0]
        biases = (biases + (logarithms - products) / totals) / 2
    return biases

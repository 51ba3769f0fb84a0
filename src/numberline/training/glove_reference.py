"""Counts of pairs and tables of vectors → the tables after training on some rows: the definition.

native/training/glove_body.h does the same fast. As in GloVe, products fit the logarithms of counts:

    loss = Σ_ij f(c_ij) (x_i · o_j + a_i + b_j - log c_ij)²,   f(c) = min(1, (c / x_max)^power)

over all pairs i ≠ j of words and prototypes. Counts of numerals are first pooled into those of
prototypes, by their weights (cooccurrence/pooling.py). A loss over numerals themselves, with
composed vectors, would learn noise: most numerals are rare, what meets one once has the count 1
whatever it is, and pairs that never meet, which would tell, are not in the loss. Of the pooled
counts a prototype learns what its numerals meet together, as in skip-gram, and each prototype has
a bias and sums of squares of its own: no prototype is starved because many numerals pull at it.

A pair with error e moves x_i by -η f e o_j / √H and o_j by -η f e x_i / √H', half the gradient, as
AdaGrad does; H adds up the squares of f e o_j. It is one number for a row, the mean over its
dimensions, so that a row takes half the memory and no square root for each number.

Biases start where they fit best alone. Otherwise all vectors would first learn what their counts
have in common, in one direction that tells nothing apart: on 7 M tokens of Wikipedia this halved
the correlation with human judgements.

Each pair is visited once, in the row of the larger id, and trained in both directions. So frequent
words, which have the smallest ids, are spread over all rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.arrays import Array, Floats
from numberline.cooccurrence.pairs import PairCounts
from numberline.cooccurrence.products import CellMatrix, mapped_cells
from numberline.objectives import Glove

BIAS_STEPS = 8
SMALLEST_TOTAL = 1e-12  # of ids without pairs


@dataclass
class GloveSide:
    """The parameters of one side; training changes the arrays in place."""

    rows: Array  # [ids, dim]
    row_squares: Array  # [ids]
    biases: Array  # [ids]
    bias_squares: Array  # [ids]


def train_rows(
    pairs: PairCounts, sides: tuple[GloveSide, GloveSide], settings: Glove, rows: range
) -> tuple[float, int]:
    """Train some rows of the counts; return the sum of weighted squared errors and their count."""
    total, trained = 0.0, 0
    for row in rows:
        cells = pairs.cells[pairs.offsets[row] : pairs.offsets[row + 1]]
        for column, count in cells[cells["column"] < row].tolist():
            total += train_pair(sides, row, column, count, settings)
            total += train_pair(sides, column, row, count, settings)
            trained += 2
    return total, trained


def train_pair(
    sides: tuple[GloveSide, GloveSide], centre: int, context: int, count: float, settings: Glove
) -> float:
    """Train a centre and a context; return their weighted squared error."""
    inputs, outputs = sides
    x, o = inputs.rows[centre].copy(), outputs.rows[context].copy()
    error = float(x @ o + inputs.biases[centre] + outputs.biases[context] - np.log(count))
    gradient = float(weights_of(np.array(count), settings)) * error
    rate = -settings.learning_rate * gradient
    for side, id, other in ((inputs, centre, o), (outputs, context, x)):
        side.rows[id] += rate / np.sqrt(side.row_squares[id]) * other
        side.row_squares[id] += gradient**2 * (other**2).mean()
        side.biases[id] += rate / np.sqrt(side.bias_squares[id])
        side.bias_squares[id] += gradient**2
    return gradient * error


def weights_of(counts: Array, settings: Glove) -> Array:
    """Return f: how much pairs of these counts matter."""
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

"""A plan and tables of vectors → the vectors after training on it: the definition, in plain NumPy.

The centre o₀ is told from negatives o₁ … o_K by each of its contexts x. With a score s = x · o,

    loss = -log σ(x · o₀) - Σ_k log σ(-x · o_k)        ∂loss/∂s = σ(s) - y,  y = 1 for o₀, else 0

so a step of size η moves x by Σ_k g_k o_k and o_k by Σ_x g_k x, with g = η (y - σ(s)). All scores
of a window are taken before anything moves, and output rows move after the whole window. Input
rows move one after the other: one that is met twice in a window has moved the second time.

CBOW tells them by the mean h of the contexts; a context x moves by its share of what h would.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.encoders.weights import Array
from numberline.training.plan import NO_ROW, WindowPlan


@dataclass(frozen=True, eq=False)
class Tables:
    """Vectors of words, and of the numerals of a block; all are changed in place."""

    word_input: Array
    word_output: Array
    numeral_input: Array
    numeral_output: Array

    def input_row(self, row: int) -> Array:
        found: Array = self.word_input[row] if row >= 0 else self.numeral_input[-1 - row]
        return found

    def output_row(self, row: int) -> Array:
        found: Array = self.word_output[row] if row >= 0 else self.numeral_output[-1 - row]
        return found


def train_windows(plan: WindowPlan, tables: Tables, learning_rate: float, objective: str) -> None:
    step = skipgram_step if objective == "skipgram" else cbow_step
    for centre in range(len(plan.input_rows)):
        contexts = range(plan.first_context[centre], plan.last_context[centre])
        inputs = [tables.input_row(plan.input_rows[at]) for at in contexts if at != centre]
        targets = [plan.output_rows[centre]]
        targets += [row for row in plan.negative_rows[centre] if row != NO_ROW]
        if inputs:
            step(inputs, [tables.output_row(row) for row in targets], learning_rate)


def skipgram_step(inputs: list[Array], outputs: list[Array], learning_rate: float) -> None:
    """Rows are views into the tables: += moves the tables."""
    before = np.array(outputs)
    gradients = learning_rate * (is_centre(outputs) - sigmoid(np.array(inputs) @ before.T))
    changes = np.zeros_like(before)
    for row, gradient in zip(inputs, gradients, strict=True):
        changes += np.outer(gradient, row)
        row += gradient @ before
    for row, change in zip(outputs, changes, strict=True):
        row += change


def cbow_step(inputs: list[Array], outputs: list[Array], learning_rate: float) -> None:
    before = np.array(outputs)
    mean = np.mean(inputs, axis=0)
    gradient = learning_rate * (is_centre(outputs) - sigmoid(before @ mean))
    for row, change in zip(outputs, np.outer(gradient, mean), strict=True):
        row += change
    for row in inputs:
        row += gradient @ before / len(inputs)


def is_centre(outputs: list[Array]) -> Array:
    labels = np.zeros(len(outputs))
    labels[0] = 1
    return labels


def sigmoid(scores: Array) -> Array:
    shares: Array = np.asarray(0.5 * (1 + np.tanh(0.5 * scores)))
    return shares

"""A plan and tables of vectors → the vectors after training on it: the definition, in plain NumPy.

A centre o₀ is told from negatives o₁ … o_K by each of its contexts x. Before anything is known, one
of 1 + K is the centre. A score s = x · o - log K starts from those odds: x · o has to learn what x
says of o beyond chance, and no more.

    loss = -log σ(s₀) - Σ_k log σ(-s_k)        ∂loss/∂s = σ(s) - y,  y = 1 for o₀, else 0

so a step of size η moves x by Σ_k g_k o_k and o_k by Σ_x g_k x, with g = η (y - σ(s)).

Two neighbouring centres make a step: most contexts are contexts of both, and are scored against the
shared negatives once, though the gradient counts for each. All scores of a step are taken before
anything moves, and output rows move after all inputs. Input rows move one after the other: one that
is met twice in a step has moved the second time.

CBOW tells a centre by the mean h of its contexts; a context x moves by its share of what h would.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.encoders.weights import Array
from numberline.training.plan import CENTRES_PER_DRAW, WindowPlan

CENTRES_PER_STEP = 2


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
    tokens = len(plan.input_rows)
    for first in range(0, tokens, CENTRES_PER_STEP):
        step(plan, tables, range(first, min(first + CENTRES_PER_STEP, tokens)), learning_rate)


def skipgram_step(plan: WindowPlan, tables: Tables, centres: range, learning_rate: float) -> None:
    """Rows are views into the tables: += moves the tables."""
    places = range(
        min(plan.first_context[centre] for centre in centres),
        max(plan.last_context[centre] for centre in centres),
    )
    outputs, counts = outputs_of(plan, tables, centres)
    is_context = [[place in contexts_of(plan, centre) for centre in centres] for place in places]
    inputs = [tables.input_row(plan.input_rows[place]) for place in places]
    move(inputs, outputs, np.array(is_context, float) @ counts, len(centres), learning_rate)


def cbow_step(plan: WindowPlan, tables: Tables, centres: range, learning_rate: float) -> None:
    contexts = [
        [tables.input_row(plan.input_rows[place]) for place in contexts_of(plan, centre)]
        for centre in centres
    ]
    means = [np.mean(rows, axis=0) for rows in contexts]
    before = np.array(means)
    outputs, counts = outputs_of(plan, tables, centres)
    move(means, outputs, counts, len(centres), learning_rate)
    for rows, change in zip(contexts, np.array(means) - before, strict=True):
        for row in rows:
            row += change / len(rows)


def contexts_of(plan: WindowPlan, centre: int) -> list[int]:
    places = range(plan.first_context[centre], plan.last_context[centre])
    return [place for place in places if place != centre]


def outputs_of(plan: WindowPlan, tables: Tables, centres: range) -> tuple[list[Array], Array]:
    """Rows of the centres and of their negatives; which of them count for which centre."""
    own = [plan.output_rows[centre] for centre in centres]
    negatives = plan.negative_rows[centres[0] // CENTRES_PER_DRAW]
    counts = [[float(row != negative) for negative in negatives] for row in own]
    rows = [tables.output_row(row) for row in own + negatives]
    return rows, np.hstack([np.eye(len(own)), np.array(counts).reshape(len(own), -1)])


def move(
    inputs: list[Array], outputs: list[Array], counts: Array, centres: int, learning_rate: float
) -> None:
    """`counts` says how often an input is to tell an output; the first outputs are centres."""
    before = np.array(outputs)
    labels = np.arange(len(outputs)) < centres
    scores = np.array(inputs) @ before.T - np.log(len(outputs) - centres)
    gradients = learning_rate * counts * (labels - sigmoid(scores))
    changes = np.zeros_like(before)
    for row, gradient in zip(inputs, gradients, strict=True):
        changes += np.outer(gradient, row)
        row += gradient @ before
    for row, change in zip(outputs, changes, strict=True):
        row += change


def sigmoid(scores: Array) -> Array:
    shares: Array = np.asarray(0.5 * (1 + np.tanh(0.5 * scores)))
    return shares

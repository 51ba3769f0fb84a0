"""A plan and tables of vectors → the tables after training on it: the definition, in plain NumPy.

native/training/windows_body.h and training/cuda/windows.cu do the same fast.

A centre o₀ is told from negatives o₁ … o_K by each of its contexts x. Before anything is known, one
of 1 + K is the centre. A score s = x · o - log K starts from those odds: x · o has to learn what x
says of o beyond chance, and no more. (The paper's Eq. 6 is the same without log K.)

    loss = -log σ(s₀) - Σ_k log σ(-s_k)        ∂loss/∂s = σ(s) - y,  y = 1 for o₀, else 0

so a step of size η moves x by Σ_k g_k o_k and o_k by Σ_x g_k x, with g = η (y - σ(s)).

A word's row lies in the table. A numeral's row is composed, e = Σ_p w_p t_p over prototypes p, so
that a change Δ of e changes t_p by w_p Δ. It is composed once for a run of draws, trained as a row,
and gives its change back when the run ends: in between numerals do not see each other move. Where
prototypes are frozen, the change is dropped.

Two neighbouring centres make a step: most contexts are contexts of both, and are scored against the
shared negatives once, though the gradient counts for each. All scores of a step are taken before
anything moves, and output rows move after all inputs. Input rows move one after the other: one that
is met twice in a step has moved the second time.

CBOW tells a centre by the mean h of its contexts; each of n contexts moves by 1/n of what h would.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from numberline.arrays import Array
from numberline.numerals.rows import SparseRows
from numberline.training.plan import CENTRES_PER_DRAW, WindowPlan

CENTRES_PER_STEP = 2


@dataclass(frozen=True)
class RunLimits:
    """How much text is trained with rows of numerals that were composed before it."""

    draws: int
    numerals: int  # among the centres; the draw that reaches it is the last of the run


@dataclass(frozen=True)
class WindowSettings:
    objective: str  # skipgram or cbow
    learning_rate: float
    score_offset: float  # log of the odds that scores start from, or 0
    limits: RunLimits


@dataclass(frozen=True, eq=False)
class Side:
    """The vectors of words, then of prototypes; and of which prototypes numerals are made."""

    table: Array  # [words + prototypes, dim], changed in place
    numerals: SparseRows


@dataclass(frozen=True, eq=False)
class ReferenceTables:
    words: int
    input: Side
    output: Side
    is_frozen: bool = False  # prototypes stay as they are


class RunRows:
    """Rows of one side in one run. `+=` on a row moves it."""

    def __init__(self, tables: ReferenceTables, side: Side) -> None:
        self._tables, self._side = tables, side
        self._composed: dict[int, Array] = {}

    def row(self, id: int) -> Array:
        if id < self._tables.words:
            found: Array = self._side.table[id]
            return found
        numeral = id - self._tables.words
        if numeral not in self._composed:
            self._composed[numeral] = self._vector(numeral)
        return self._composed[numeral]

    def give_back(self) -> None:
        """Let the prototypes move as their numerals did."""
        prototypes, rows = self._side.table[self._tables.words :], self._side.numerals
        before = {numeral: self._vector(numeral) for numeral in self._composed}
        for numeral, row in self._composed.items():
            entries = slice(rows.offsets[numeral], rows.offsets[numeral + 1])
            weights = rows.weights[entries, None]
            prototypes[rows.indices[entries]] += weights * (row - before[numeral])

    def _vector(self, numeral: int) -> Array:
        chosen = self._side.numerals[np.array([numeral])]
        vector: Array = chosen.defined_product(self._side.table[self._tables.words :])[0]
        return vector


def train_windows(plan: WindowPlan, tables: ReferenceTables, settings: WindowSettings) -> None:
    step = skipgram_step if settings.objective == "skipgram" else cbow_step
    for run in runs_of(plan, tables.words, settings.limits):
        inputs, outputs = RunRows(tables, tables.input), RunRows(tables, tables.output)
        for first in range(run.start, run.stop, CENTRES_PER_STEP):
            centres = range(first, min(first + CENTRES_PER_STEP, plan.last_centre))
            step(plan, inputs, outputs, centres, settings)
        if not tables.is_frozen:
            inputs.give_back()
            outputs.give_back()


def runs_of(plan: WindowPlan, words: int, limits: RunLimits) -> Iterator[range]:
    """Yield centres whose numerals are composed together."""
    first = plan.first_centre
    while first < plan.last_centre:
        end, numerals, draws = first, 0, 0
        while end < plan.last_centre and draws < limits.draws and numerals < limits.numerals:
            centres = plan.ids[end : min(end + CENTRES_PER_DRAW, plan.last_centre)]
            numerals += sum(id >= words for id in centres)
            end += len(centres)
            draws += 1
        yield range(first, end)
        first = end


def skipgram_step(
    plan: WindowPlan, inputs: RunRows, outputs: RunRows, centres: range, settings: WindowSettings
) -> None:
    tokens = range(
        min(plan.first_context[centre] for centre in centres),
        max(plan.last_context[centre] for centre in centres),
    )
    output_rows, counts = outputs_of(plan, outputs, centres)
    is_context = [[at in contexts_of(plan, centre) for centre in centres] for at in tokens]
    rows = [inputs.row(plan.ids[at]) for at in tokens]
    move(rows, output_rows, np.array(is_context, float) @ counts, len(centres), settings)


def cbow_step(
    plan: WindowPlan, inputs: RunRows, outputs: RunRows, centres: range, settings: WindowSettings
) -> None:
    contexts = [
        [inputs.row(plan.ids[at]) for at in contexts_of(plan, centre)] for centre in centres
    ]
    means = [np.mean(rows, axis=0) for rows in contexts]
    before = np.array(means)
    output_rows, counts = outputs_of(plan, outputs, centres)
    move(means, output_rows, counts, len(centres), settings)
    for rows, change in zip(contexts, np.array(means) - before, strict=True):
        for row in rows:
            row += change / len(rows)


def contexts_of(plan: WindowPlan, centre: int) -> list[int]:
    tokens = range(plan.first_context[centre], plan.last_context[centre])
    return [at for at in tokens if at != centre]


def outputs_of(plan: WindowPlan, outputs: RunRows, centres: range) -> tuple[list[Array], Array]:
    """Return the rows of centres and negatives, and which of them count for which centre."""
    own = [plan.ids[centre] for centre in centres]
    negatives = plan.negatives[(centres[0] - plan.first_centre) // CENTRES_PER_DRAW]
    counts = [[float(id != negative) for negative in negatives] for id in own]
    rows = [outputs.row(id) for id in own + negatives]
    return rows, np.hstack([np.eye(len(own)), np.array(counts).reshape(len(own), -1)])


def move(
    inputs: list[Array],
    outputs: list[Array],
    counts: Array,
    centres: int,
    settings: WindowSettings,
) -> None:
    """Move all rows of a step. counts[i, o] says how often input i tells output o; the first
    outputs are centres, the others negatives."""
    before = np.array(outputs)
    labels = np.arange(len(outputs)) < centres
    scores = np.array(inputs) @ before.T - settings.score_offset
    gradients = settings.learning_rate * counts * (labels - sigmoid(scores))
    changes = np.zeros_like(before)
    for row, gradient in zip(inputs, gradients, strict=True):
        changes += np.outer(gradient, row)
        row += gradient @ before
    for row, change in zip(outputs, changes, strict=True):
        row += change


def sigmoid(scores: Array) -> Array:
    values: Array = np.asarray(0.5 * (1 + np.tanh(0.5 * scores)))
    return values

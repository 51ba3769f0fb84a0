"""A plan and tables of vectors → the tables after training on it: the definition, in plain NumPy.

native/training/windows_body.h and training/cuda/windows.cu do the same fast. training/plan.py says
what a group and a step are.

Each context x of a centre o₀ learns to tell it from negatives o₁ … o_K. Before anything is known,
each of the 1 + K may be the centre. A score s = x · o - log K starts from those odds: x · o has to
learn only what x says of o beyond chance. (With start_from_odds=False it is the paper's Eq. 6,
the same without log K.)

    loss = -log σ(s₀) - Σ_k log σ(-s_k)        ∂loss/∂s = σ(s) - y,  y = 1 for o₀, else 0

so a step of size η moves x by Σ_k g_k o_k and o_k by Σ_x g_k x, with g = η (y - σ(s)).

A word's row lies in the table. A numeral's row is composed, e = Σ_p w_p t_p over prototypes p, so
that a change Δ of e changes t_p by w_p Δ. It is composed once for a group, trained as a row, and
moves its prototypes when the group ends: until then numerals do not see each other move. (With
sixteen groups at a time, a long list of numerals that share a prototype diverged.) Frozen
prototypes never move.

Numerals of a group that share prototypes move each other when it ends: the change of e_m is
Σ_n (w_m · w_n) Δ_n. If each of ten has learnt the same, they move ten times as far as they should,
and diverge. How far at most tells the largest eigenvalue of W Wᵀ, which is that of Wᵀ W, and no
larger than its largest row sum of absolute values. For prototype p that is at most its

    load = Σ_n |w_np| Σ_q |w_nq|

over the numerals n of the group. A numeral with a prototype whose load is above LARGEST_LOAD takes
only the fraction of its change that brings that load down to it. Rows with weights that sum to 1
are limited only in groups of five or more numerals, and then only if these are neighbours.

Most contexts of a step are contexts of both its centres. They are scored against the shared
negatives once, though the gradient counts for each. Output rows move after all inputs. Input rows
move one after the other: one that occurs twice in a step has already moved the second time.

CBOW has one input per centre, the mean h of its n contexts; each moves by 1/n of the change of h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from numberline.arrays import Array
from numberline.numerals.rows import SparseRows
from numberline.settings import Settings
from numberline.training.plan import (
    CENTRES_PER_GROUP,
    CENTRES_PER_STEP,
    WindowPlan,
)

# With 8, texts half of which are ascending numbers made `token` diverge at the default learning
# rate; with 4 and 2 none did. In news and the demo's chat 4 changes neither loss nor ranks.
LARGEST_LOAD = 4.0  # of a prototype in a group; kLargestLoad in native/training/windows.h


@dataclass(frozen=True, eq=False)
class SideTable:
    """The vectors of one side: a row for each word, then one for each prototype."""

    rows: Array  # [words + prototypes, dim], changed in place
    numerals: SparseRows  # the weights of prototypes in the row of each numeral
    is_frozen: bool = False  # prototypes never move

    @property
    def words(self) -> int:
        return len(self.rows) - self.numerals.size

    @property
    def prototypes(self) -> Array:
        return self.rows[self.words :]


class StepSettings(NamedTuple):
    learning_rate: float
    score_offset: float  # is subtracted from every score


class GroupRows:
    """The rows of words and numerals of one side in one group. `+=` on a row moves it."""

    def __init__(self, side: SideTable) -> None:
        self._side = side
        self._composed: dict[int, Array] = {}

    def row(self, id: int) -> Array:
        numeral = id - self._side.words
        if numeral < 0:
            row: Array = self._side.rows[id]
            return row
        if numeral not in self._composed:
            self._composed[numeral] = self._vector(numeral)
        return self._composed[numeral]

    def move_prototypes(self) -> None:
        """Move the prototypes by the changes of their numerals, at the end of the group."""
        if self._side.is_frozen or not self._composed:
            return
        numerals = self._side.numerals[np.array([*self._composed], int)]
        before = numerals.defined_product(self._side.prototypes)
        changes = np.array([*self._composed.values()]) - before
        changes *= load_fractions(numerals)[:, None]
        for number, change in enumerate(changes):
            weights = numerals[np.array([number])]
            self._side.prototypes[weights.indices] += weights.weights[:, None] * change

    def _vector(self, numeral: int) -> Array:
        weights = self._side.numerals[np.array([numeral])]
        vector: Array = weights.defined_product(self._side.prototypes)[0]
        return vector


def load_fractions(numerals: SparseRows) -> Array:
    """Return the fraction of its change that each numeral of a group takes."""
    weights = np.abs(numerals.dense())
    loads = weights.T @ weights.sum(axis=1)
    largest = np.where(weights > 0, loads, 0).max(axis=1, initial=LARGEST_LOAD)
    fractions: Array = LARGEST_LOAD / largest
    return fractions


def train_windows(
    plan: WindowPlan,
    sides: tuple[SideTable, SideTable],  # input, output
    settings: Settings,
    learning_rate: float,
) -> None:
    step = skipgram_step if settings.objective == "skipgram" else cbow_step
    step_settings = StepSettings(learning_rate, settings.score_offset)
    for group in range(plan.first_centre, plan.last_centre, CENTRES_PER_GROUP):
        inputs, outputs = (GroupRows(side) for side in sides)
        end = min(group + CENTRES_PER_GROUP, plan.last_centre)
        for at in tokens_around(plan, range(group, end)):
            inputs.row(plan.ids[at])
        for first in range(group, end, CENTRES_PER_STEP):
            centres = range(first, min(first + CENTRES_PER_STEP, end))
            step(plan, inputs, outputs, centres, step_settings)
        inputs.move_prototypes()
        outputs.move_prototypes()


def skipgram_step(
    plan: WindowPlan, inputs: GroupRows, outputs: GroupRows, centres: range, settings: StepSettings
) -> None:
    tokens = tokens_around(plan, centres)
    output_rows, counts = outputs_of(plan, outputs, centres)
    is_context = [[at in contexts_of(plan, centre) for centre in centres] for at in tokens]
    rows = [inputs.row(plan.ids[at]) for at in tokens]
    move(rows, output_rows, np.array(is_context, float) @ counts, len(centres), settings)


def cbow_step(
    plan: WindowPlan, inputs: GroupRows, outputs: GroupRows, centres: range, settings: StepSettings
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


def tokens_around(plan: WindowPlan, centres: range) -> range:
    """Return all tokens from the first context of some centres to the last one."""
    first = min(plan.first_context[centre] for centre in centres)
    return range(first, max(plan.last_context[centre] for centre in centres))


def contexts_of(plan: WindowPlan, centre: int) -> list[int]:
    tokens = range(plan.first_context[centre], plan.last_context[centre])
    return [at for at in tokens if at != centre]


def outputs_of(plan: WindowPlan, outputs: GroupRows, centres: range) -> tuple[list[Array], Array]:
    """Return the rows of centres and negatives, and counts[c, o]: 1 if o counts for centre c."""
    ids = [plan.ids[centre] for centre in centres]
    negatives = plan.negatives[(centres[0] - plan.first_centre) // CENTRES_PER_GROUP]
    counts = [[float(id != negative) for negative in negatives] for id in ids]
    rows = [outputs.row(id) for id in ids + negatives]
    return rows, np.hstack([np.eye(len(ids)), np.array(counts).reshape(len(ids), -1)])


def move(
    inputs: list[Array], outputs: list[Array], counts: Array, centres: int, settings: StepSettings
) -> None:
    """Move all rows of a step. The first outputs are centres, the others negatives.

    counts[i, o] is the number of centres for which input i tells output o.
    """
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

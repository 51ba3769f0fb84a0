"""Frozen vectors of numerals → what small networks can read from them (appendix on probing).

    decoding      the value, of the numerals of the magnitude task; 80 % for training, 20 % for the
                  test
    subtraction   first minus second value, of pairs of numerals drawn at random; pairs are split,
                  so the numerals of a test pair occur in training pairs
    addition      the same with their sum (Wallace et al. 2019)
    list maximum  which of five numerals is the largest, of lists drawn from the training and from
                  the test numerals of decoding (Wallace et al. 2019)

Input vectors are not changed; only the probe is trained, see probes.py. Errors are root mean
squares in units of the numerals, so large numerals weigh most; the row "mean" always predicts the
training mean. Finally the measures of magnitude are computed with a new distance: the size of the
difference that MLP2 predicts for two numerals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from numberline.arrays import Floats
from numberline.evaluation import (
    Cell,
    EvaluationSettings,
    Progress,
    Table,
    evaluated_numerals,
    magnitude_cells,
)
from numberline.integrations import seeded_torch  # first: without torch it names the extra
from numberline.model import TokenVectors
from numberline_paper.probing import probes
from numberline_paper.probing.probes import Items, NumberProbe

if TYPE_CHECKING:
    from torch import Tensor, nn

TRAINING_FRACTION = 0.8
PROBE_ITEMS = 100_000  # pairs or lists drawn for training and test together
LIST_LENGTH = 5
FEWEST = 5 * LIST_LENGTH  # numerals, so that the test part has one list
PROBE_STEPS = 1500  # batches that a probe is trained on
LIST_STEPS = 500  # the same for the list's probe, whose steps take three times as long
ALL_PROBES = 11

Probe = Callable[[int], "nn.Module"]  # makes a probe for vectors of a length
DECODING_PROBES: dict[str, Probe] = {
    "MLP1": lambda dim: probes.Mlp(dim, rows=1, hidden_layers=1),
    "MLP2": lambda dim: probes.Mlp(dim, rows=1, hidden_layers=2),
}
PAIR_PROBES: dict[str, Probe] = {
    "BiLinear": probes.BiLinear,
    "BiLinear+MLP1": probes.BiLinearMlp,
    "MLP1": lambda dim: probes.Mlp(dim, rows=2, hidden_layers=1),
    "MLP2": lambda dim: probes.Mlp(dim, rows=2, hidden_layers=2),
}


@dataclass(frozen=True, eq=False)
class Question:
    """Items and the right number for each; the first ones are for training."""

    name: str
    items: Items
    numbers: Floats


@dataclass(frozen=True, eq=False)
class Probing:
    """The numerals, their vectors and the source of random numbers of all questions."""

    values: Floats
    rows: Tensor  # vectors of the values
    random: np.random.Generator
    progress: Progress

    @property
    def dim(self) -> int:
        return self.rows.shape[1]


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    numerals = evaluated_numerals(model, settings, "probing", FEWEST)
    rows = probes.standardised_rows(numerals.rows)
    random = np.random.default_rng(settings.seed)
    probing = Probing(numerals.values, rows, random, progress)
    with seeded_torch(settings.seed):
        order = random.permutation(len(numerals.values))
        decoding = Question("decoding", order[:, None], numerals.values[order])
        decoding_rows, _ = answer(probing, decoding, DECODING_PROBES, 0)
        subtraction = pair_question(probing, "subtraction", np.subtract)
        subtraction_rows, by_name = answer(probing, subtraction, PAIR_PROBES, 2)
        differences = np.abs(by_name["MLP2"].numbers_of_all_pairs(rows))
        addition = pair_question(probing, "addition", np.add)
        addition_rows, _ = answer(probing, addition, PAIR_PROBES, 6)
        largest = list_maximum(probing, order)
    cells = magnitude_cells(differences, numerals, settings.protocol)
    row: dict[str, Cell] = {"protocol": settings.protocol, **cells}
    return [
        Table("Probing: root mean square error", decoding_rows + subtraction_rows + addition_rows),
        Table("Probing: list maximum", [largest]),
        Table("Magnitude, by the MLP2 of subtraction", [row]),
    ]


def pair_question(probing: Probing, name: str, combine: np.ufunc) -> Question:
    pairs = probing.random.integers(0, len(probing.values), (PROBE_ITEMS, 2))
    return Question(name, pairs, combine(*probing.values[pairs].T))


def answer(
    probing: Probing, question: Question, kinds: dict[str, Probe], probes_before: int
) -> tuple[list[dict[str, Cell]], dict[str, NumberProbe]]:
    """Return a row for each kind of probe and one for the mean; and the trained probes."""
    split = round(TRAINING_FRACTION * len(question.items))
    training, test = question.numbers[:split], question.numbers[split:]
    trained: dict[str, NumberProbe] = {}
    rows = [error_row(question, "mean", training.mean() - test)]
    for name, make in kinds.items():
        probing.progress(f"{question.name}, {name}", (probes_before + len(trained)) / ALL_PROBES)
        trained[name] = probes.fit_numbers(
            make(probing.dim), probing.rows, question.items[:split], training, PROBE_STEPS
        )
        predicted = trained[name].numbers(probing.rows, question.items[split:])
        rows.append(error_row(question, name, predicted - test))
    return rows, trained


def error_row(question: Question, probe: str, errors: Floats) -> dict[str, Cell]:
    return {
        "task": question.name,
        "probe": probe,
        "RMSE": float(np.sqrt((errors**2).mean())),
        "test items": len(errors),
    }


def list_maximum(probing: Probing, order: Items) -> dict[str, Cell]:
    probing.progress("list maximum", (ALL_PROBES - 1) / ALL_PROBES)
    split = round(TRAINING_FRACTION * len(order))
    training_size = round(TRAINING_FRACTION * PROBE_ITEMS)
    training = random_lists(order[:split], training_size, probing.random)
    test = random_lists(order[split:], PROBE_ITEMS - training_size, probing.random)
    probe = probes.ListReader(probing.dim)
    answers = probing.values[training].argmax(axis=1)
    probes.fit_choice(probe, probing.rows, training, answers, LIST_STEPS)
    predicted = probes.outputs(probe, probing.rows, test).argmax(dim=1).numpy()
    return {
        "accuracy": 100 * float((predicted == probing.values[test].argmax(axis=1)).mean()),
        "chance": 100 / LIST_LENGTH,
        "test items": len(test),
    }


def random_lists(indices: Items, count: int, random: np.random.Generator) -> Items:
    """Draw `count` lists of distinct indices."""
    # Floyd's method: a number that is in the list already is replaced by the largest possible one.
    lists = np.empty((count, LIST_LENGTH), np.int64)
    for column in range(LIST_LENGTH):
        last = len(indices) - LIST_LENGTH + column
        drawn = random.integers(0, last + 1, count)
        is_taken = (lists[:, :column] == drawn[:, None]).any(axis=1)
        lists[:, column] = np.where(is_taken, last, drawn)
    chosen: Items = indices[random.permuted(lists, axis=1)]
    return chosen

"""Frozen vectors of numerals → what small networks read out of them (paper, appendix of probing).

    decoding      the value, of the numerals of the magnitude task; 80 % train, 20 % test
    subtraction   first less second value, of pairs of them drawn at random; pairs are split, so a
                  numeral of a test pair has been seen in others
    addition      the same with their sum (Wallace et al. 2019)
    list maximum  which of five numerals is the largest, of lists drawn from the training and from
                  the test numerals of decoding (Wallace et al. 2019)

Input vectors as they are; what is trained is the probe alone, as probes.py says. Errors are root
mean squares in units of the numerals; the row "mean" is what saying the training mean would give.
Large numerals weigh most in them. At last the measures of magnitude are taken with the size of the
difference that MLP2 sees between two numerals as their distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from numberline.arrays import Floats
from numberline.evaluation import probes
from numberline.evaluation.magnitude import BEST_RANK
from numberline.evaluation.numeracy import gaps_between, numeracy_cells
from numberline.evaluation.numerals import asked_numerals
from numberline.evaluation.probes import NumberProbe, Places
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress
from numberline.model.token_vectors import TokenVectors

if TYPE_CHECKING:
    from torch import Tensor, nn

TRAINING_SHARE = 0.8
LIST_LENGTH = 5
FEWEST = 5 * LIST_LENGTH  # so that the test part has one list
PROBE_STEPS = 1500  # batches of 512 that a probe is trained on
STEPS_OF_OTHERS = 3  # for one of the list's probe, which takes as long
ALL_PROBES = 11

Probe = Callable[[int], "nn.Module"]  # of so many dimensions
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
    """Items and the number that is right for each; the first ones are for training."""

    name: str
    places: Places
    numbers: Floats


@dataclass(frozen=True, eq=False)
class Probing:
    """What all questions share."""

    values: Floats
    rows: Tensor  # of the values
    settings: EvaluationSettings
    random: np.random.Generator
    progress: Progress

    @property
    def dim(self) -> int:
        return self.rows.shape[1]


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    found = asked_numerals(model, settings, "probing", FEWEST)
    rows = probes.standardised_rows(found.rows)
    random = np.random.default_rng(settings.seed)
    probing = Probing(found.values, rows, settings, random, progress)
    with probes.seeded(settings.seed):
        order = random.permutation(len(found.values))
        decoding = Question("decoding", order[:, None], found.values[order])
        decoding_rows, _ = asked(probing, decoding, DECODING_PROBES, 0)
        subtraction = pairs_with(probing, "subtraction", np.subtract)
        subtraction_rows, by_kind = asked(probing, subtraction, PAIR_PROBES, 2)
        differences = np.abs(by_kind["MLP2"].numbers_of_all_pairs(rows))
        addition_rows, _ = asked(probing, pairs_with(probing, "addition", np.add), PAIR_PROBES, 6)
        largest = list_maximum(probing, order)
    protocol = settings.protocol
    cells = numeracy_cells(differences, gaps_between(found.values), protocol, BEST_RANK)
    row: dict[str, Cell] = {"protocol": protocol, **cells, **found.coverage()}
    return [
        Table("Probing: root mean square error", decoding_rows + subtraction_rows + addition_rows),
        Table("Probing: list maximum", [largest]),
        Table("Magnitude, by the MLP2 of subtraction", [row]),
    ]


def pairs_with(probing: Probing, name: str, combined: np.ufunc) -> Question:
    """Of numerals drawn at random."""
    size = probing.settings.probe_items, 2
    pairs = probing.random.integers(0, len(probing.values), size)
    return Question(name, pairs, combined(*probing.values[pairs].T))


def asked(
    probing: Probing, question: Question, kinds: dict[str, Probe], probes_before: int
) -> tuple[list[dict[str, Cell]], dict[str, NumberProbe]]:
    """A row for each kind of probe and one for saying the mean; and the probes."""
    split = round(TRAINING_SHARE * len(question.places))
    training, test = question.numbers[:split], question.numbers[split:]
    trained: dict[str, NumberProbe] = {}
    rows = [error_row(question, "mean", training.mean() - test)]
    for kind, make in kinds.items():
        probing.progress(f"{question.name}, {kind}", (probes_before + len(trained)) / ALL_PROBES)
        trained[kind] = probes.fit_numbers(
            make(probing.dim),
            probing.rows,
            question.places[:split],
            training,
            PROBE_STEPS,
        )
        said = trained[kind].numbers(probing.rows, question.places[split:])
        rows.append(error_row(question, kind, said - test))
    return rows, trained


def error_row(question: Question, kind: str, errors: Floats) -> dict[str, Cell]:
    return {
        "task": question.name,
        "probe": kind,
        "RMSE": float(np.sqrt((errors**2).mean())),
        "test items": len(errors),
    }


def list_maximum(probing: Probing, order: Places) -> dict[str, Cell]:
    probing.progress("list maximum", (ALL_PROBES - 1) / ALL_PROBES)
    split = round(TRAINING_SHARE * len(order))
    training_size = round(TRAINING_SHARE * probing.settings.probe_items)
    training = lists_of(order[:split], training_size, probing.random)
    test = lists_of(order[split:], probing.settings.probe_items - training_size, probing.random)
    probe = probes.ListReader(probing.dim)
    steps = max(1, PROBE_STEPS // STEPS_OF_OTHERS)
    answers = probing.values[training].argmax(axis=1)
    probes.fit_choice(probe, probing.rows, training, answers, steps)
    said = probes.outputs(probe, probing.rows, test).argmax(dim=1).numpy()
    return {
        "accuracy": 100 * float((said == probing.values[test].argmax(axis=1)).mean()),
        "chance": 100 / LIST_LENGTH,
        "test items": len(test),
    }


def lists_of(places: Places, count: int, random: np.random.Generator) -> Places:
    """Distinct places each, at random."""
    # Floyd's way: a place that is in the list already is changed for the last that could be drawn.
    lists = np.empty((count, LIST_LENGTH), np.int64)
    for at in range(LIST_LENGTH):
        last = len(places) - LIST_LENGTH + at
        drawn = random.integers(0, last + 1, count)
        is_taken = (lists[:, :at] == drawn[:, None]).any(axis=1)
        lists[:, at] = np.where(is_taken, last, drawn)
    chosen: Places = places[random.permuted(lists, axis=1)]
    return chosen

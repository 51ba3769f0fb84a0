"""Rows and tasks → all models and evaluations of the grid that can be made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numberline as nl
from numberline.errors import (
    ConfigError,
    EvaluationDataError,
    EvaluationModelError,
    MissingExtraError,
    PrototypesError,
)
from numberline.evaluation import Evaluation
from numberline_paper.grid import (
    EXPERIMENTS,
    RANDOM,
    ROWS,
    ROWS_OF_LARGE_SETS,
    TAGGED,
    TAGGING,
    WIKIPEDIA,
    Training,
    training_of,
)
from numberline_paper.settings import ReproductionSettings
from numberline_paper.tagging.task import RANDOM_ROWS
from numberline_paper.workshop import Workshop, model_folder


@dataclass(frozen=True)
class TrainedModel:
    training: Training
    words: int
    epochs: int
    facts: Mapping[str, Any]  # tokens, seconds and loss of the training


@dataclass(frozen=True)
class Results:
    """Everything there is to report."""

    settings: ReproductionSettings
    folder: Path
    models: Mapping[str, TrainedModel]  # by name
    evaluations: Mapping[tuple[str, str], Evaluation]  # by experiment and row
    left_out: tuple[str, ...]  # what could not be done, with the reason

    def model(self, row: str, preset: str) -> tuple[str, nl.Embeddings] | None:
        """Return the name and model of a row, if possible of that preset; None if it has none."""
        names = [name for name, model in self.models.items() if model.training.row == row]
        of_preset = [
            training_of(row, preset, experiment.text, self.settings).name
            for experiment in EXPERIMENTS
            if experiment.preset == preset
        ]
        chosen = next((name for name in [*of_preset, *names] if name in names), None)
        return None if chosen is None else (chosen, nl.load(model_folder(self.folder, chosen)))


def do_experiments(
    workshop: Workshop, rows: Sequence[str] | None = None, tasks: Sequence[str] | None = None
) -> Results:
    """Train and evaluate what is still missing; by default all rows and tasks."""
    settings = workshop.settings
    task_names = chosen_tasks(tasks)
    jobs = [
        (experiment, training_of(row, experiment.preset, experiment.text, settings))
        for row in chosen_rows(rows)
        for experiment in EXPERIMENTS
        if experiment.task in task_names
    ]
    if any(experiment.text == WIKIPEDIA for experiment, _ in jobs):
        workshop.texts.encoded(WIKIPEDIA)  # refuses another corpus than before, at once
    left_out: list[str] = []
    models: dict[str, TrainedModel] = {}
    evaluations: dict[tuple[str, str], Evaluation] = {}
    for name, training in {training.name: training for _, training in jobs}.items():
        with noted(left_out, name):
            model = workshop.model(training)
            models[name] = TrainedModel(training, len(model), model.settings.epochs, model.training)
            for experiment in [one for one, needed in jobs if needed.name == name]:
                with noted(left_out, f"{experiment.name} of {name}"):
                    evaluation = workshop.evaluation(experiment, training, model)
                    evaluations[experiment.name, training.row] = evaluation
    if TAGGING in task_names:
        for row, sets in tagging_jobs(rows, settings):
            with noted(left_out, f"{TAGGING} of {row}"):
                evaluations[TAGGING, row] = workshop.tagging(row, sets)
    return Results(settings, workshop.folder, models, evaluations, tuple(left_out))


@contextmanager
def noted(left_out: list[str], what: str) -> Iterator[None]:
    """Note a failure for lack of data, packages or numerals, and go on."""
    try:
        yield
    except (EvaluationDataError, EvaluationModelError, MissingExtraError, PrototypesError) as error:
        left_out.append(f"{what}: {error}")


def tagging_jobs(
    rows: Sequence[str] | None, settings: ReproductionSettings
) -> list[tuple[str, list[str]]]:
    """Return each row with the sets that it tags; only few rows tag large sets."""
    random_rows = RANDOM_ROWS if rows is None or RANDOM in rows else ()
    jobs = [
        (row, [s for s in settings.sets if not TAGGED[s] or row in ROWS_OF_LARGE_SETS])
        for row in [*chosen_rows(rows), *random_rows]
    ]
    return [(row, sets) for row, sets in jobs if sets]


def chosen_rows(rows: Sequence[str] | None) -> list[str]:
    return [row for row in chosen("encoders", rows, [*ROWS, RANDOM]) if row != RANDOM]


def chosen_tasks(tasks: Iterable[str] | None) -> list[str]:
    return chosen("tasks", tasks, [*dict.fromkeys(e.task for e in EXPERIMENTS), TAGGING])


def chosen(setting: str, names: Iterable[str] | None, possible: list[str]) -> list[str]:
    """Return the names that were chosen, in the order of `possible`; all if none were."""
    wanted = possible if names is None else list(names)
    for name in wanted:
        if name not in possible:
            raise ConfigError(setting, name, f"some of {', '.join(possible)}")
    return [name for name in possible if name in wanted]

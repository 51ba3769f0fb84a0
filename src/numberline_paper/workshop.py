"""Trainings and experiments of the grid → models and evaluations, read from files or made and kept.

Below the folder of results there is a folder per text and per model, and a JSON file per model and
experiment. Files that exist are read, so that a run that was stopped can be continued.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numberline as nl
from numberline.evaluation import Evaluation, EvaluationSettings, Progress, Table
from numberline.model import is_model
from numberline.training import TrainingProgress
from numberline_paper.grid import TAGGED, TAGGING, Experiment, Training
from numberline_paper.settings import ReproductionSettings, SpeedSettings, TaggingSettings
from numberline_paper.tagging.learnt_vectors import tagging_tables
from numberline_paper.texts import Texts
from numberline_paper.trainers import trainer_of


@dataclass(frozen=True)
class Workshop:
    """All files of a reproduction, and the means to make them."""

    texts: Texts
    data: Path
    folder: Path
    settings: ReproductionSettings
    progress: Progress

    def model(self, training: Training) -> nl.Embeddings:
        """Return a trained model."""
        target = model_folder(self.folder, training.name)
        if is_model(target) and was_trained_by(model := nl.load(target), training):
            return model
        corpus = self.texts.encoded(training.text)

        def report(now: TrainingProgress) -> None:
            self.progress(f"{training.name}: training", now.tokens / now.total_tokens)

        return trainer_of(training.row)(
            corpus,
            target,
            overwrite=True,
            progress=report,
            threads=self.settings.threads,
            **training.settings,
        )

    def evaluation(
        self, experiment: Experiment, training: Training, model: nl.Embeddings
    ) -> Evaluation:
        """Return the evaluation of a model by the task of an experiment."""
        folder = "" if experiment.shared else training.name
        path = self.folder / "evaluations" / folder / f"{experiment.name}.json"
        settings = self._task_settings(experiment)
        if path.is_file():
            before = Evaluation.load(path)
            is_of_model = experiment.shared or is_of(before, model)
            if is_of_model and has_settings(before, SpeedSettings(**settings)):
                return before

        def report(what: str, fraction: float) -> None:
            self.progress(f"{training.name}: {what}", fraction)

        evaluation = nl.evaluate(model, experiment.task, progress=report, **settings)
        evaluation.save(path)
        return evaluation

    def tagging(self, row: str, sets: list[str]) -> Evaluation:
        """Return how well taggers with the vectors of a row label these sets."""
        parts = [self._tagging_of_set(row, name) for name in sets]
        tables = [table for part in parts for table in part.tables[TAGGING]]
        seconds = sum(part.seconds[TAGGING] for part in parts)
        return replace(parts[0], tables={TAGGING: tables}, seconds={TAGGING: seconds})

    def _tagging_of_set(self, row: str, name: str) -> Evaluation:
        settings = self._tagging_settings(name)
        path = self.folder / "evaluations" / f"{TAGGING}-{name}" / f"{row}.json"
        if path.is_file() and has_settings(before := Evaluation.load(path), settings):
            return before

        def report(what: str, fraction: float) -> None:
            self.progress(f"{TAGGING}: {what}", fraction)

        start = time.monotonic()
        tables: dict[str, list[Table]] = {TAGGING: tagging_tables([row], settings, report)}
        seconds = {TAGGING: time.monotonic() - start}
        evaluation = Evaluation({"row": row}, asdict(settings), tables, seconds)
        evaluation.save(path)
        return evaluation

    def _task_settings(self, experiment: Experiment) -> dict[str, Any]:
        settings = {
            "data": str(self.data),
            "seed": self.settings.seed,
            "threads": self.settings.threads,
            **experiment.settings,
        }
        return settings | ({"text": str(self.texts.held_out)} if experiment.held_out else {})

    def _tagging_settings(self, name: str) -> TaggingSettings:
        scale = self.settings
        smaller = {"tagging_seeds": scale.tagging_seeds, "tagger_epochs": scale.tagger_epochs}
        settings = {
            "data": str(self.data),
            "threads": 1,  # a tagger gains nothing from more
            "seed": scale.seed,
            "tagging_sets": name,
            **TAGGED[name],
            **{key: value for key, value in smaller.items() if value is not None},
        }
        return TaggingSettings(**settings)


def was_trained_by(model: nl.Embeddings, training: Training) -> bool:
    """Compare all settings: the name of a model leaves out defaults, which may have changed."""
    return model.settings == replace(model.settings, **training.settings)


def is_of(evaluation: Evaluation, model: nl.Embeddings) -> bool:
    return bool(evaluation.model.get("training") == as_json(dict(model.training)))


def has_settings(evaluation: Evaluation, settings: EvaluationSettings) -> bool:
    """Compare the settings of an evaluation, except the folder of sets and the threads."""
    wanted = {k: v for k, v in asdict(settings).items() if k not in ("data", "threads")}
    return bool({k: evaluation.settings.get(k) for k in wanted} == as_json(wanted))


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def model_folder(folder: Path, name: str) -> Path:
    return folder / "models" / name

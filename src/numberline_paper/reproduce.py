"""A corpus and evaluation sets → all models of the grid, and what tasks say of them.

Below the folder of results there is a folder per text and per model, and a JSON file per model and
task. What is there is not done again, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numberline
from numberline.errors import (
    ConfigError,
    EvaluationDataError,
    EvaluationModelError,
    MissingExtraError,
    PrototypesError,
)
from numberline.evaluation.result import Evaluation
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress
from numberline.model.embeddings import Embeddings
from numberline.model.folder import is_model
from numberline.training.progress import TrainingProgress
from numberline_paper.grid import (
    EXPERIMENTS,
    RANDOM,
    ROWS,
    ROWS_OF_LARGE_SETS,
    TAGGED,
    TAGGING,
    WIKIPEDIA,
    Experiment,
    Training,
    training_of,
)
from numberline_paper.settings import ReproductionSettings, TaggingSettings
from numberline_paper.tagging import RANDOM_ROWS
from numberline_paper.tagging_grid import tagging_grid
from numberline_paper.texts import Texts
from numberline_paper.trainers import trainer_of


@dataclass(frozen=True)
class TrainedModel:
    training: Training
    words: int
    epochs: int
    facts: Mapping[str, Any]  # how training went


@dataclass(frozen=True)
class Reproduced:
    """What there is to report."""

    settings: ReproductionSettings
    folder: Path
    models: Mapping[str, TrainedModel]  # by name
    evaluations: Mapping[tuple[str, str], Evaluation]  # by experiment and row
    left_out: tuple[str, ...]  # and why

    def model(self, row: str, preset: str) -> tuple[str, Embeddings] | None:
        """The model of a row, with its name; where that preset was left out, of any other."""
        names = [name for name, model in self.models.items() if model.training.row == row]
        wanted = [e for e in EXPERIMENTS if e.preset == preset]
        best = [training_of(row, preset, e.text, self.settings).name for e in wanted]
        chosen = next((name for name in [*best, *names] if name in names), None)
        return None if chosen is None else (chosen, load_model(self.folder, chosen))


def reproduce(
    texts: Texts,
    data: Path,
    folder: Path,
    settings: ReproductionSettings,
    progress: Progress,
    rows: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
) -> Reproduced:
    """Train and evaluate what is not there yet. Without rows or tasks, all are done."""
    workshop = Workshop(texts, data, folder, settings, progress)
    wanted = chosen_tasks(tasks)
    jobs = [
        (experiment, training_of(row, experiment.preset, experiment.text, settings))
        for row in chosen_rows(rows)
        for experiment in EXPERIMENTS
        if experiment.task in wanted
    ]
    if any(experiment.text == WIKIPEDIA for experiment, _ in jobs):
        texts.encoded(WIKIPEDIA)  # first of all: another corpus than before is refused
    left_out: list[str] = []
    models: dict[str, TrainedModel] = {}
    evaluations: dict[tuple[str, str], Evaluation] = {}
    for name, training in {training.name: training for _, training in jobs}.items():
        with noted(left_out, name):
            model = workshop.model(training)
            epochs = model.settings.epochs
            models[name] = TrainedModel(training, len(model), epochs, model.training)
            for experiment in [e for e, needed in jobs if needed.name == name]:
                with noted(left_out, f"{experiment.name} of {name}"):
                    found = workshop.evaluation(experiment, training, model)
                    evaluations[experiment.name, training.row] = found
    if TAGGING in wanted:
        for row, sets in tagging_jobs(rows, settings):
            with noted(left_out, f"{TAGGING} of {row}"):
                found = joined([workshop.tagging(row, name) for name in sets])
                evaluations[TAGGING, row] = found
    return Reproduced(settings, folder, models, evaluations, tuple(left_out))


@contextmanager
def noted(left_out: list[str], what: str) -> Iterator[None]:
    """What lacks data, packages or numerals is left out, and said to be."""
    try:
        yield
    except (EvaluationDataError, EvaluationModelError, MissingExtraError, PrototypesError) as error:
        left_out.append(f"{what}: {error}")


def tagging_jobs(
    rows: Sequence[str] | None, settings: ReproductionSettings
) -> list[tuple[str, list[str]]]:
    """Rows, and the sets that each is to tag; large sets have few rows."""
    sets = chosen("tagged", settings.tagged_sets, list(TAGGED))
    drawn = RANDOM_ROWS if rows is None or RANDOM in rows else ()
    jobs = [
        (row, [name for name in sets if not TAGGED[name] or row in ROWS_OF_LARGE_SETS])
        for row in [*chosen_rows(rows), *drawn]
    ]
    return [(row, names) for row, names in jobs if names]


def chosen_rows(rows: Sequence[str] | None) -> list[str]:
    found = chosen("encoders", rows, [*ROWS, RANDOM])
    return [row for row in found if row != RANDOM]


def chosen_tasks(tasks: Iterable[str] | None) -> list[str]:
    return chosen("tasks", tasks, [*dict.fromkeys(e.task for e in EXPERIMENTS), TAGGING])


def chosen(name: str, asked: Iterable[str] | None, known: list[str]) -> list[str]:
    wanted = known if asked is None else list(asked)
    for one in wanted:
        if one not in known:
            raise ConfigError(name, one, f"some of {', '.join(known)}")
    return [one for one in known if one in wanted]


@dataclass(frozen=True)
class Workshop:
    """Gives models and evaluations: from their files, or made and kept."""

    texts: Texts
    data: Path
    folder: Path
    settings: ReproductionSettings
    progress: Progress

    def model(self, training: Training) -> Embeddings:
        target = model_folder(self.folder, training.name)
        if is_model(target) and is_trained_so(known := numberline.load(target), training):
            return known
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
        self, experiment: Experiment, training: Training, model: Embeddings
    ) -> Evaluation:
        owner = "" if experiment.shared else training.name
        path = self.folder / "evaluations" / owner / f"{experiment.name}.json"
        settings = self._settings(experiment)
        if path.is_file():
            known = Evaluation.load(path)
            is_of_model = experiment.shared or is_of(known, model)
            if is_of_model and is_asked(known, EvaluationSettings(**settings)):
                return known

        def report(what: str, share: float) -> None:
            self.progress(f"{training.name}: {what}", share)

        found = numberline.evaluate(model, experiment.task, progress=report, **settings)
        found.save(path)
        return found

    def tagging(self, row: str, name: str) -> Evaluation:
        """Of one row and one set. One thread: a tagger gains nothing from more."""
        scale = self.settings
        settings: dict[str, Any] = {"data": str(self.data), "threads": 1, "tagging_sets": name}
        settings |= {"seed": self.settings.seed, **TAGGED[name]}
        smaller = {"tagging_seeds": scale.seeds, "tagger_epochs": scale.tagger_epochs}
        settings |= {key: value for key, value in smaller.items() if value is not None}
        asked = TaggingSettings(**settings)
        path = self.folder / "evaluations" / f"{TAGGING}-{name}" / f"{row}.json"
        if path.is_file():
            found = Evaluation.load(path)
            if is_asked(found, asked):
                return found

        def report(what: str, share: float) -> None:
            self.progress(f"{TAGGING}: {what}", share)

        start = time.monotonic()
        tables = tagging_grid([row], asked, report)
        seconds = {TAGGING: time.monotonic() - start}
        found = Evaluation({"row": row}, asdict(asked), {TAGGING: tables}, seconds)
        found.save(path)
        return found

    def _settings(self, experiment: Experiment) -> dict[str, Any]:
        settings = {
            "data": str(self.data),
            "seed": self.settings.seed,
            "threads": self.settings.threads,
            **experiment.settings,
        }
        return settings | ({"text": str(self.texts.held_out)} if experiment.held_out else {})


def is_trained_so(model: Embeddings, training: Training) -> bool:
    """Names say what is unlike the paper; a default that has changed since is found here."""
    known = model.settings
    return known == replace(known, **training.settings)


def is_of(known: Evaluation, model: Embeddings) -> bool:
    return bool(known.model.get("training") == as_json(dict(model.training)))


def is_asked(known: Evaluation, settings: EvaluationSettings) -> bool:
    """Whether it was asked what would be asked now; paths and threads may differ."""
    asked = asdict(settings)
    settled = {name: value for name, value in asked.items() if name not in ("data", "threads")}
    before = {name: known.settings.get(name) for name in settled}
    return bool(before == as_json(settled))


def joined(parts: list[Evaluation]) -> Evaluation:
    """The tables of several runs of one task."""
    tables = [table for part in parts for table in part.tables[TAGGING]]
    seconds = sum(part.seconds[TAGGING] for part in parts)
    return replace(parts[0], tables={TAGGING: tables}, seconds={TAGGING: seconds})


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def model_folder(folder: Path, name: str) -> Path:
    return folder / "models" / name


def load_model(folder: Path, name: str) -> Embeddings:
    return numberline.load(model_folder(folder, name))

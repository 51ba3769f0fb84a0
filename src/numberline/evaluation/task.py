"""The tasks: each has a function `evaluate(model, settings, progress) → tables`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from typing import NamedTuple

from numberline.errors import EvaluationModelError
from numberline.evaluation.result import Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.extras import plugins
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors

GROUP = "numberline.tasks"  # entry points: tasks that other packages bring, each a Task
Progress = Callable[[str, float], None]  # what is being done, and the fraction of it that is done


class Task(NamedTuple):
    module: str  # its function `evaluate` does the task
    explanation: str
    by_default: bool = True  # False: only done when asked for by name
    settings_class: type[EvaluationSettings] = EvaluationSettings

    def evaluate(
        self, model: TokenVectors, settings: EvaluationSettings, progress: Progress
    ) -> list[Table]:
        tables: list[Table] = import_module(self.module).evaluate(model, settings, progress)
        return tables


BUILT_IN = {
    "similarity": Task(
        "numberline.evaluation.similarity", "words that people find alike; analogies"
    ),
    "prediction": Task("numberline.evaluation.prediction", "numerals taken out of held-out text"),
    "magnitude-class": Task(
        "numberline.evaluation.magnitude_class", "how many digits the numeral of a title has"
    ),
    "magnitude": Task(
        "numberline.evaluation.magnitude", "numerals that are near on the number line"
    ),
    "numeration": Task("numberline.evaluation.numeration", "numerals and the words for them"),
    "probing": Task(
        "numberline.evaluation.probing", "what small networks read out of vectors of numerals"
    ),
}


def all_tasks() -> dict[str, Task]:
    """Return the built-in tasks, and those that installed packages bring."""
    return BUILT_IN | {name: entry.load() for name, entry in plugins(GROUP).items()}


def require_embeddings(model: TokenVectors, task: str) -> Embeddings:
    """Return the model if it has both sides, and numerals, as some tasks need."""
    if not isinstance(model, Embeddings):
        raise EvaluationModelError(f"{task} needs a model of numberline, with its output vectors")
    if model.numerals is None:
        raise EvaluationModelError(f"{task} needs a model that has learnt numerals")
    return model


def settings_of_tasks() -> list[type[EvaluationSettings]]:
    """Return the classes of all tasks' settings, each once, the common one first."""
    kinds = dict.fromkeys(task.settings_class for task in all_tasks().values())
    return sorted(kinds, key=lambda kind: len(fields(kind)))

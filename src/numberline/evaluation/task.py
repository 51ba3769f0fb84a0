"""The names of tasks → the tasks: those of numberline, and those of other packages.

A task is a module with a function `evaluate(model, settings, progress) → tables`. Another package
brings one by an entry point of the group `numberline.tasks`, which is a Task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any, NamedTuple

from numberline.errors import EvaluationModelError
from numberline.evaluation.result import Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.extras import plugins
from numberline.fields import setting_names
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors

GROUP = "numberline.tasks"
Progress = Callable[[str, float], None]  # the current step, and the fraction that is done


class Task(NamedTuple):
    """A task that can be listed without importing its module."""

    module: str  # its function `evaluate` runs the task
    explanation: str
    by_default: bool = True  # False: run only when named
    settings_class: type[EvaluationSettings] = EvaluationSettings

    def settings_from(self, keywords: Mapping[str, Any]) -> EvaluationSettings:
        """Return the settings of this task; keywords for other tasks are ignored."""
        names = setting_names(self.settings_class)
        return self.settings_class(**{n: keywords[n] for n in names if n in keywords})

    def evaluate(
        self, model: TokenVectors, settings: EvaluationSettings, progress: Progress
    ) -> list[Table]:
        tables: list[Table] = import_module(self.module).evaluate(model, settings, progress)
        return tables


BUILT_IN = {
    "similarity": Task("numberline.evaluation.similarity", "similarity and analogies of words"),
    "prediction": Task("numberline.evaluation.prediction", "numerals removed from held-out text"),
    "detection": Task("numberline.evaluation.detection", "wrong numbers found in held-out text"),
    "senses": Task("numberline.evaluation.senses", "years and counts told apart; triples of kinds"),
    "magnitude": Task(
        "numberline.evaluation.magnitude", "similarity of numerals that are near on the number line"
    ),
    "numeration": Task(
        "numberline.evaluation.numeration", "similarity of numerals and the words for them"
    ),
}


def all_tasks() -> dict[str, Task]:
    """Return the built-in tasks, and those of installed packages."""
    return BUILT_IN | {name: entry.load() for name, entry in plugins(GROUP).items()}


def settings_classes(tasks: Mapping[str, Task]) -> list[type[EvaluationSettings]]:
    """Return the classes of settings of some tasks, each once, the common one first."""
    classes = dict.fromkeys(task.settings_class for task in tasks.values())
    return sorted(classes, key=lambda one: len(fields(one)))


def require_embeddings(model: TokenVectors, task: str) -> Embeddings:
    """Return a model with output vectors and numerals; refuse any other."""
    if not isinstance(model, Embeddings):
        raise EvaluationModelError(f"{task} needs a model of numberline, with its output vectors")
    if model.numerals is None:
        raise EvaluationModelError(f"{task} needs a model that has learnt numerals")
    return model


def no_progress(what: str, fraction: float) -> None:
    """Report nothing."""

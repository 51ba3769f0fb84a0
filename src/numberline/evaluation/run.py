"""A model and the names of tasks → an evaluation."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from numberline.errors import (
    ConfigError,
    EvaluationDataError,
    EvaluationModelError,
    MissingExtraError,
)
from numberline.evaluation.result import Evaluation, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress, Task, all_tasks, settings_of_tasks
from numberline.fields import setting_names
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors
from numberline.settings import saved_settings


def evaluate(
    model: TokenVectors,
    tasks: str | Iterable[str] | None = None,
    *,
    progress: Progress | None = None,
    **settings: Any,
) -> Evaluation:
    """Measure how good the vectors of a model are; numberline.evaluate says more.

    Tasks that are not named and lack data, packages or a suitable model are left out, and listed
    with the reason. If tasks are named and none can be done, that is an error.
    """
    known = all_tasks()
    chosen = chosen_tasks(tasks, known)
    every = settings_of_all(settings)
    tables: dict[str, list[Table]] = {}
    seconds: dict[str, float] = {}
    refused: dict[str, Exception] = {}
    for name in chosen:
        start = time.monotonic()
        try:
            own = every[known[name].settings_class]
            tables[name] = known[name].evaluate(model, own, progress or ignore)
        except (EvaluationDataError, EvaluationModelError, MissingExtraError) as error:
            refused[name] = error
            continue
        seconds[name] = time.monotonic() - start
    if tasks is not None and not tables:
        raise next(iter(refused.values()))
    left_out = {name: str(error) for name, error in refused.items()}
    used: dict[str, Any] = {}
    for name in chosen:
        used |= asdict(every[known[name].settings_class])
    return Evaluation(describe_model(model), used, tables, seconds, left_out)


def chosen_tasks(tasks: str | Iterable[str] | None, known: Mapping[str, Task]) -> list[str]:
    if tasks is None:
        return [name for name, task in known.items() if task.by_default]
    asked = [tasks] if isinstance(tasks, str) else list(tasks)
    unknown = [name for name in asked if name not in known]
    if unknown or not asked:
        raise ConfigError("tasks", unknown[0] if unknown else "", f"some of {', '.join(known)}")
    return asked


def settings_of_all(
    settings: Mapping[str, Any],
) -> dict[type[EvaluationSettings], EvaluationSettings]:
    """Return the settings of each kind; a setting that no task has is a TypeError."""
    kinds = settings_of_tasks()
    known = {name for kind in kinds for name in setting_names(kind)}
    if unknown := sorted(set(settings) - known):
        message = f"unknown setting {unknown[0]!r}; known are {', '.join(sorted(known))}"
        raise TypeError(message)
    return {
        kind: kind(**{name: settings[name] for name in setting_names(kind) if name in settings})
        for kind in kinds
    }


def describe_model(model: TokenVectors) -> dict[str, Any]:
    facts: dict[str, Any] = {"model": repr(model)}
    if isinstance(model, Embeddings):
        facts |= {"settings": saved_settings(model.settings), "training": dict(model.training)}
    return facts


def ignore(what: str, share: float) -> None:
    """The progress that nobody looks at."""

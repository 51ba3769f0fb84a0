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
from numberline.evaluation.task import Progress, Task, all_tasks, no_progress, settings_classes
from numberline.fields import require_known, setting_names
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
    """Run tasks; those that lack data, packages or a suitable model are left out and listed."""
    available = all_tasks()
    chosen = chosen_tasks(tasks, available)
    classes = settings_classes(available)
    require_known(settings, {name for one in classes for name in setting_names(one)})
    settings_of = {name: task.settings_from(settings) for name, task in chosen.items()}
    tables: dict[str, list[Table]] = {}
    seconds: dict[str, float] = {}
    refused: dict[str, Exception] = {}
    for name, task in chosen.items():
        start = time.monotonic()
        try:
            tables[name] = task.evaluate(model, settings_of[name], progress or no_progress)
        except (EvaluationDataError, EvaluationModelError, MissingExtraError) as error:
            refused[name] = error
            continue
        seconds[name] = time.monotonic() - start
    if tasks is not None and not tables:
        raise next(iter(refused.values()))
    left_out = {name: str(error) for name, error in refused.items()}
    used = {name: value for one in settings_of.values() for name, value in asdict(one).items()}
    return Evaluation(describe_model(model), used, tables, seconds, left_out)


def chosen_tasks(
    names: str | Iterable[str] | None, available: Mapping[str, Task]
) -> dict[str, Task]:
    if names is None:
        return {name: task for name, task in available.items() if task.by_default}
    wanted = [names] if isinstance(names, str) else list(names)
    unknown = [name for name in wanted if name not in available]
    if unknown or not wanted:
        raise ConfigError("tasks", unknown[0] if unknown else "", f"some of {', '.join(available)}")
    return {name: available[name] for name in wanted}


def describe_model(model: TokenVectors) -> dict[str, Any]:
    facts: dict[str, Any] = {"model": repr(model)}
    if isinstance(model, Embeddings):
        facts |= {"settings": saved_settings(model.settings), "training": dict(model.training)}
    return facts

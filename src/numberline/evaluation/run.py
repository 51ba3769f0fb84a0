"""A model and the names of tasks → an evaluation."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from numberline.errors import (
    ConfigError,
    EvaluationDataError,
    EvaluationModelError,
    MissingExtraError,
)
from numberline.evaluation.result import Evaluation, Table
from numberline.evaluation.settings import EvaluationConfig
from numberline.evaluation.task import TASKS, Progress
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors
from numberline.settings import from_settings, to_nested


def evaluate(
    model: TokenVectors,
    tasks: str | Iterable[str] | None = None,
    *,
    progress: Progress | None = None,
    **settings: Any,
) -> Evaluation:
    """Say how good the vectors of a model are.

    `model` is what nl.load or read_vectors gave; `tasks` are some of TASKS. Without any, all are
    done for which data, model and packages are there, but not speed and tagging, which train for
    minutes. What the others lacked is said in `left_out`; if tasks are named and none can be done,
    it is an error. Settings are those of EvaluationConfig.
    """
    config = from_settings(EvaluationConfig, settings)
    by_default = [name for name, task in TASKS.items() if task.by_default]
    asked = [tasks] if isinstance(tasks, str) else list(by_default if tasks is None else tasks)
    unknown = [name for name in asked if name not in TASKS]
    if unknown or not asked:
        raise ConfigError("tasks", unknown[0] if unknown else "", f"some of {', '.join(TASKS)}")
    tables: dict[str, list[Table]] = {}
    seconds: dict[str, float] = {}
    refused: dict[str, Exception] = {}
    for name in asked:
        start = time.monotonic()
        try:
            tables[name] = TASKS[name].evaluate(model, config, progress or ignore)
        except (EvaluationDataError, EvaluationModelError, MissingExtraError) as error:
            refused[name] = error
            continue
        seconds[name] = time.monotonic() - start
    if tasks is not None and not tables:
        raise next(iter(refused.values()))
    left_out = {name: str(error) for name, error in refused.items()}
    return Evaluation(describe_model(model), asdict(config), tables, seconds, left_out)


def describe_model(model: TokenVectors) -> dict[str, Any]:
    facts: dict[str, Any] = {"model": repr(model)}
    if isinstance(model, Embeddings):
        facts |= {"config": to_nested(model.config), "training": dict(model.training)}
    return facts


def ignore(what: str, share: float) -> None:
    """The progress that nobody looks at."""

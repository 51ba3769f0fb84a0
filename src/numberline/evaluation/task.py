"""The tasks: each is a module here with a function `evaluate(model, config, progress) → tables`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from numberline.errors import EvaluationModelError
from numberline.evaluation.result import Table
from numberline.evaluation.settings import EvaluationConfig
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors

Progress = Callable[[str, float], None]  # what is being done, and the share of the task that is


class Task(NamedTuple):
    module: str
    explanation: str
    by_default: bool = True  # False: only done when asked for by name

    def evaluate(
        self, model: TokenVectors, config: EvaluationConfig, progress: Progress
    ) -> list[Table]:
        module = import_module(f"numberline.evaluation.{self.module}")
        tables: list[Table] = module.evaluate(model, config, progress)
        return tables


TASKS = {
    "similarity": Task("similarity", "words that people find alike; analogies"),
    "prediction": Task("prediction", "numerals taken out of held-out text"),
    "magnitude-class": Task("magnitude_class", "how many digits the numeral of a title has"),
    "speed": Task("speed", "how fast every encoder trains on this machine", by_default=False),
    "magnitude": Task("magnitude", "numerals that are near on the number line"),
    "numeration": Task("numeration", "numerals and the words for them"),
    "probing": Task("probing", "what small networks read out of vectors of numerals"),
    "tagging": Task("tagging", "a tagger of quantities on frozen vectors", by_default=False),
}


def require_embeddings(model: TokenVectors, task: str) -> Embeddings:
    """Some tasks need both sides, and numerals."""
    if not isinstance(model, Embeddings):
        raise EvaluationModelError(f"{task} needs a model of numberline, with its output vectors")
    if model.numerals is None:
        raise EvaluationModelError(f"{task} needs a model that has learnt numerals")
    return model

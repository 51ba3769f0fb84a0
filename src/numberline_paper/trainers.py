"""Rows of the paper's tables → the functions that train their models.

numberline.train trains all built-in encoders. A package whose encoder needs another trainer names
it as an entry point of the group `numberline.trainers`, under the name of the encoder: a function
that takes what numberline.train takes, but no preset, and that knows no checkpoints to resume.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points

from numberline import api as pipeline
from numberline.model.embeddings import Embeddings
from numberline.numerals.registry import BUILT_IN

ENTRY_POINTS = "numberline.trainers"
Trainer = Callable[..., Embeddings]


def installed() -> dict[str, EntryPoint]:
    """Return entry points of installed packages by name; none is loaded."""
    return {one.name: one for one in entry_points(group=ENTRY_POINTS)}


def trained_encoders() -> list[str]:
    """Return names of encoders that some function trains, built-in ones first."""
    return [*BUILT_IN, *sorted(installed())]


def trainer_of(row: str) -> Trainer:
    """Return what trains a row; numberline.train goes on from a checkpoint that is there."""
    entry_point = installed().get(row)
    if entry_point is None:
        return partial(pipeline.train, resume=True)
    trainer: Trainer = entry_point.load()
    return trainer

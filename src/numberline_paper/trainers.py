"""Rows of the paper's tables → the functions that train their models."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numberline as nl
from numberline.numerals import BUILT_IN
from numberline_paper.lstm import Lstm

ENCODERS = (*BUILT_IN, Lstm.name)
Trainer = Callable[..., nl.Embeddings]


def trainer_of(row: str) -> Trainer:
    """Return what trains a row; numberline.train continues from a checkpoint that is there."""
    if row != Lstm.name:
        return partial(nl.train, resume=True)
    from numberline_paper.lstm.train import train_lstm

    return train_lstm

"""An encoded corpus and settings → trained tables, with checkpoints on the way."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from numberline.numerals.vectors import PrototypeVectors
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.checkpoint import Checkpoints, read_checkpoint, write_checkpoint
from numberline.training.cpu import CpuTrainer
from numberline.training.devices import trains_on_gpu
from numberline.training.gpu import GpuTrainer
from numberline.training.progress import TrainingCallback, diverged
from numberline.training.state import TrainingState
from numberline.training.tables import Tables, starting_tables


@dataclass(frozen=True, eq=False)
class Trained:
    tables: Tables
    numerals: PrototypeVectors | None  # None: the corpus holds no numerals
    facts: dict[str, Any]  # how training went


def fit_embeddings(
    corpus: EncodedCorpus,
    settings: Settings,
    checkpoints: Checkpoints,
    progress: TrainingCallback | None = None,
) -> Trained:
    """Train to the end. An interrupt leaves a checkpoint of all blocks trained so far."""
    start = first_state(corpus, settings, checkpoints)
    began = time.monotonic() - start.seconds
    trainer = new_trainer(corpus, start, settings)

    def state() -> TrainingState:
        tables, seconds = trainer.tables, time.monotonic() - began
        if not tables.are_finite:
            raise diverged(settings)
        return replace(start, tables=tables, next_block=trainer.next_block, seconds=seconds)

    def save_checkpoint() -> None:
        if checkpoints.writer is not None:
            write_checkpoint(state(), settings, corpus, checkpoints.writer)

    try:
        while not trainer.run(progress, checkpoints.seconds):
            save_checkpoint()
    except (KeyboardInterrupt, SystemExit):
        save_checkpoint()
        raise
    end = state()
    facts = {
        "tokens": trainer.schedule.tokens,
        "seconds": end.seconds,
        "loss": trainer.progress.loss,
        **trainer.machine,
    }
    return Trained(end.tables, end.numerals, facts)


def new_trainer(
    corpus: EncodedCorpus, state: TrainingState, settings: Settings
) -> CpuTrainer | GpuTrainer:
    kind = GpuTrainer if trains_on_gpu(settings, len(corpus.ids)) else CpuTrainer
    return kind(corpus, state, settings)


def first_state(
    corpus: EncodedCorpus, settings: Settings, checkpoints: Checkpoints
) -> TrainingState:
    if checkpoints.can_resume:
        assert checkpoints.writer is not None
        return read_checkpoint(checkpoints.writer.folder, settings, corpus)
    vocabulary, rng = corpus.vocabulary, np.random.default_rng(settings.seed)
    fitted = None
    if len(vocabulary.numeral_values):
        counts = vocabulary.numeral_counts.astype(np.float64)
        fitted = settings.encoder.fit(vocabulary.numeral_values, counts, rng)
    tables = starting_tables(len(vocabulary.words), fitted, settings.dim, rng)
    return TrainingState(tables, fitted)

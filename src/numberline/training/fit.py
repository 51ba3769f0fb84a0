"""An encoded corpus and settings → trained tables, with checkpoints on the way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.numerals.vectors import PrototypeVectors
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.checkpoint import (
    Checkpoints,
    TrainingState,
    numerals_of,
    read_checkpoint,
    write_checkpoint,
)
from numberline.training.cpu import CpuTrainer
from numberline.training.devices import trains_on_gpu
from numberline.training.divergence import diverged
from numberline.training.job import TrainingJob, rows_of
from numberline.training.progress import TrainingCallback
from numberline.training.tables import Tables, starting_tables

if TYPE_CHECKING:
    from numberline.training.cuda.trainer import CudaTrainer


@dataclass(frozen=True, eq=False)
class Trained:
    tables: Tables
    numerals: PrototypeVectors | None  # None: the corpus held no numerals
    facts: dict[str, Any]  # how it went


def fit_embeddings(
    corpus: EncodedCorpus,
    settings: Settings,
    checkpoints: Checkpoints,
    progress: TrainingCallback | None = None,
) -> Trained:
    """Train to the end. A stop from outside leaves a checkpoint of all that was done."""
    state = first_state(corpus, settings, checkpoints)
    began = time.monotonic() - state.seconds
    trainer = new_trainer(corpus, state, settings)

    def keep() -> None:
        if checkpoints.folder is not None:
            tables = finite(trainer, settings)
            spent = time.monotonic() - began
            now = TrainingState(tables, state.fitted, trainer.next_range, spent)
            write_checkpoint(now, settings, corpus, checkpoints.folder)

    try:
        while not trainer.run(progress, checkpoints.seconds):
            keep()
    except (KeyboardInterrupt, SystemExit):
        keep()
        raise
    tables = finite(trainer, settings)
    facts = {
        "tokens": trainer.schedule.tokens,
        "seconds": time.monotonic() - began,
        "loss": trainer.progress.loss,
        **trainer.machine,
    }
    return Trained(tables, numerals_of(tables, state.fitted), facts)


def new_trainer(
    corpus: EncodedCorpus, state: TrainingState, settings: Settings
) -> CpuTrainer | CudaTrainer:
    is_frozen = state.fitted is not None and state.fitted.is_frozen
    rows = rows_of(corpus, state.fitted)
    job = TrainingJob(corpus, state.tables, rows, is_frozen, settings)
    if trains_on_gpu(settings, len(corpus.ids)):
        from numberline.training.cuda.trainer import CudaTrainer

        return CudaTrainer(job, state.next_range)
    return CpuTrainer(job, settings.threads, state.next_range)


def first_state(
    corpus: EncodedCorpus, settings: Settings, checkpoints: Checkpoints
) -> TrainingState:
    if checkpoints.resume and checkpoints.folder is not None and checkpoints.is_there:
        return read_checkpoint(checkpoints.folder, settings, corpus)
    vocabulary, dim = corpus.vocabulary, settings.dim
    rng = np.random.default_rng(settings.seed)
    fitted = None
    if len(vocabulary.numeral_values):
        counts = vocabulary.numeral_counts.astype(np.float64)
        fitted = settings.encoder.fit(vocabulary.numeral_values, counts, rng)
    return TrainingState(starting_tables(len(vocabulary.words), fitted, dim, rng), fitted, 0, 0.0)


def finite(trainer: CpuTrainer | CudaTrainer, settings: Settings) -> Tables:
    """Return what has been learnt, unless training has diverged."""
    tables = trainer.tables
    if not tables.are_finite:
        raise diverged(settings)
    return tables

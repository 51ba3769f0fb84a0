"""An encoded corpus and settings → trained tables, with checkpoints on the way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.config import TrainConfig
from numberline.encoders.base import LinearEncoder, NumeralEncoder
from numberline.encoders.registry import fit_encoder
from numberline.encoders.weights import DenseWeights
from numberline.numerals.rows import SparseRows, rows_of_table
from numberline.text.encoded import EncodedCorpus
from numberline.training.checkpoint import (
    Checkpoints,
    TrainingState,
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


class OldEncoder:
    """For the time being: an encoder of encoders/ as training wants it."""

    def __init__(self, encoder: Any) -> None:
        self.encoder = encoder
        self.is_frozen = not encoder.is_trained

    @property
    def size(self) -> int:
        return int(self.encoder.basis_size)

    def weights(self, values: Any, side: str = "input") -> SparseRows:
        found = self.encoder.prepare(values, side)
        if isinstance(found, DenseWeights):
            return rows_of_table(found.table)
        return SparseRows(found.offsets.astype(np.int64), found.columns.astype(np.int32), found.shares.astype(np.float32), self.size)

    def starting_tables(self, dim: int, rng: np.random.Generator) -> Any:
        self.encoder.start(dim, rng)
        return self.encoder.bases["input"], self.encoder.bases["output"]


@dataclass(frozen=True, eq=False)
class Trained:
    tables: Tables
    encoder: NumeralEncoder | None  # None: the corpus held no numerals
    facts: dict[str, Any]  # how it went


def fit_embeddings(
    corpus: EncodedCorpus,
    config: TrainConfig,
    checkpoints: Checkpoints,
    progress: TrainingCallback | None = None,
) -> Trained:
    """Train to the end. A stop from outside leaves a checkpoint of all that was done."""
    state = first_state(corpus, config, checkpoints)
    began = time.monotonic() - state.seconds
    trainer = new_trainer(corpus, state, config)

    def keep() -> None:
        if checkpoints.folder is not None:
            tables = finite(trainer, config)
            spent = time.monotonic() - began
            now = TrainingState(tables, state.encoder, trainer.next_range, spent)
            write_checkpoint(now, config.model, corpus, checkpoints.folder)

    try:
        while not trainer.run(progress, checkpoints.seconds):
            keep()
    except (KeyboardInterrupt, SystemExit):
        keep()
        raise
    tables = finite(trainer, config)
    if state.encoder is not None:
        state.encoder.encoder.bases = {"input": tables.prototype_input.copy(), "output": tables.prototype_output.copy()}
        state.encoder.encoder.settle(tables.word_input, tables.word_output)
    facts = {
        "tokens": trainer.schedule.tokens,
        "seconds": time.monotonic() - began,
        "loss": trainer.progress.loss,
        **trainer.machine,
    }
    return Trained(tables, state.encoder and state.encoder.encoder, facts)


def new_trainer(
    corpus: EncodedCorpus, state: TrainingState, config: TrainConfig
) -> CpuTrainer | CudaTrainer:
    training = config.model.training
    is_frozen = state.encoder is not None and state.encoder.is_frozen
    rows = rows_of(corpus, state.encoder)
    job = TrainingJob(corpus, state.tables, rows, is_frozen, training, config.model.random.seed)
    if trains_on_gpu(config, len(corpus.ids)):
        from numberline.training.cuda.trainer import CudaTrainer

        return CudaTrainer(job, state.next_range)
    return CpuTrainer(job, config.machine.threads, state.next_range)


def first_state(
    corpus: EncodedCorpus, config: TrainConfig, checkpoints: Checkpoints
) -> TrainingState:
    if checkpoints.resume and checkpoints.folder is not None and checkpoints.is_there:
        return read_checkpoint(checkpoints.folder, config.model, corpus)
    vocabulary, dim = corpus.vocabulary, config.model.training.dim
    rng = np.random.default_rng(config.model.random.seed)
    encoder = None
    if len(vocabulary.numeral_values):
        counts = vocabulary.numeral_counts.astype(np.float64)
        fitted = fit_encoder(config.model.encoder, vocabulary.numeral_values, counts, rng)
        assert isinstance(fitted, LinearEncoder)
        encoder = OldEncoder(fitted)
    return TrainingState(starting_tables(len(vocabulary.words), encoder, dim, rng), encoder, 0, 0.0)


def finite(trainer: CpuTrainer | CudaTrainer, config: TrainConfig) -> Tables:
    """Return what has been learnt, unless training has diverged."""
    tables = trainer.tables
    if not tables.are_finite:
        raise diverged(config.model.training)
    return tables

"""An encoded corpus and settings → trained vectors, with checkpoints on the way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.config import TrainConfig
from numberline.encoders.base import NumeralEncoder
from numberline.encoders.registry import fit_encoder
from numberline.text.encoded import EncodedCorpus
from numberline.training.checkpoint import (
    Checkpoints,
    TrainingState,
    read_checkpoint,
    write_checkpoint,
)
from numberline.training.devices import trains_on_gpu
from numberline.training.progress import TrainingCallback
from numberline.training.tables import WordTables, starting_tables
from numberline.training.trainer import Trainer, diverged

if TYPE_CHECKING:
    from numberline.training.cuda.trainer import CudaTrainer


@dataclass(frozen=True, eq=False)
class Trained:
    tables: WordTables
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
            tables, encoder = finite(trainer, config)
            spent = time.monotonic() - began
            now = TrainingState(tables, encoder, trainer.next_block, spent)
            write_checkpoint(now, config.model, corpus, checkpoints.folder)

    try:
        while not trainer.run(progress, checkpoints.seconds):
            keep()
    except (KeyboardInterrupt, SystemExit):
        keep()
        raise
    tables, encoder = finite(trainer, config)
    if encoder is not None:
        encoder.settle(tables.input, tables.output)
    facts = {
        "tokens": trainer.schedule.tokens,
        "seconds": time.monotonic() - began,
        "loss": trainer.progress.loss,
        **trainer.machine,
    }
    return Trained(tables, encoder, facts)


def new_trainer(
    corpus: EncodedCorpus, state: TrainingState, config: TrainConfig
) -> Trainer | CudaTrainer:
    rest = (state.encoder, state.tables, config.model.training, config.model.random.seed)
    if trains_on_gpu(config, len(corpus.ids)):
        from numberline.training.cuda.trainer import CudaTrainer

        return CudaTrainer(corpus, *rest, state.next_block)
    return Trainer(corpus, *rest, config.machine.threads, state.next_block)


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
        encoder = fit_encoder(config.model.encoder, vocabulary.numeral_values, counts, rng)
        encoder.start(dim, rng)
    return TrainingState(starting_tables(len(vocabulary.words), dim, rng), encoder, 0, 0.0)


def finite(
    trainer: Trainer | CudaTrainer, config: TrainConfig
) -> tuple[WordTables, NumeralEncoder | None]:
    """What has been learnt. A sum is finite only if all numbers are: that is how it is checked."""
    tables, encoder = trainer.tables, trainer.encoder
    arrays = [tables.padded_input, tables.padded_output]
    if encoder is not None:
        arrays += [array for array in encoder.state().values() if array.dtype.kind == "f"]
    with np.errstate(over="ignore", invalid="ignore"):
        if not all(np.isfinite(array.sum(dtype=np.float64)) for array in arrays):
            raise diverged(config.model.training)
    return tables, encoder

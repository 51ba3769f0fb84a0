"""An encoded corpus and settings → trained vectors, with checkpoints on the way."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from numberline.config import TrainConfig
from numberline.encoders.base import NumeralEncoder
from numberline.encoders.registry import fit_encoder
from numberline.kernels import require_native
from numberline.text.encoded import EncodedCorpus
from numberline.training.checkpoint import (
    Checkpoints,
    TrainingState,
    read_checkpoint,
    write_checkpoint,
)
from numberline.training.progress import TrainingCallback
from numberline.training.tables import WordTables, starting_tables
from numberline.training.trainer import Trainer, diverged


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
    trainer = Trainer(
        corpus,
        state.encoder,
        state.tables,
        config.model.training,
        config.model.random.seed,
        config.machine.threads,
        state.next_block,
    )

    def keep() -> None:
        if checkpoints.folder is not None:
            require_finite(trainer, config)
            spent = time.monotonic() - began
            now = TrainingState(trainer.tables, trainer.encoder, trainer.next_block, spent)
            write_checkpoint(now, config.model, corpus, checkpoints.folder)

    try:
        while not trainer.run(progress, checkpoints.seconds):
            keep()
    except (KeyboardInterrupt, SystemExit):
        keep()
        raise
    require_finite(trainer, config)
    facts = {
        "tokens": trainer.schedule.tokens,
        "seconds": time.monotonic() - began,
        "loss": trainer.progress.loss,
        "threads": config.machine.threads,
        "instruction_set": require_native().instruction_set(),
    }
    return Trained(trainer.tables, trainer.encoder, facts)


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


def require_finite(trainer: Trainer, config: TrainConfig) -> None:
    """A sum is finite only if all numbers are; nothing is copied to find out."""
    arrays = [trainer.tables.padded_input, trainer.tables.padded_output]
    if trainer.encoder is not None:
        arrays += [array for array in trainer.encoder.state().values() if array.dtype.kind == "f"]
    with np.errstate(over="ignore", invalid="ignore"):
        if not all(np.isfinite(array.sum(dtype=np.float64)) for array in arrays):
            raise diverged(config.model.training)

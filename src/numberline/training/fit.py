"""An encoded corpus and settings → trained tables, with checkpoints on the way."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from numberline.errors import NumberlineWarning, OutputError
from numberline.numerals.kinds import NO_KINDS, fit_kinds
from numberline.reading.encoded import EncodedCorpus
from numberline.reading.kinds import KINDS
from numberline.settings import Settings
from numberline.training.checkpoint import Checkpoints, read_checkpoint, write_checkpoint
from numberline.training.cpu import CpuTrainer
from numberline.training.devices import trains_on_gpu
from numberline.training.gpu import GpuTrainer
from numberline.training.progress import TrainingCallback, TrainingProgress, diverged
from numberline.training.state import TrainingState
from numberline.training.tables import starting_tables


@dataclass(frozen=True, eq=False)
class Trained:
    state: TrainingState
    facts: dict[str, Any]  # how training went
    progress: TrainingProgress  # at its end


def fit_embeddings(
    corpus: EncodedCorpus,
    settings: Settings,
    checkpoints: Checkpoints,
    progress: TrainingCallback | None = None,
) -> Trained:
    """Train to the end. An interrupt leaves a checkpoint of all blocks trained so far.

    A checkpoint that cannot be written is a warning: the one before it stays.
    """
    start = first_state(corpus, settings, checkpoints)
    began = time.monotonic() - start.seconds
    trainer = new_trainer(corpus, start, settings)

    def state() -> TrainingState:
        tables, seconds = trainer.tables, time.monotonic() - began
        if not tables.are_finite:
            raise diverged(settings)
        return replace(start, tables=tables, next_block=trainer.next_block, seconds=seconds)

    def save_checkpoint(what_follows: str) -> None:
        if checkpoints.writer is None:
            return
        try:
            write_checkpoint(state(), settings, corpus, checkpoints.writer)
        except (OutputError, MemoryError) as error:
            reason = str(error) or "out of memory"
            tokens = f"{trainer.progress.tokens:,} tokens"
            message = f"no checkpoint after {tokens}: {reason}; {what_follows}"
            warnings.warn(message, NumberlineWarning, stacklevel=3)

    try:
        while not trainer.run(progress, checkpoints.seconds):
            save_checkpoint("training goes on")
    except (KeyboardInterrupt, SystemExit):
        save_checkpoint("the training since the last one is lost")
        raise
    end = state()
    facts = {
        "tokens": trainer.schedule.tokens,
        "seconds": end.seconds,
        "loss": trainer.progress.loss,
        **trainer.machine,
    }
    return Trained(end, facts, trainer.progress)


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
    fitted, kinds = None, NO_KINDS
    if len(vocabulary.numerals):
        counts = vocabulary.numeral_counts.astype(np.float64)
        fitted = settings.encoder.fit(vocabulary.numeral_values, counts, rng)
        if settings.kinds and not fitted.is_frozen:
            pairs, named_or_not = vocabulary.numerals, max(len(KINDS), len(vocabulary.kind_counts))
            occurrences = pairs.counts.astype(np.float64)
            kinds = fit_kinds(fitted, pairs.values, pairs.kinds, occurrences, named_or_not)
    tables = starting_tables(len(vocabulary.words), fitted, settings.dim, rng, kinds)
    return TrainingState(tables, fitted, kinds=kinds)

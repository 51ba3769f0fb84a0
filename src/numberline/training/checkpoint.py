"""The state of a training ↔ a folder beside the future model folder."""

from __future__ import annotations

import math
import warnings
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from numberline.arrays import Array
from numberline.errors import NumberlineError, NumberlineWarning, OutputError, TrainingError
from numberline.files.store import Format, damaged, read_store, write_store
from numberline.files.whole_folder import FolderWriter
from numberline.numerals.base import FittedEncoder
from numberline.numerals.kinds import NO_KINDS, KindRows
from numberline.numerals.vectors import (
    NumeralVectors,
    PrototypeVectors,
    named_state,
    state_within,
)
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings, saved_settings
from numberline.training.schedule import Schedule
from numberline.training.state import TrainingState
from numberline.training.tables import Tables, tables_of

CHECKPOINT = Format("checkpoint", 3)
CHECKPOINT_SECONDS = 600.0  # between two checkpoints: a crash costs no more
SAMPLED_IDS = 1 << 20  # in a fingerprint, about


@dataclass(frozen=True)
class Checkpoints:
    """The folder that keeps the state while training runs, and how often it is written."""

    writer: FolderWriter | None  # None: no state is kept
    seconds: float  # between two checkpoints
    resume: bool  # continue from an existing checkpoint

    @property
    def can_resume(self) -> bool:
        return self.resume and self.writer is not None and self.writer.target.exists()

    def remove(self) -> None:
        if self.writer is not None:
            self.writer.discard()

    def keep(self, state: TrainingState, settings: Settings, corpus: EncodedCorpus) -> None:
        """Keep the state of a finished training whose next step was interrupted or failed.

        If it cannot be written, that is a warning: the error goes on.
        """
        if self.writer is None:
            return
        try:
            write_checkpoint(state, settings, corpus, self.writer)
        except (OutputError, MemoryError) as error:
            reason = str(error) or "out of memory"
            message = f"no checkpoint of the finished training: {reason}"
            warnings.warn(message, NumberlineWarning, stacklevel=3)

    def kept(
        self, state: TrainingState, settings: Settings, corpus: EncodedCorpus, error: OutputError
    ) -> OutputError:
        """Keep the state of a finished training whose model cannot be saved; say where it is."""
        assert self.writer is not None
        try:
            write_checkpoint(state, settings, corpus, self.writer)
        except OutputError:
            return error
        return OutputError(
            f"{error}; the finished training is kept in {self.writer.folder}: remove the obstacle "
            "and resume"
        )


NO_CHECKPOINTS = Checkpoints(None, float("inf"), resume=False)


@contextmanager
def checkpoints_beside(model_folder: Path, resume: bool, overwrite: bool) -> Iterator[Checkpoints]:
    """Yield the checkpoints of a model's training; no other training can write them meanwhile."""
    folder = model_folder.with_name(f"{model_folder.name}.checkpoint")
    kind = replace(CHECKPOINT.kind, advice="resume its training, or overwrite it")
    with FolderWriter(folder, kind, overwrite=resume or overwrite) as writer:
        yield Checkpoints(writer, CHECKPOINT_SECONDS, resume)


def write_checkpoint(
    state: TrainingState, settings: Settings, corpus: EncodedCorpus, writer: FolderWriter
) -> None:
    header = {
        "settings": saved_settings(settings),
        "corpus": fingerprint(corpus),
        "next_block": state.next_block,
        "seconds": state.seconds,
    }
    arrays = {
        "word_input": state.tables.word_input,
        "word_output": state.tables.word_output,
        **named_state(state.numerals),
    }
    with writer.replace() as new_folder:
        write_store(new_folder, CHECKPOINT, header, arrays)


def read_checkpoint(folder: Path, settings: Settings, corpus: EncodedCorpus) -> TrainingState:
    """Return the saved state; refuse one of another corpus or with other settings."""
    header, arrays = read_store(folder, CHECKPOINT)
    if header.get("settings") != saved_settings(settings):
        raise TrainingError(f"{folder} was made with other settings; use those, or start anew")
    if header.get("corpus") != fingerprint(corpus):
        raise TrainingError(f"{folder} was made from another corpus; use that, or start anew")
    try:
        state = state_within(arrays)
        numerals = settings.encoder.vectors_from_state(state) if state else None
        tables, fitted, kinds = tables_of_checkpoint(arrays, numerals)
        Schedule(corpus, settings).require_next(header["next_block"])
        seconds = float(header["seconds"])
        if not 0 <= seconds < math.inf:
            raise ValueError(f"seconds is {seconds}, but must be a number from 0 on")
        return TrainingState(tables, fitted, header["next_block"], seconds, kinds)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, NumberlineError):
            raise
        raise damaged(folder, error) from error


def tables_of_checkpoint(
    arrays: Mapping[str, Array], numerals: NumeralVectors | None
) -> tuple[Tables, FittedEncoder | None, KindRows]:
    words = arrays["word_input"], arrays["word_output"]
    if numerals is None:
        no_rows = np.zeros((0, words[0].shape[1]), np.float32)
        return tables_of(words, (no_rows, no_rows)), None, NO_KINDS
    assert isinstance(numerals, PrototypeVectors), "only prototypes are trained"
    tables = tables_of(words, (numerals.input, numerals.output))
    return tables, numerals.fitted, numerals.kinds


def fingerprint(corpus: EncodedCorpus) -> int:
    """Return a checksum of the words, the counts and a sample of the ids."""
    vocabulary = corpus.vocabulary
    total = zlib.crc32("\0".join(vocabulary.words).encode())
    step = max(1, len(corpus.ids) // SAMPLED_IDS)
    for part in (
        vocabulary.word_counts,
        vocabulary.numerals.values,
        vocabulary.numerals.kinds,
        vocabulary.numerals.counts,
        np.array([len(corpus.ids), len(corpus)], np.int64),
        corpus.ids[::step],
    ):
        total = zlib.crc32(np.ascontiguousarray(part).tobytes(), total)
    return total

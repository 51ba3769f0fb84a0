"""The state of a training ↔ a folder beside the one that the model will have."""

from __future__ import annotations

import shutil
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from numberline.config import CheckpointConfig, ModelConfig
from numberline.encoders.base import NumeralEncoder
from numberline.encoders.named_state import named_state, state_within
from numberline.encoders.registry import encoder_from_state
from numberline.errors import OutputError, StoreError, TrainingError
from numberline.folders import replace_folder
from numberline.store import Format, read_store, write_store
from numberline.text.encoded import EncodedCorpus
from numberline.training.tables import WordTables, padded

CHECKPOINT = Format("checkpoint", 1)
SAMPLED_IDS = 1 << 20  # ids that go into a fingerprint; the counts of all do too


@dataclass(frozen=True, eq=False)
class TrainingState:
    """All that training changes. What is drawn at random depends on the place in the text alone."""

    tables: WordTables
    encoder: NumeralEncoder | None
    next_block: int
    seconds: float  # spent so far


@dataclass(frozen=True)
class Checkpoints:
    """Where the state is kept while training runs, and how often."""

    folder: Path | None  # None: nowhere
    seconds: float  # between two
    resume: bool  # go on from what is there

    @staticmethod
    def beside(model_folder: Path | None, config: CheckpointConfig, resume: bool) -> Checkpoints:
        if model_folder is None or not config.checkpoint_minutes:
            return Checkpoints(None, float("inf"), resume=False)
        folder = model_folder.with_name(f"{model_folder.name}.checkpoint")
        return Checkpoints(folder, 60 * config.checkpoint_minutes, resume)

    @property
    def is_there(self) -> bool:
        return self.folder is not None and self.folder.exists()

    def require_free(self, overwrite: bool) -> None:
        """Refuse to lose the work of a training that was stopped."""
        if self.is_there and not self.resume and not overwrite:
            raise OutputError(f"{self.folder} is there: resume that training, or overwrite it")

    def remove(self) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def write_checkpoint(
    state: TrainingState, config: ModelConfig, corpus: EncodedCorpus, folder: Path
) -> None:
    header = {
        "config": asdict(config),
        "corpus": fingerprint(corpus),
        "next_block": state.next_block,
        "seconds": state.seconds,
    }
    arrays = {
        "word_input": state.tables.input,
        "word_output": state.tables.output,
        **named_state(state.encoder),
    }
    with replace_folder(folder) as unfinished:
        write_store(unfinished, CHECKPOINT, header, arrays)


def read_checkpoint(folder: Path, config: ModelConfig, corpus: EncodedCorpus) -> TrainingState:
    """The state that was written; refused if it belongs to another text or other settings."""
    header, arrays = read_store(folder, CHECKPOINT)
    if header.get("config") != asdict(config):
        raise TrainingError(f"{folder} was made with other settings; give those, or start anew")
    if header.get("corpus") != fingerprint(corpus):
        raise TrainingError(f"{folder} was made from another corpus; give that, or start anew")
    try:
        state = {name: np.array(array) for name, array in state_within(arrays).items()}
        dim = config.training.dim
        return TrainingState(
            WordTables(dim, padded(arrays["word_input"]), padded(arrays["word_output"])),
            encoder_from_state(config.encoder, state) if state else None,
            int(header["next_block"]),
            float(header["seconds"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"{folder} is damaged: {error!r}") from error


def fingerprint(corpus: EncodedCorpus) -> int:
    vocabulary = corpus.vocabulary
    total = zlib.crc32("\0".join(vocabulary.words).encode())
    step = max(1, len(corpus.ids) // SAMPLED_IDS)
    for part in (
        vocabulary.word_counts,
        vocabulary.numeral_values,
        vocabulary.numeral_counts,
        np.array([len(corpus.ids), len(corpus)], np.int64),
        corpus.ids[::step],
    ):
        total = zlib.crc32(np.ascontiguousarray(part).tobytes(), total)
    return total

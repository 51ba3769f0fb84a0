"""A corpus and settings → a model whose numerals are read by LSTMs, perhaps saved in a folder."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

import numberline
from numberline.api import encoded_corpus
from numberline.errors import ConfigError, TrainingError
from numberline.files.whole_folder import free_folder
from numberline.model.embeddings import Embeddings
from numberline.model.folder import is_model
from numberline.reading.corpus import CorpusSource
from numberline.reading.encoded import EncodedCorpus
from numberline.reading.indexing import Progress
from numberline.settings import (
    CorpusConfig,
    DeviceConfig,
    MachineConfig,
    ModelConfig,
    from_settings,
)
from numberline.tagging.threads import one_thread
from numberline.training.progress import TrainingCallback
from numberline_paper.lstm.encoder import Lstm
from numberline_paper.lstm.fit import LstmTrainer


@dataclass(frozen=True)
class LstmTrainConfig:
    """All that turns a corpus into a model: a TrainConfig without checkpoints."""

    corpus: CorpusConfig = CorpusConfig()
    machine: MachineConfig = MachineConfig()
    model: ModelConfig = ModelConfig()
    device: DeviceConfig = DeviceConfig()


def train_lstm(
    corpus: CorpusSource | EncodedCorpus,
    folder: str | Path | None = None,
    *,
    overwrite: bool = False,
    progress: TrainingCallback | None = None,
    reading: Progress | None = None,
    **settings: Any,
) -> Embeddings:
    """Learn vectors of words, and two LSTMs that give numerals theirs, from a corpus.

    Arguments and settings are those of numberline.train, but for presets and checkpoints: what is
    stopped has to begin anew. `device` is "cpu", "cuda" or "auto", a GPU where torch finds one.
    On a CPU one thread trains; `threads` read the text.
    """
    config = from_settings(LstmTrainConfig, {"encoder": Lstm(), **settings})
    if not isinstance(config.model.encoder, Lstm):
        needed = "lstm: numberline.train trains the others"
        raise ConfigError("encoder", str(config.model.encoder), needed)
    device = torch_device(config.device.device)
    target = None
    if folder is not None:
        target = free_folder(Path(folder), "model", is_model, overwrite)
    encoded = encoded_corpus(corpus, settings, settings, reading)
    made_by = replace(config.model, text=encoded.text_config, vocabulary=encoded.vocabulary_config)
    model = fit(encoded, made_by, device, progress)
    if target is not None:
        model.save(target)
    return model


def fit(
    corpus: EncodedCorpus,
    config: ModelConfig,
    device: str,
    progress: TrainingCallback | None,
) -> Embeddings:
    """Train on an encoded corpus; return the model, with the facts of its training."""
    began = time.monotonic()
    trainer = LstmTrainer(corpus, config.training, config.random.seed, device)
    machine: dict[str, Any] = {"threads": 1}
    if device == "cuda":
        machine = {"gpu": torch.cuda.get_device_name()}
        trainer.progress.gpu = machine["gpu"]
    # With 300 dimensions a second thread trains a third faster, with 100 it waits for the first.
    with one_thread():
        trainer.run(progress)
    facts = {
        "tokens": trainer.schedule.tokens,
        "seconds": time.monotonic() - began,
        "loss": trainer.progress.loss,
        **machine,
        "numberline": numberline.__version__,
    }
    words = trainer.tables.word_input, trainer.tables.word_output
    return Embeddings(corpus.vocabulary, *words, trainer.numerals, config, facts)


def torch_device(asked: str) -> str:
    """Return cpu or cuda; a GPU that is asked for and not there is an error."""
    is_there = torch.cuda.is_available()
    if asked == "cuda" and not is_there:
        raise TrainingError("device='cuda', but torch finds no GPU on this machine")
    return "cuda" if is_there and asked != "cpu" else "cpu"

"""A corpus and settings → a model whose numerals are read by LSTMs, perhaps saved in a folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import torch

import numberline
from numberline.api import encode_once
from numberline.errors import ConfigError, TrainingError
from numberline.fields import made_of
from numberline.files.whole_folder import free_folder
from numberline.model.embeddings import Embeddings
from numberline.model.folder import is_model
from numberline.reading.corpus import CorpusSource
from numberline.reading.counting import Progress
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.tagging.threads import one_thread
from numberline.training.progress import TrainingCallback
from numberline_paper.lstm.encoder import Lstm
from numberline_paper.lstm.fit import LstmTrainer


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
    chosen = made_of(Settings, {"encoder": Lstm(), **settings})
    if not isinstance(chosen.encoder, Lstm):
        needed = "lstm: numberline.train trains the others"
        raise ConfigError("encoder", str(chosen.encoder), needed)
    device = torch_device(chosen.device)
    target = None
    if folder is not None:
        target = free_folder(Path(folder), "model", is_model, overwrite)
    encoded = encode_once(corpus, settings, settings, reading)
    model = fit(encoded, chosen.reading_as(encoded.settings), device, progress)
    if target is not None:
        model.save(target)
    return model


def fit(
    corpus: EncodedCorpus,
    settings: Settings,
    device: str,
    progress: TrainingCallback | None,
) -> Embeddings:
    """Train on an encoded corpus; return the model, with the facts of its training."""
    began = time.monotonic()
    trainer = LstmTrainer(corpus, settings, device)
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
    return Embeddings(corpus.vocabulary, *words, trainer.numerals, settings, facts)


def torch_device(asked: str) -> str:
    """Return cpu or cuda; a GPU that is asked for and not there is an error."""
    is_there = torch.cuda.is_available()
    if asked == "cuda" and not is_there:
        raise TrainingError("device='cuda', but torch finds no GPU on this machine")
    return "cuda" if is_there and asked != "cpu" else "cpu"

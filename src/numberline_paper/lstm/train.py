"""A corpus and settings → a model whose numerals are read by LSTMs, perhaps saved in a folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numberline as nl
from numberline.api import encode_once
from numberline.errors import ConfigError, MissingExtraError, TrainingError
from numberline.fields import made_of
from numberline.files import require_free
from numberline.model import MODEL
from numberline.reading import CorpusSource
from numberline.settings import Settings
from numberline.training import TrainingCallback
from numberline_paper.lstm.encoder import Lstm

try:
    import torch
except ImportError as error:
    raise MissingExtraError("torch", "torch", error) from error

from numberline.integrations import seeded_torch
from numberline_paper.lstm.trainer import LstmTrainer


def train_lstm(
    corpus: CorpusSource | nl.EncodedCorpus,
    folder: str | Path | None = None,
    *,
    overwrite: bool = False,
    progress: TrainingCallback | None = None,
    reading: Callable[[int, int | None], None] | None = None,
    **settings: Any,
) -> nl.Embeddings:
    """Learn vectors of words, and two LSTMs that compose those of numerals, from a corpus.

    Arguments and settings are those of numberline.train, except presets and checkpoints: a training
    that was stopped begins anew. `device` is "cpu", "cuda" or "auto", a GPU where torch finds one.
    On a CPU one thread trains; `threads` read the text.
    """
    chosen = made_of(Settings, {"encoder": Lstm(), **settings})
    if not isinstance(chosen.encoder, Lstm):
        needed = "lstm: numberline.train trains the others"
        raise ConfigError("encoder", str(chosen.encoder), needed)
    device = torch_device(chosen.device)
    if folder is not None:
        require_free(Path(folder), MODEL.kind, overwrite)
    encoded = encode_once(corpus, settings, settings, reading).without_kinds()
    model = fit(encoded, chosen.reading_as(encoded.settings), device, progress)
    if folder is not None:
        model.save(folder, overwrite)
    return model


def fit(
    corpus: nl.EncodedCorpus,
    settings: Settings,
    device: str,
    progress: TrainingCallback | None,
) -> nl.Embeddings:
    """Train on an encoded corpus; return the model, with the facts of its training."""
    began = time.monotonic()
    trainer = LstmTrainer(corpus, settings, device)
    machine: dict[str, Any] = {"threads": 1}
    if device == "cuda":
        machine = {"gpu": torch.cuda.get_device_name()}
        trainer.progress.gpu = machine["gpu"]
    # With 300 dimensions a second thread trains a third faster, with 100 it waits for the first.
    with seeded_torch(settings.seed):
        trainer.run(progress)
    facts = {
        "tokens": trainer.schedule.tokens,
        "seconds": time.monotonic() - began,
        "loss": trainer.progress.loss,
        **machine,
        "numberline": nl.__version__,
    }
    return nl.Embeddings(corpus.vocabulary, *trainer.words, trainer.numerals, settings, facts)


def torch_device(device: str) -> str:
    """Return "cpu" or "cuda"; refuse "cuda" where torch finds no GPU."""
    is_there = torch.cuda.is_available()
    if device == "cuda" and not is_there:
        raise TrainingError("device='cuda', but torch finds no GPU on this machine")
    return "cuda" if is_there and device != "cpu" else "cpu"

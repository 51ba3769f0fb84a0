"""A tagger ↔ its folder: numberline.json and model.safetensors (store.py), and its model inside.

TAGGER/numberline.json     settings, labels, how training went
TAGGER/model.safetensors   the network
TAGGER/embeddings/         the model, as it would be saved alone
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np

from numberline.errors import MissingExtraError, NumberlineError, StoreError
from numberline.fields import made_of
from numberline.files.store import Format, holds, read_store, write_store
from numberline.files.whole_folder import replace_folder
from numberline.model import folder as model_folder
from numberline.model.embeddings import Embeddings
from numberline.tagging.settings import TaggerSettings

try:
    import torch
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

from numberline.tagging.network import TaggingNetwork
from numberline.tagging.tagger import Tagger

TAGGER = Format("tagger", 1)
EMBEDDINGS = "embeddings"


def save(tagger: Tagger, model: Embeddings, folder: Path) -> None:
    header = {
        "settings": asdict(tagger.settings),
        "labels": tagger.labels,
        "training": dict(tagger.training),
    }
    state = tagger.network.state_dict()
    arrays = {name: tensor.numpy() for name, tensor in state.items()}
    with replace_folder(folder) as unfinished:
        write_store(unfinished, TAGGER, header, arrays)
        model_folder.save(model, unfinished / EMBEDDINGS)


def load(folder: str | Path) -> Tagger:
    """The tagger in a folder, with its model."""
    header, arrays = read_store(Path(folder), TAGGER)
    model = model_folder.load(Path(folder) / EMBEDDINGS)
    try:
        settings = made_of(TaggerSettings, header["settings"])
        labels = [str(label) for label in header["labels"]]
        network = TaggingNetwork(model.dim, len(labels), settings)
        network.load_state_dict(
            {name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
        )
        facts = dict(header["training"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        if isinstance(error, NumberlineError):
            raise
        raise StoreError(f"{folder} is damaged: its parts do not fit") from error
    network.eval()
    return Tagger(model, labels, network, settings, facts)


def is_tagger(folder: Path) -> bool:
    return holds(folder, TAGGER)

"""A tagger, with its model ↔ its folder: numberline.json and model.safetensors (files/store.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np

from numberline.arrays import Array
from numberline.errors import NumberlineError, StoreError
from numberline.fields import made_of
from numberline.files.store import Format, read_store, write_store
from numberline.files.whole_folder import replace_folder
from numberline.integrations.with_torch import torch
from numberline.model.embeddings import Embeddings
from numberline.model.folder import is_finite, model_arrays, model_header, stored_model
from numberline.tagging.network import TaggingNetwork
from numberline.tagging.settings import TaggerSettings
from numberline.tagging.tagger import Tagger

TAGGER = Format("tagger", 2)
MODEL_PREFIX = "model."  # marks the arrays of the model among those of a tagger


def save_tagger(tagger: Tagger, model: Embeddings, folder: Path, overwrite: bool) -> None:
    """Write the folder, whole or not at all."""
    header = {
        "settings": asdict(tagger.settings),
        "labels": tagger.labels,
        "training": dict(tagger.training),
        "model": model_header(model),
    }
    state = tagger.network.state_dict()
    network = {name: tensor.numpy() for name, tensor in state.items()}
    embeddings = {MODEL_PREFIX + name: array for name, array in model_arrays(model).items()}
    with replace_folder(folder, TAGGER.kind, overwrite) as new_folder:
        write_store(new_folder, TAGGER, header, network | embeddings)


def load_tagger(folder: str | Path) -> Tagger:
    """Return the tagger in a folder, with its model."""
    header, arrays = read_store(Path(folder), TAGGER)
    try:
        model = stored_model(folder, header["model"], arrays_of_model(arrays))
        settings = made_of(TaggerSettings, header["settings"])
        labels = stored_labels(header["labels"])
        with torch.device("meta"):  # takes no memory: settings may be hostile
            network = TaggingNetwork(model.dim, len(labels), settings)
        state = {name: one for name, one in arrays.items() if not name.startswith(MODEL_PREFIX)}
        if any(array.dtype != np.float32 for array in state.values()):
            raise ValueError("its network holds other numbers than float32")
        if not is_finite(state):
            raise ValueError("its network holds numbers that are not finite")
        tensors = {name: torch.from_numpy(np.array(array)) for name, array in state.items()}
        network.load_state_dict(tensors, assign=True)
        facts = dict(header["training"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        if isinstance(error, NumberlineError):
            raise
        raise StoreError(f"{folder} is damaged: its parts do not fit") from error
    network.eval()
    return Tagger(model, labels, network, settings, facts)


def arrays_of_model(arrays: Mapping[str, Array]) -> dict[str, Array]:
    return {
        name.removeprefix(MODEL_PREFIX): array
        for name, array in arrays.items()
        if name.startswith(MODEL_PREFIX)
    }


def stored_labels(labels: object) -> list[str]:
    """Return labels that are unique, non-empty strings."""
    if not isinstance(labels, list) or not all(isinstance(one, str) and one for one in labels):
        raise ValueError("its labels are no strings")
    if len(set(labels)) < len(labels):
        raise ValueError("its labels are not unique")
    return labels


def is_tagger(folder: Path) -> bool:
    return TAGGER.is_in(folder)

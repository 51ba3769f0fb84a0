"""A model ↔ its folder: numberline.json and model.safetensors (files/store.py)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np

from numberline.errors import NumberlineError, StoreError
from numberline.fields import made_of
from numberline.files.store import Format, holds, read_store, write_store
from numberline.files.whole_folder import replace_folder
from numberline.model.embeddings import Embeddings
from numberline.numerals.vectors import is_named_state, named_state, state_within
from numberline.reading.vocabulary import CorpusTotals, Vocabulary
from numberline.settings import Settings, saved_settings

MODEL = Format("model", 1)
TABLES = ("word_input", "word_output")
COUNTS = ("word_counts", "numeral_values", "numeral_counts")


def save(model: Embeddings, folder: Path) -> None:
    """Write the model folder, whole or not at all; it replaces one that is there."""
    vocabulary = model.vocabulary
    header = {
        "settings": saved_settings(model.settings),
        "totals": asdict(vocabulary.totals),
        "training": dict(model.training),
        "words": vocabulary.words,
    }
    arrays = {
        "word_input": model.word_input,
        "word_output": model.word_output,
        "word_counts": vocabulary.word_counts,
        "numeral_values": vocabulary.numeral_values,
        "numeral_counts": vocabulary.numeral_counts,
        **named_state(model.numerals),
    }
    with replace_folder(folder) as unfinished:
        write_store(unfinished, MODEL, header, arrays)


def load(folder: str | Path, verify: bool = True) -> Embeddings:
    """Load a model from its folder; vectors stay on disk until used.

    `verify` reads everything once, to find damage.
    """
    header, arrays = read_store(Path(folder), MODEL, verify)
    refuse_other_arrays(folder, arrays)
    try:
        settings = made_of(Settings, header["settings"])
        counts = {name: np.asarray(arrays[name]) for name in COUNTS}
        vocabulary = Vocabulary(header["words"], **counts, totals=CorpusTotals(**header["totals"]))
        state = state_within(arrays)
        model = Embeddings(
            vocabulary,
            arrays["word_input"],
            arrays["word_output"],
            settings.encoder.vectors_from_state(state) if state else None,
            settings,
            header["training"],
        )
        is_whole = is_consistent(model)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, NumberlineError):
            raise
        raise StoreError(f"{folder} is damaged: {error!r}") from error
    if not is_whole:
        raise StoreError(f"{folder} is damaged: its parts do not fit")
    return model


def refuse_other_arrays(folder: str | Path, arrays: Iterable[str]) -> None:
    """Refuse arrays that no model has; those of its numerals are checked by its encoder."""
    others = [
        name for name in arrays if name not in (*TABLES, *COUNTS) and not is_named_state(name)
    ]
    if others:
        raise StoreError(
            f"{folder} holds arrays that no model has: {', '.join(sorted(others))}; "
            "use the numberline that wrote it"
        )


def is_model(folder: Path) -> bool:
    """Tell whether a folder holds a model."""
    return holds(folder, MODEL)


def is_consistent(model: Embeddings) -> bool:
    """Tell whether the shapes of a model's arrays agree."""
    words, dim = len(model.words), model.settings.dim
    return (
        model.word_input.shape == model.word_output.shape == (words, dim)
        and len(model.vocabulary.word_counts) == words
        and len(model.vocabulary.numeral_values) == len(model.vocabulary.numeral_counts)
        and (model.numerals is None or model.numerals.vectors([1.0]).shape == (1, dim))
    )

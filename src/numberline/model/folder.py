"""A model ↔ its folder: numberline.json and model.safetensors (files/store.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from numberline.arrays import Array
from numberline.errors import NumberlineError, StoreError
from numberline.fields import made_of
from numberline.files.store import Format, damaged, read_store, write_store
from numberline.files.whole_folder import replace_folder
from numberline.gap_model import gap_model_from_state, is_gap_state
from numberline.model.compact import compact_rows, expanded_rows
from numberline.model.embeddings import Embeddings
from numberline.model.installed import model_folder
from numberline.numerals.vectors import is_named_state, named_state, state_within
from numberline.reading import stored_vocabulary
from numberline.senses import SENSE_NEIGHBOURS, is_sense_state, mixture_from_state
from numberline.settings import Settings, saved_settings

MODEL = Format("model", 3)
TABLES = ("word_input", "word_output")
COMPACTED = frozenset({*TABLES, SENSE_NEIGHBOURS})  # in compact folders
SCALES = "_scales"  # ends the names of the scales of a compact table's rows
ROWS_AT_A_TIME = 1 << 14  # checked together, so that a mapped table is never copied whole


def save(model: Embeddings, folder: Path, overwrite: bool = False, compact: bool = False) -> None:
    """Write the model folder, whole or not at all."""
    with replace_folder(folder, MODEL.kind, overwrite) as new:
        write(model, new, compact)


def write(model: Embeddings, new_folder: Path, compact: bool = False) -> None:
    """Write the files of a model into a new folder."""
    write_store(new_folder, MODEL, model_header(model), model_arrays(model, compact))


def model_header(model: Embeddings) -> dict[str, Any]:
    return {
        "settings": saved_settings(model.settings),
        "totals": stored_vocabulary.totals_header(model.vocabulary),
        "training": dict(model.training),
    }


def model_arrays(model: Embeddings, compact: bool = False) -> dict[str, Array]:
    arrays = {
        **{name: getattr(model, name) for name in TABLES},
        **stored_vocabulary.vocabulary_arrays(model.vocabulary),
        **named_state(model.numerals),
        **(model.gap_model.state() if model.gap_model else {}),
        **(model.sense_mixture.state() if model.sense_mixture else {}),
    }
    return compacted(arrays) if compact else arrays


def compacted(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return the arrays with integers and the scale of each row in place of the largest tables."""
    found = dict(arrays)
    for name in COMPACTED & arrays.keys():
        found[name], found[name + SCALES] = compact_rows(arrays[name])
    return found


def expanded(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return the arrays that `compacted` was given, rounded; others stay as they are."""
    found = dict(arrays)
    for name in COMPACTED & arrays.keys():
        if (scales := found.pop(name + SCALES, None)) is not None:
            found[name] = expanded_rows(arrays[name], scales)
    return found


def load(model: str | Path, verify: bool = True) -> Embeddings:
    """Load a model from its folder, or an installed one by its name, such as "en".

    Vectors stay on disk until they are used, unless they are compact. `verify` reads everything
    once, to find damage.
    """
    folder = model_folder(model)
    header, arrays = read_store(folder, MODEL, verify)
    return stored_model(folder, header, arrays, verify)


def stored_model(
    folder: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Array], verify: bool = True
) -> Embeddings:
    """Return the model of a header and arrays; errors name the folder that they come from."""
    try:
        arrays = expanded(arrays)
        refuse_other_arrays(folder, arrays)
        settings = made_of(Settings, header["settings"])
        vocabulary = stored_vocabulary.stored_vocabulary(header["totals"], arrays)
        state = state_within(arrays)
        model = Embeddings(
            vocabulary,
            arrays["word_input"],
            arrays["word_output"],
            settings.encoder.vectors_from_state(state) if state else None,
            settings,
            dict(header["training"]),
            gap_model_from_state(arrays, settings.dim),
            mixture_from_state(arrays, len(vocabulary.words)),
        )
        is_whole = is_consistent(model) and (not verify or is_finite(arrays))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, NumberlineError):
            raise
        raise damaged(folder, error) from error
    if not is_whole:
        raise StoreError(f"{folder} is damaged: its parts do not fit")
    return model


def refuse_other_arrays(folder: str | Path, arrays: Iterable[str]) -> None:
    """Refuse arrays that no model has; those of its numerals are checked by its encoder."""
    known = (*TABLES, *stored_vocabulary.TYPES)
    others = [
        name
        for name in arrays
        if name not in known
        and not any(is_one(name) for is_one in (is_named_state, is_gap_state, is_sense_state))
    ]
    if others:
        raise StoreError(
            f"{folder} holds arrays that no model has: {', '.join(sorted(others))}; "
            "use the numberline that wrote it"
        )


def is_model(folder: Path) -> bool:
    """Tell whether a folder holds a model."""
    return MODEL.is_in(folder)


def is_consistent(model: Embeddings) -> bool:
    """Tell whether the types and shapes of a model's arrays agree."""
    words, dim = len(model.words), model.settings.dim
    return (
        model.word_input.shape == model.word_output.shape == (words, dim)
        and model.word_input.dtype == model.word_output.dtype == np.float32
        and (model.numerals is None or model.numerals.vectors([1.0]).shape == (1, dim))
        and (model.numerals is not None or not len(model.vocabulary.numeral_values))
    )


def is_finite(arrays: Mapping[str, Array]) -> bool:
    """Tell whether all arrays hold finite numbers only."""
    return all(
        np.isfinite(array[first : first + ROWS_AT_A_TIME]).all()
        for array in arrays.values()
        if array.dtype.kind == "f"
        for first in range(0, len(array), ROWS_AT_A_TIME)
    )

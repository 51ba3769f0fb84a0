"""A model or its folder, and texts as callers pass them → a model and a list of strings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from numberline.errors import InputError, describe
from numberline.model.embeddings import Embeddings
from numberline.model.folder import load


def as_model(model: Embeddings | str | Path) -> Embeddings:
    """Return a model as it is, or load it from its folder."""
    if isinstance(model, Embeddings):
        return model
    if isinstance(model, str | Path):
        return load(model)
    raise InputError(f"a model or the path of its folder is needed, not {describe(model)}")


def as_numeral_model(model: Embeddings | str | Path) -> Embeddings:
    """Return a model that has learnt numerals; refuse one that has not."""
    loaded = as_model(model)
    if loaded.numerals is None:
        raise InputError("the model has learnt no numerals, as its corpus held none")
    return loaded


def as_texts(texts: Iterable[str]) -> list[str]:
    """Return a list, column or array of strings as a list; one string alone is refused."""
    if isinstance(texts, str | bytes):
        raise InputError(f"a list of texts is needed, not one text; put {texts!r:.40} in a list")
    if getattr(texts, "ndim", 1) != 1:
        shape = tuple(getattr(texts, "shape", ()))
        raise InputError(
            f"a column of texts is needed, not a table of shape {shape}; choose one by its name"
        )
    try:
        listed: list[Any] = list(texts)
    except TypeError:
        raise InputError(f"a list of texts is needed, not {describe(texts)}") from None
    for index, text in enumerate(listed):
        if not isinstance(text, str):
            raise InputError(f"text {index} is {describe(text)}, but a string is needed")
    if not listed:
        raise InputError("the list of texts is empty; at least one is needed")
    return listed

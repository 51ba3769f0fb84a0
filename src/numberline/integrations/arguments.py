"""What callers give → a model and a list of texts, or an error that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from numberline.errors import InputError, describe
from numberline.kernels import native
from numberline.model.embeddings import Embeddings
from numberline.model.folder import load
from numberline.reading import scanner
from numberline.reading.tokens import Token


def as_model(model: Embeddings | str | Path) -> Embeddings:
    """A model as it is, or the one in a model folder."""
    if isinstance(model, Embeddings):
        return model
    if isinstance(model, str | Path):
        return load(model)
    raise InputError(f"a model or the path of its folder is needed, not {describe(model)}")


def as_numeral_model(model: Embeddings | str | Path) -> Embeddings:
    """A model that has learnt numerals."""
    found = as_model(model)
    if found.numerals is None:
        raise InputError("the model knows no numerals, for its corpus held none; train on others")
    return found


def as_texts(texts: Iterable[str]) -> list[str]:
    """A list, a column or an array of strings; one string alone is a mistake too often."""
    if isinstance(texts, str | bytes):
        raise InputError(f"a list of texts is needed, not one text; put {texts!r:.40} in a list")
    if getattr(texts, "ndim", 1) != 1:
        shape = tuple(getattr(texts, "shape", ()))
        raise InputError(
            f"a row of texts is needed, not a table of shape {shape}; choose one column by its name"
        )
    try:
        listed: list[Any] = list(texts)
    except TypeError:
        raise InputError(f"a list of texts is needed, not {describe(texts)}") from None
    for place, text in enumerate(listed):
        if not isinstance(text, str):
            raise InputError(f"text {place} is {describe(text)}, but a string is needed")
    if not listed:
        raise InputError("no texts came; at least one is needed")
    return listed


def tokens_of(text: str, model: Embeddings) -> list[Token]:
    """The text as the model's corpus was read."""
    if native() is None:
        return scanner.tokenize(text, model.settings)
    from numberline.reading.native import tokenize

    return tokenize(text, model.settings)

"""Any sentence encoder, and a model → text vectors that also tell numbers apart.

The vector of a text is [√(1-w) · text ; √w · numerals], with both parts of length 1, and then
itself brought to length 1. For two texts with numerals the cosine is

    (1-w) · cosine of the texts + w · similarity of their numerals.

A text without numerals has zeros there: two such texts compare as the encoder alone compares them,
and one with a text that has numerals by √(1-w) times that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import InputError, describe
from numberline.integrations.arguments import as_numeral_model, as_texts, tokens_of
from numberline.integrations.magnitude import SIZE, magnitude_vectors
from numberline.model.arguments import as_share
from numberline.model.embeddings import Embeddings
from numberline.model.neighbours import unit


class NumberAwareEncoder:
    """Encodes texts with `encode_fn`, and their numerals with `model`.

    - encode_fn: a list of texts → an array, one row each (SentenceTransformer.encode, for example)
    - model: an Embeddings, or the path of a model folder
    - weight: how much numerals count in the cosine, from 0 to 1
    - magnitude: the share of that which compares values by their size alone; the rest compares what
      the model has learnt about them
    """

    def __init__(
        self,
        encode_fn: Callable[[list[str]], Any],
        model: Embeddings | str | Path,
        weight: float = 0.3,  # more begins to bring texts together that share only a number
        magnitude: float = 0.5,  # magnitude alone does as well, but the weight matters more then
    ) -> None:
        if not callable(encode_fn):
            raise InputError(f"encode_fn must be a function of texts, not {describe(encode_fn)}")
        self.encode_fn = encode_fn
        self.model = as_numeral_model(model)
        self.weight = as_share("weight", weight)
        self.magnitude = as_share("magnitude", magnitude)

    def encode(self, texts: Iterable[str]) -> Array:
        """One row per text, of length 1, so that a product of two rows is their cosine."""
        listed = as_texts(texts)
        said = unit(as_rows(self.encode_fn(listed), len(listed)))
        parts = [np.sqrt(1 - self.weight) * said, np.sqrt(self.weight) * self.numerals(listed)]
        return unit(np.concatenate(parts, axis=1))

    __call__ = encode

    def numerals(self, texts: Iterable[str]) -> Array:
        """The numeral part alone: one row per text, of length 1, or of zeros without numerals."""
        listed = as_texts(texts)
        rows = np.zeros((len(listed), self.model.dim + SIZE), np.float32)
        for row, text in zip(rows, listed, strict=True):
            values = [t.value for t in tokens_of(text, self.model) if t.value is not None]
            if values:
                row[:] = self._pooled(np.array(values))
        return rows

    def _pooled(self, values: Floats) -> Array:
        """Several numerals count alike, in any order: each part is the mean of unit vectors."""
        learnt = unit(self._learnt(values).mean(axis=0)) * np.sqrt(1 - self.magnitude)
        size = unit(magnitude_vectors(values).mean(axis=0)) * np.sqrt(self.magnitude)
        return unit(np.concatenate([learnt, size]))

    def _learnt(self, values: Floats) -> Array:
        """The model's vectors less what all numerals share, which would make all of them alike."""
        return unit(unit(self.model.numeral_vectors(values)) - self._shared)

    @cached_property
    def _shared(self) -> Array:
        vocabulary = self.model.vocabulary
        rows = unit(self.model.numeral_vectors(vocabulary.numeral_values))
        shared: Array = np.average(rows, axis=0, weights=vocabulary.numeral_counts)
        return shared


def as_rows(encoded: Any, count: int) -> Array:
    """What an encoder gave, as a table with one row of finite numbers per text."""
    dense = encoded.toarray() if hasattr(encoded, "toarray") else encoded
    try:
        rows = np.asarray(dense, np.float32)
    except (TypeError, ValueError):
        raise InputError(f"encode_fn gave {describe(encoded)}, not a table of numbers") from None
    if rows.ndim != 2 or len(rows) != count:
        raise InputError(
            f"encode_fn gave an array of shape {rows.shape} for {count} texts; "
            "it must give one row for each"
        )
    if not np.isfinite(rows).all():
        raise InputError("encode_fn gave numbers that are not finite")
    return rows

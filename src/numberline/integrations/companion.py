"""A sentence encoder and a model → vectors of texts that also tell numbers apart.

The vector of a text is [√(1-w) · text ; √w · numerals], both parts of length 1, scaled to length 1.
For two texts with numerals the cosine is

    (1-w) · cosine of the texts + w · similarity of their numerals.

The numeral part of a text without numerals is zero: two such texts compare as the encoder alone
compares them, and one of them with a text that has numerals scores √(1-w) times that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import InputError, describe
from numberline.fields import as_fraction
from numberline.integrations.arguments import as_numeral_model, as_texts
from numberline.model.embeddings import Embeddings
from numberline.model.neighbours import unit
from numberline.numerals.squash import squash

SCALE = 0.25  # on the squashed line. The cosine of 100 is .93 with 110, .26 with 150, .03 with 200
CIRCLES = 32
_FREQUENCIES = np.array(
    [NormalDist().inv_cdf((1 + (index + 0.5) / CIRCLES) / 2) / SCALE for index in range(CIRCLES)]
)


class NumberAwareEncoder:
    """Encodes texts with `encode_fn`, and their numerals with `model`.

    - encode_fn: a function from a list of texts to an array with one row each, such as
      SentenceTransformer.encode
    - model: an Embeddings, or the path of a model folder
    - weight: how much numerals count in the cosine, from 0 to 1
    - magnitude: the fraction of that weight which compares values by their size alone; the rest
      compares what the model has learnt about them
    """

    def __init__(
        self,
        encode_fn: Callable[[list[str]], Any],
        model: Embeddings | str | Path,
        weight: float = 0.3,  # above it, texts are near that share only a number
        magnitude: float = 0.5,  # 1 scores as well, but depends more on the weight
    ) -> None:
        if not callable(encode_fn):
            raise InputError(f"encode_fn must be a function of texts, not {describe(encode_fn)}")
        self.encode_fn = encode_fn
        self.model = as_numeral_model(model)
        self.weight = as_fraction("weight", weight)
        self.magnitude = as_fraction("magnitude", magnitude)

    def encode(self, texts: Iterable[str]) -> Array:
        """Return one row per text, of length 1, so that the product of two rows is their cosine."""
        listed = as_texts(texts)
        rows = unit(as_rows(self.encode_fn(listed), len(listed)))
        parts = [np.sqrt(1 - self.weight) * rows, np.sqrt(self.weight) * self.numerals(listed)]
        return unit(np.concatenate(parts, axis=1))

    __call__ = encode

    def numerals(self, texts: Iterable[str]) -> Array:
        """Return the numeral part alone: rows of length 1, or of zeros for texts without any."""
        listed = as_texts(texts)
        rows = np.zeros((len(listed), self.model.dim + 2 * CIRCLES), np.float32)
        for row, text in zip(rows, listed, strict=True):
            values = self.model.lookup.read_text(text).numerals
            if len(values):
                row[:] = self._pooled(values)
        return rows

    def _pooled(self, values: Floats) -> Array:
        """Return one row for several numerals, in any order: each part is a mean of unit rows."""
        learnt = unit(self._learnt(values).mean(axis=0)) * np.sqrt(1 - self.magnitude)
        size = unit(magnitude_vectors(values).mean(axis=0)) * np.sqrt(self.magnitude)
        return unit(np.concatenate([learnt, size]))

    def _learnt(self, values: Floats) -> Array:
        """Return the model's vectors less the mean numeral, which would make all of them alike."""
        return unit(unit(self.model.numeral_vectors(values)) - self._mean_numeral)

    @cached_property
    def _mean_numeral(self) -> Array:
        vocabulary = self.model.vocabulary
        rows = unit(self.model.numeral_vectors(vocabulary.numeral_values))
        mean: Array = np.average(rows, axis=0, weights=vocabulary.numeral_counts)
        return mean


def magnitude_vectors(values: Floats) -> Floats:
    """Return vectors of length 1 whose cosine says how near values are on the squashed line.

    A value is a position on each circle, as cosine and sine. The cosine of two values at distance d
    is nearly the bell curve exp(-(d / SCALE)² / 2): frequencies are quantiles of a normal
    distribution, over which the mean of cos(frequency · d) is that curve. 32 circles come within
    0.14 of it at any distance up to a factor of ten million.
    """
    angles = squash(values)[:, None] * _FREQUENCIES
    rows: Floats = np.concatenate([np.cos(angles), np.sin(angles)], axis=1) / np.sqrt(CIRCLES)
    return rows


def as_rows(encoded: Any, count: int) -> Array:
    """Return the result of an encoder as a table of finite numbers with one row per text."""
    dense = encoded.toarray() if hasattr(encoded, "toarray") else encoded
    try:
        rows = np.asarray(dense, np.float32)
    except (TypeError, ValueError):
        raise InputError(f"encode_fn returned {describe(encoded)}, not rows of numbers") from None
    if rows.ndim != 2 or len(rows) != count:
        raise InputError(
            f"encode_fn returned an array of shape {rows.shape} for {count} texts; "
            "it must return one row for each"
        )
    if not np.isfinite(rows).all():
        raise InputError("encode_fn returned numbers that are not finite")
    return rows

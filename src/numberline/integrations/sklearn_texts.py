"""Texts → one vector each: the mean of their tokens' vectors, plain or weighted by idf."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import numpy as np

from numberline.arrays import Array
from numberline.fields import one_of
from numberline.integrations.arguments import as_model, as_texts
from numberline.integrations.sklearn_base import ModelTransformer
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import TokenIds
from numberline.model.neighbours import unit

KnownToken = str | float  # a word of the model, or the value of a numeral
WEIGHTINGS = ("mean", "idf")


class NumberlineVectorizer(ModelTransformer):
    """Texts → vectors of the model's length; unknown words are left out.

    - model: an Embeddings, or the path of a model folder
    - weighting: "mean" counts all tokens alike, "idf" rare ones more: ln((1 + n) / (1 + d)) + 1
      for a word, or a number in any format, that is in d of the n texts seen by fit
    - normalize: scale vectors to length 1

    A text without a known token becomes a row of zeros.
    """

    def __init__(
        self, model: Embeddings | str | Path, *, weighting: str = "mean", normalize: bool = False
    ) -> None:
        self.model = model
        self.weighting = weighting
        self.normalize = normalize

    def fit(self, texts: Iterable[str], y: Any = None) -> Self:
        """Load the model and, for idf, count the texts that each token is in."""
        one_of(*WEIGHTINGS)("weighting", self.weighting)
        self.model_ = as_model(self.model)
        listed = as_texts(texts)
        if self.weighting == "idf":
            self.texts_seen_ = len(listed)
            self.texts_holding_ = Counter[KnownToken]()
            for text in listed:
                read = self.model_.lookup.read_text(text)
                self.texts_holding_.update(set(known_tokens(self.model_, read)))
        return self

    def transform(self, texts: Iterable[str]) -> Array:
        """Return one row per text."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        listed = as_texts(texts)
        rows = np.zeros((len(listed), self.model_.dim), np.float32)
        for row, text in zip(rows, listed, strict=True):
            read = self.model_.lookup.read_text(text)
            if read.is_known.any():
                weights = self._importance(read)
                row[:] = weights @ self.model_.rows(read)[read.is_known] / weights.sum()
        return unit(rows) if self.normalize else rows

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return numberline0, numberline1, …"""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return np.array([f"numberline{index}" for index in range(self.model_.dim)], object)

    def _importance(self, read: TokenIds) -> Array:
        """Return the weight of each known token."""
        if self.weighting == "mean":
            return np.ones(np.count_nonzero(read.is_known))
        tokens = known_tokens(self.model_, read)
        ratios = [(1 + self.texts_seen_) / (1 + self.texts_holding_[token]) for token in tokens]
        return np.array([math.log(ratio) + 1 for ratio in ratios])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def known_tokens(model: Embeddings, read: TokenIds) -> list[KnownToken]:
    """Return the words and the values of numerals that the model knows, in their order."""
    words, values = model.words, read.values.tolist()
    return [
        words[id] if id < len(words) else values[id - len(words)]
        for id in read.ids[read.is_known].tolist()
    ]

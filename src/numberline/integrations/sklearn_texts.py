"""Texts → one vector each: the mean of their tokens' vectors, plain or weighted by idf."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import numpy as np

from numberline.arrays import Array
from numberline.integrations.arguments import as_model, as_texts, tokens_of
from numberline.integrations.sklearn_base import ModelTransformer
from numberline.model.arguments import one_of
from numberline.model.embeddings import Embeddings
from numberline.model.neighbours import unit

Known = str | float  # a word of the model, or the value of a numeral
WEIGHTINGS = ("mean", "idf")


class NumberlineVectorizer(ModelTransformer):
    """Texts → vectors of the model's length; unknown words are left out.

    - model: an Embeddings, or the path of a model folder
    - weighting: "mean" counts all tokens alike, "idf" rare ones more: ln((1 + n) / (1 + d)) + 1,
      with d of the n texts given to fit holding the word, or a numeral of the same value
    - normalize: bring vectors to length 1

    A text without a known token becomes a row of zeros.
    """

    def __init__(
        self, model: Embeddings | str | Path, *, weighting: str = "mean", normalize: bool = False
    ) -> None:
        self.model = model
        self.weighting = weighting
        self.normalize = normalize

    def fit(self, texts: Iterable[str], y: Any = None) -> Self:
        one_of("weighting", self.weighting, WEIGHTINGS)
        self.model_ = as_model(self.model)
        listed = as_texts(texts)
        if self.weighting == "idf":
            self.texts_seen_ = len(listed)
            self.texts_holding_ = Counter[Known]()
            for text in listed:
                self.texts_holding_.update(set(known_tokens(text, self.model_)))
        return self

    def transform(self, texts: Iterable[str]) -> Array:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        counts = [Counter(known_tokens(text, self.model_)) for text in as_texts(texts)]
        distinct = list({token: None for count in counts for token in count})
        place = {token: at for at, token in enumerate(distinct)}
        vectors = self.model_.vectors(distinct)
        importance = self._importance(distinct)
        rows = np.zeros((len(counts), self.model_.dim), np.float32)
        for row, count in zip(rows, counts, strict=True):
            if count:
                at = [place[token] for token in count]
                weights = importance[at] * np.fromiter(count.values(), np.float64)
                row[:] = weights @ vectors[at] / weights.sum()
        return unit(rows) if self.normalize else rows

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return np.array([f"numberline{place}" for place in range(self.model_.dim)], object)

    def _importance(self, tokens: list[Known]) -> Array:
        if self.weighting == "mean":
            return np.ones(len(tokens))
        seen, holding = self.texts_seen_, self.texts_holding_
        return np.array([math.log((1 + seen) / (1 + holding[token])) + 1 for token in tokens])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def known_tokens(text: str, model: Embeddings) -> list[Known]:
    words, has_numerals = model.vocabulary.word_ids, model.numerals is not None
    return [
        token.text if token.value is None else token.value
        for token in tokens_of(text, model)
        if (token.text in words if token.value is None else has_numerals)
    ]

"""scikit-learn: texts or numbers → vectors, and texts → how much their numbers fit.

    NumberlineVectorizer   texts → vectors
    NumberChecker          texts → how many of their numbers look wrong
    NumeralEncoder         numbers → vectors

They are transformers that can be cloned, pickled and used in a Pipeline or a ColumnTransformer.
"""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import ConfigError, InputError, MissingExtraError, PrototypesError
from numberline.fields import one_of
from numberline.integrations.arguments import as_model, as_numeral_model, as_texts
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import TokenIds
from numberline.model.neighbours import unit
from numberline.numerals.base import Encoder, FittedEncoder
from numberline.numerals.line import Line
from numberline.numerals.notation import encoder_of
from numberline.settings import NumeralSettings

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise MissingExtraError("scikit-learn", "sklearn", error) from error

__all__ = ["NumberChecker", "NumberlineVectorizer", "NumeralEncoder"]

KnownToken = str | float  # a word of the model, or the value of a numeral
WEIGHTINGS = ("mean", "idf")


class ModelTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # sklearn has no types
    """A transformer whose clones have the same model, not a copy."""

    model: Any

    def __sklearn_clone__(self) -> Self:
        """Return an unfitted copy. The model is not copied: it never changes, and is large."""
        without_model = copy.copy(self)
        without_model.model = None
        clone: Self = BaseEstimator.__sklearn_clone__(without_model)
        clone.model = self.model
        return clone


class NumberlineVectorizer(ModelTransformer):
    """Texts → vectors of the model's length; unknown words are left out.

    - model: an Embeddings, or the path of a model folder
    - weighting: "mean" counts all tokens alike, "idf" rare ones more: ln((1 + n) / (1 + d)) + 1
      for a word, or a number in any format, that occurs in d of the n texts that fit saw
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
        """Load the model and, for idf, count the texts in which each token occurs."""
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
        return text_tags(super().__sklearn_tags__())


class NumberChecker(ModelTransformer):
    """Texts → columns that tell whether their numbers fit the words around them.

    - numbers: how many numerals the text has
    - odd_numbers: how many of them `model.check` calls odd
    - most_wrong: the largest probability that one of them is wrong; 0 without a numeral, or where
      nothing around one is known

    `model` is an Embeddings, or the path of a model folder.
    """

    def __init__(self, model: Embeddings | str | Path) -> None:
        self.model = model

    def fit(self, texts: Iterable[str], y: Any = None) -> Self:
        """Load the model; one that has learnt no numerals is refused."""
        self.model_ = as_numeral_model(self.model)
        return self

    def transform(self, texts: Iterable[str]) -> Array:
        """Return one row per text."""
        check_is_fitted(self)
        checked = self.model_.check_all(as_texts(texts))
        rows = np.zeros((len(checked), 3))
        for row, numerals in zip(rows, checked, strict=True):
            chances = np.nan_to_num([one.probability_wrong for one in numerals])
            row[:] = len(numerals), sum(one.is_odd for one in numerals), max(chances, default=0)
        return rows

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the three columns."""
        return np.array(["numbers", "odd_numbers", "most_wrong"], object)

    def __sklearn_tags__(self) -> Any:
        return text_tags(super().__sklearn_tags__())


def text_tags(tags: Any) -> Any:
    """Return scikit-learn's tags of a transformer, for one that takes texts."""
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


class NumeralEncoder(ModelTransformer):
    """Turns every column of numbers into several columns.

    - model: an Embeddings, or the path of a model folder: a number becomes its vector. None: each
      column is fitted with prototypes, and a number becomes its weights over them
    - encoder: without a model, an encoder such as Line(prototypes=20), or its name, as in
      "line:prototypes=20"; by default Line()
    - random_state: seed of the fit

    A missing number (NaN) becomes zeros. Without a model, encoders_ holds one fitted encoder per
    column.
    """

    model_: Embeddings | None  # None: encoders_ are used

    def __init__(
        self,
        model: Embeddings | str | Path | None = None,
        *,
        encoder: str | Encoder | None = None,
        random_state: Any = NumeralSettings.seed,
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  # scikit-learn's name
        """Load the model, or fit an encoder to each column."""
        table = self._table(X, reset=True)
        if self.model is None:
            self._fit_prototypes(table)
        else:
            self._take_model()
        return self

    def transform(self, X: Any) -> Array:  # noqa: N803
        """Return the vectors or weights of all columns, side by side."""
        check_is_fitted(self)
        table = self._table(X, reset=False)
        parts = [
            rows_of(column, width, encode)
            for column, width, encode in zip(table.T, self.widths_, self._encodings(), strict=True)
        ]
        return np.concatenate(parts, axis=1)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return height_0, height_1, … for a column named height; unnamed ones are x0, x1, …"""
        check_is_fitted(self)
        unnamed = [f"x{column}" for column in range(self.n_features_in_)]
        fitted = list(getattr(self, "feature_names_in_", unnamed))
        names = fitted if input_features is None else list(input_features)
        if len(names) != len(fitted) or (hasattr(self, "feature_names_in_") and names != fitted):
            raise InputError(f"input_features={names}, but fit saw the columns {fitted}")
        columns = zip(names, self.widths_, strict=True)
        return np.array([f"{name}_{i}" for name, width in columns for i in range(width)], object)

    def _table(self, X: Any, reset: bool) -> Floats:  # noqa: N803
        table: Floats = validate_data(
            self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        return table

    def _take_model(self) -> None:
        if self.encoder is not None:
            raise ConfigError("encoder", self.encoder, "left out: the model brings its encoder")
        self.model_ = as_numeral_model(self.model)
        self.widths_ = [self.model_.dim] * self.n_features_in_

    def _fit_prototypes(self, table: Floats) -> None:
        encoder = Line() if self.encoder is None else encoder_of(self.encoder)
        if encoder.fitted_class is None:
            raise ConfigError("encoder", self.encoder, "an encoder with weights, such as 'line'")
        self.model_ = None
        self.encoders_ = [
            self._fit_column(encoder, index, column) for index, column in enumerate(table.T)
        ]
        self.widths_ = [fitted.input_size for fitted in self.encoders_]

    def _fit_column(self, encoder: Encoder, index: int, column: Floats) -> FittedEncoder:
        values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        if not len(values):
            raise InputError(f"column {index} holds no number to fit prototypes to; drop it")
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        try:
            return encoder.fit(values, counts.astype(np.float64), rng)
        except PrototypesError:
            raise InputError(
                f"{encoder} has too many prototypes: column {index} holds {len(values)} distinct "
                f"numbers ({len(column)} samples); lower prototypes, or leave the setting out"
            ) from None

    def _encodings(self) -> list[Callable[[Floats], Array]]:
        """Return, for each column, the function that turns its numbers into rows."""
        if self.model_ is not None:
            return [self.model_.numeral_vectors] * self.n_features_in_
        return [partial(weights_of, fitted) for fitted in self.encoders_]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []  # vectors are in single precision
        return tags


def weights_of(fitted: FittedEncoder, values: Floats) -> Array:
    return fitted.weights(values).dense()[:, : fitted.input_size]


def rows_of(column: Floats, width: int, encode: Callable[[Floats], Array]) -> Array:
    """Return one row per number of a column; a missing number gets zeros."""
    rows = np.zeros((len(column), width), np.float32)
    is_number = ~np.isnan(column)
    if is_number.any():
        rows[is_number] = encode(column[is_number])
    return rows

"""Columns of numbers → vectors of a model, or weights of prototypes fitted to each column."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import ConfigError, InputError, PrototypesError
from numberline.integrations.arguments import as_numeral_model
from numberline.integrations.sklearn_base import ModelTransformer
from numberline.model.embeddings import Embeddings
from numberline.numerals.base import Encoder, FittedEncoder
from numberline.numerals.line import Line
from numberline.numerals.notation import encoder_of
from numberline.settings import NumeralSettings


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
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        table = self._table(X, reset=False)
        parts = [
            rows_of(column, width, encode)
            for column, width, encode in zip(table.T, self.widths_, self._encodings(), strict=True)
        ]
        return np.concatenate(parts, axis=1)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return height_0, height_1, … for a column height; unnamed columns are x0, x1, …"""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        unnamed = [f"x{column}" for column in range(self.n_features_in_)]
        fitted = list(getattr(self, "feature_names_in_", unnamed))
        names = fitted if input_features is None else list(input_features)
        if len(names) != len(fitted) or (hasattr(self, "feature_names_in_") and names != fitted):
            raise InputError(f"columns {names} were named, but fit has seen {fitted}")
        columns = zip(names, self.widths_, strict=True)
        return np.array([f"{name}_{i}" for name, width in columns for i in range(width)], object)

    def _table(self, X: Any, reset: bool) -> Floats:  # noqa: N803
        from sklearn.utils.validation import validate_data

        table: Floats = validate_data(
            self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        return table

    def _take_model(self) -> None:
        if self.encoder is not None:
            needed = "left out: the model has its encoder"
            raise ConfigError("encoder", self.encoder, needed)
        self.model_ = as_numeral_model(self.model)
        self.widths_ = [self.model_.dim] * self.n_features_in_

    def _fit_prototypes(self, table: Floats) -> None:
        encoder = Line() if self.encoder is None else encoder_of(self.encoder)
        if encoder.fitted_class is None:
            raise ConfigError("encoder", self.encoder, "another: this one has no weights")
        self.model_ = None
        self.encoders_ = [
            self._fit_column(encoder, index, column) for index, column in enumerate(table.T)
        ]
        self.widths_ = [fitted.input_size for fitted in self.encoders_]

    def _fit_column(self, encoder: Encoder, index: int, column: Floats) -> FittedEncoder:
        from sklearn.utils import check_random_state

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

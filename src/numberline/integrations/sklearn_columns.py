"""Columns of numbers → vectors of a model, or weights over prototypes fitted to the columns."""

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
    """Every column of numbers → several columns; those of all columns stand side by side.

    - model: an Embeddings, or the path of a model folder: a number becomes its vector. None: each
      column gets prototypes of its own, and a number becomes its weights over them
    - encoder: how, without a model; an encoder such as Line(prototypes=20), or its name, as in
      "line:prototypes=20"; by default Line()
    - random_state: where their fit starts

    A missing number (NaN) becomes zeros. Fitted: encoders_, one per column, without a model.
    """

    model_: Embeddings | None  # None: encoders_ are there

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
        table = self._table(X, reset=True)
        if self.model is None:
            self._fit_prototypes(table)
        else:
            self._take_model()
        return self

    def transform(self, X: Any) -> Array:  # noqa: N803
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        table = self._table(X, reset=False)
        parts = [
            rows_of(column, width, encode)
            for column, width, encode in zip(table.T, self.widths_, self._encodings(), strict=True)
        ]
        return np.concatenate(parts, axis=1)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """height_0, height_1, … for a column height; columns without a name are x0, x1, …"""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        names = [f"x{place}" for place in range(self.n_features_in_)]
        own = list(getattr(self, "feature_names_in_", names))
        asked = own if input_features is None else list(input_features)
        if len(asked) != len(own) or (hasattr(self, "feature_names_in_") and asked != own):
            raise InputError(f"columns {asked} were named, but fit has seen {own}")
        columns = zip(asked, self.widths_, strict=True)
        return np.array([f"{name}_{at}" for name, width in columns for at in range(width)], object)

    def _table(self, X: Any, reset: bool) -> Floats:  # noqa: N803
        from sklearn.utils.validation import validate_data

        table: Floats = validate_data(
            self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        return table

    def _take_model(self) -> None:
        if self.encoder is not None:
            needed = "left out: the model brings its own encoder"
            raise ConfigError("encoder", self.encoder, needed)
        self.model_ = as_numeral_model(self.model)
        self.widths_ = [self.model_.dim] * self.n_features_in_

    def _fit_prototypes(self, table: Floats) -> None:
        encoder = Line() if self.encoder is None else encoder_of(self.encoder)
        if encoder.fitted_class is None:
            raise ConfigError("encoder", self.encoder, "another: it has no weights")
        self.model_ = None
        self.encoders_ = [
            self._fitted(encoder, index, column) for index, column in enumerate(table.T)
        ]
        self.widths_ = [fitted.input_size for fitted in self.encoders_]

    def _fitted(self, encoder: Encoder, index: int, column: Floats) -> FittedEncoder:
        from sklearn.utils import check_random_state

        values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        if not len(values):
            raise InputError(f"column {index} holds no number to learn prototypes from; drop it")
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        try:
            return encoder.fit(values, counts.astype(np.float64), rng)
        except PrototypesError:
            raise InputError(
                f"{encoder} has too many prototypes: column {index} holds {len(values)} distinct "
                f"numbers ({len(column)} samples); lower prototypes, or leave them to the encoder"
            ) from None

    def _encodings(self) -> list[Callable[[Floats], Array]]:
        """For each column, how its numbers become rows."""
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
    rows = np.zeros((len(column), width), np.float32)
    is_there = ~np.isnan(column)
    if is_there.any():
        rows[is_there] = encode(column[is_there])
    return rows

"""Columns of numbers → vectors of a model, or weights over prototypes fitted to the columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from numberline.config import EncoderConfig, RandomConfig
from numberline.encoders.base import LinearEncoder
from numberline.encoders.registry import encoder_class, fit_encoder
from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array
from numberline.errors import ConfigError, InputError
from numberline.integrations.arguments import as_numeral_model
from numberline.integrations.sklearn_base import ModelTransformer
from numberline.model.embeddings import Embeddings

# Not the default of models: one set of soft bins is enough for any curve along the number line.
USUAL = EncoderConfig(encoder="piecewise")


class NumeralEncoder(ModelTransformer):
    """Every column of numbers → several columns; those of all columns stand side by side.

    - model: an Embeddings, or the path of a model folder: a number becomes its vector. None: each
      column gets prototypes of its own, and a number becomes its weights over them
    - encoder, prototypes, log: the prototypes, without a model; as in EncoderConfig
    - random_state: where their fit starts

    A missing number (NaN) becomes zeros. Fitted: encoders_, one per column, without a model.
    """

    model_: Embeddings | None  # None: encoders_ are there

    def __init__(
        self,
        model: Embeddings | str | Path | None = None,
        *,
        encoder: str = USUAL.encoder,
        prototypes: int | None = USUAL.prototypes,
        log: str = USUAL.log,
        random_state: Any = RandomConfig.seed,
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.prototypes = prototypes
        self.log = log
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
        for name in ("encoder", "prototypes", "log"):
            if getattr(self, name) != getattr(USUAL, name):
                needed = "left out: the model brings its own encoder"
                raise ConfigError(name, getattr(self, name), needed)
        self.model_ = as_numeral_model(self.model)
        self.widths_ = [self.model_.dim] * self.n_features_in_

    def _fit_prototypes(self, table: Floats) -> None:
        config = EncoderConfig(self.encoder, self.prototypes, self.log)
        if not issubclass(encoder_class(config.encoder), LinearEncoder):
            raise ConfigError("encoder", config.encoder, "another: it has no weights")
        self.model_ = None
        self.encoders_ = [
            self._fitted(config, place, column) for place, column in enumerate(table.T)
        ]
        self.widths_ = [encoder.basis_size for encoder in self.encoders_]

    def _fitted(self, config: EncoderConfig, place: int, column: Floats) -> LinearEncoder:
        from sklearn.utils import check_random_state

        values, counts = np.unique(column[~np.isnan(column)], return_counts=True)
        if not len(values):
            raise InputError(f"column {place} holds no number to learn prototypes from; drop it")
        if config.prototypes is not None and config.prototypes > len(values):
            raise InputError(
                f"prototypes={config.prototypes}, but column {place} holds {len(values)} distinct "
                f"numbers ({len(column)} samples); lower prototypes, or leave them to the encoder"
            )
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        encoder = fit_encoder(config, values, counts.astype(np.float64), rng)
        assert isinstance(encoder, LinearEncoder)
        return encoder

    def _encodings(self) -> list[Callable[[Floats], Array]]:
        """For each column, how its numbers become rows."""
        if self.model_ is not None:
            return [self.model_.numeral_vectors] * self.n_features_in_
        return [partial(weights_of, encoder) for encoder in self.encoders_]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []  # vectors are in single precision
        return tags


def weights_of(encoder: LinearEncoder, values: Floats) -> Array:
    """Those of output vectors, for which all prototypes are there."""
    return encoder.output_weights(values).dense()


def rows_of(column: Floats, width: int, encode: Callable[[Floats], Array]) -> Array:
    rows = np.zeros((len(column), width), np.float32)
    is_there = ~np.isnan(column)
    if is_there.any():
        rows[is_there] = encode(column[is_there])
    return rows

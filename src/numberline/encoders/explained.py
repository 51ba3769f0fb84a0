"""Numerals and an encoder → prototypes, and what share of the numerals each of them explains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.config import ENCODERS, EncoderConfig
from numberline.encoders.base import PrototypeEncoder
from numberline.encoders.registry import encoder_class, fit_encoder
from numberline.encoders.squash import Floats
from numberline.errors import ConfigError


@dataclass(frozen=True, eq=False)
class ExplainedPrototypes:
    values: Floats  # the prototypes as numbers, ascending, each once
    shares: Floats  # of all occurrences of numerals, one for each prototype; sum to 1
    numeral_values: Floats
    numeral_counts: Floats


def require_prototypes(config: EncoderConfig) -> None:
    """Refuse an encoder that has none, or cannot be, before any work is put into its numerals."""
    if not has_prototypes(config.encoder):
        able = ", ".join(name for name in ENCODERS if has_prototypes(name))
        raise ConfigError("encoder", config.encoder, f"one that has prototypes: {able}")
    encoder_class(config.encoder)(config)


def has_prototypes(name: str) -> bool:
    return issubclass(encoder_class(name), PrototypeEncoder)


def explain(
    config: EncoderConfig, values: Floats, counts: Floats, rng: np.random.Generator
) -> ExplainedPrototypes:
    require_prototypes(config)
    encoder = fit_encoder(config, values, counts, rng)
    assert isinstance(encoder, PrototypeEncoder)
    all_prototypes = encoder.prototype_values
    mass = encoder.weights(values).adjoint(counts[:, None])[: len(all_prototypes), 0]
    prototypes, shares = by_value(all_prototypes, mass / mass.sum())
    is_shown = np.isin(prototypes, encoder.shown_prototypes)
    return ExplainedPrototypes(prototypes[is_shown], shares[is_shown], values, counts)


def by_value(prototypes: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Each value once, ascending; what equal prototypes have is theirs together."""
    values, places = np.unique(prototypes, return_inverse=True)
    return values, np.bincount(places, shares, len(values)).astype(np.float64)

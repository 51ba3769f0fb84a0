"""The name of an encoder → the encoder itself, fitted to numerals or read from its state."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import numpy as np

from numberline.config import EncoderConfig
from numberline.encoders.base import NumeralEncoder
from numberline.encoders.numbers import distinct_numerals
from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array
from numberline.errors import CorpusError


def encoder_class(name: str) -> type[NumeralEncoder]:
    """Imported when asked for: some need an optional package."""
    module = import_module(f"numberline.encoders.{name}")
    found: type[NumeralEncoder] = getattr(module, f"{name.capitalize()}Encoder")
    return found


def fit_encoder(
    config: EncoderConfig, values: Floats, counts: Floats, rng: np.random.Generator
) -> NumeralEncoder:
    """The encoder that a config names, fitted to values, in any order, and their counts."""
    encoder = encoder_class(config.encoder)(config)
    values, counts = distinct_numerals(values, counts)
    if not len(values):
        raise CorpusError("no numerals to learn prototypes from")
    return encoder.fit(values, counts, rng)


def encoder_from_state(config: EncoderConfig, state: Mapping[str, Array]) -> NumeralEncoder:
    return encoder_class(config.encoder).from_state(config, state)

"""The name of an encoder → the encoder itself, fitted to numerals or read from its state."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TypeVar

import numpy as np

from numberline.config import ADDED_ENCODERS, ENCODERS, EncoderConfig
from numberline.encoders.base import NumeralEncoder
from numberline.encoders.numbers import distinct_numerals
from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array
from numberline.errors import ConfigError, CorpusError

Encoder = TypeVar("Encoder", bound=type[NumeralEncoder])


def register(encoder: Encoder) -> Encoder:
    """Make an encoder of your own known by its name; a decorator of its class.

    A model that was trained with it can be loaded wherever the class has been registered: a model
    folder never says what to import. Registering a name again replaces the class, as running a
    cell of a notebook again does; the names of numberline's own encoders are taken.
    """
    name = getattr(encoder, "name", None)
    if not isinstance(name, str) or not name or name in ENCODERS:
        raise ConfigError("name", name, f"a string, and none of {', '.join(ENCODERS)}")
    ADDED_ENCODERS[name] = encoder
    return encoder


def encoder_class(name: str) -> type[NumeralEncoder]:
    """Imported when asked for: some need an optional package."""
    if name in ADDED_ENCODERS:
        return ADDED_ENCODERS[name]
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

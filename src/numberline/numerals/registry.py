"""The name of an encoder → its class.

An encoder is built in, registered by the process, or an entry point `numberline.encoders` of an
installed package. Nothing else is ever imported: a model folder holds only a name.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TypeVar

from numberline.errors import ConfigError
from numberline.extras import plugins
from numberline.numerals.base import Encoder
from numberline.numerals.fixed import Fixed
from numberline.numerals.fourier import Fourier
from numberline.numerals.gmm import Gmm
from numberline.numerals.line import Line
from numberline.numerals.som import Som
from numberline.numerals.token import NumeralTokens

BUILT_IN: dict[str, type[Encoder]] = {
    kind.name: kind for kind in (Line, Som, Gmm, Fourier, NumeralTokens, Fixed)
}
ENTRY_POINTS = "numberline.encoders"
registered: dict[str, type[Encoder]] = {}  # filled by `register`

EncoderClass = TypeVar("EncoderClass", bound=type[Encoder])


def register(encoder: EncoderClass) -> EncoderClass:
    """Decorate the class of a new encoder, so that its name stands for it in this process.

    Registering a name again replaces the class, as when a notebook cell is run again.
    """
    name = getattr(encoder, "name", None)
    if not isinstance(name, str) or not name or ":" in name or name in BUILT_IN:
        raise ConfigError("name", name, f"a string without ':', other than {', '.join(BUILT_IN)}")
    registered[name] = encoder
    return encoder


def encoder_class(name: str) -> type[Encoder]:
    if kind := BUILT_IN.get(name) or registered.get(name):
        return kind
    if (entry_point := plugins(ENTRY_POINTS).get(name)) is None:
        needed = f"one of {', '.join(known_names())}, or one that has been registered"
        raise ConfigError("encoder", name, needed)
    kind = entry_point.load()
    if isinstance(kind, type) and issubclass(kind, Encoder) and getattr(kind, "name", "") == name:
        return kind
    needed = f"the name of a subclass of Encoder, which {entry_point.value} is not"
    raise ConfigError("encoder", name, needed)


def known_names() -> list[str]:
    """Return the names of built-in encoders, then of others, without importing those."""
    return list(dict.fromkeys([*BUILT_IN, *registered, *sorted(plugins(ENTRY_POINTS))]))


def described_encoders() -> str:
    """Return one line for a help text: all names, with the settings of built-in encoders."""
    encoders = []
    for name in known_names():
        settings = [one.name for one in fields(BUILT_IN[name])] if name in BUILT_IN else []
        encoders.append(f"{name} ({', '.join(settings)})" if settings else name)
    return ", ".join(encoders)

"""What names an encoder → the encoder: text such as "gmm:em=hard", or the header of a model.

An encoder is known if it is built in, if an installed package has an entry point of the group
`numberline.encoders` under its name, or if the process has registered it. Nothing else is ever
imported: a model folder says only a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, asdict, fields, replace
from importlib.metadata import entry_points
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from numberline.errors import ConfigError
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
registered: dict[str, type[Encoder]] = {}  # by `register`, in this process

EncoderClass = TypeVar("EncoderClass", bound=type[Encoder])


def register(encoder: EncoderClass) -> EncoderClass:
    """Make an encoder of your own known by its name; a decorator of its class, for notebooks.

    Registering a name again replaces the class, as running a cell of a notebook again does.
    """
    name = getattr(encoder, "name", None)
    if not isinstance(name, str) or not name or ":" in name or name in BUILT_IN:
        raise ConfigError("name", name, f"a string without :, and none of {', '.join(BUILT_IN)}")
    registered[name] = encoder
    return encoder


def encoder_class(name: str) -> type[Encoder]:
    if found := BUILT_IN.get(name) or registered.get(name):
        return found
    for entry_point in entry_points(group=ENTRY_POINTS, name=name):
        found = entry_point.load()
        if isinstance(found, type) and issubclass(found, Encoder) and found.name == name:
            return found
        raise ConfigError("encoder", name, f"a subclass of Encoder, as {entry_point.value} is not")
    needed = f"one of {', '.join(known_names())}, or one that has been registered"
    raise ConfigError("encoder", name, needed)


def known_names() -> list[str]:
    """Return names of built-in encoders first, then of others; none of those is imported."""
    installed = sorted(entry_points(group=ENTRY_POINTS).names)
    return list(dict.fromkeys([*BUILT_IN, *registered, *installed]))


def described_encoders() -> str:
    """Return one line for a help text: all names, with the settings of built-in encoders."""
    told = []
    for name in known_names():
        settings = [one.name for one in fields(BUILT_IN[name])] if name in BUILT_IN else []
        told.append(f"{name} ({', '.join(settings)})" if settings else name)
    return ", ".join(told)


def encoder_of(
    given: str | Mapping[str, Any] | Encoder, usual: Mapping[str, Encoder] | None = None
) -> Encoder:
    """Return the encoder that text, a header or an encoder stands for.

    What text does not say is taken from the encoder of that name in `usual`, or is the default.
    """
    if isinstance(given, Encoder):
        return given
    if isinstance(given, Mapping):
        return encoder_of_header(given)
    if not isinstance(given, str):
        raise ConfigError("encoder", given, "an encoder, or the name of one")
    name, _, settings = map(str.strip, given.partition(":"))
    encoder = (usual or {}).get(name) or encoder_class(name)()
    return replace(encoder, **settings_of(encoder, given, settings))


def settings_of(encoder: Encoder, text: str, settings: str) -> dict[str, Any]:
    """Read `prototypes=300,em=hard`; `text` is all that was typed, for errors."""
    types = get_type_hints(type(encoder))
    known = {one.name: one for one in fields(encoder)}
    read: dict[str, Any] = {}
    for part in filter(None, map(str.strip, settings.split(","))):
        name, equals, value = map(str.strip, part.partition("="))
        if name not in known or not equals:
            wanted = ", ".join(f"{one}=…" for one in known) or "nothing"
            raise ConfigError("encoder", text, f"{encoder.name} alone or with {wanted} after :")
        read[name] = value_of(known[name], types[name], value)
    return read


def value_of(field: Field[Any], annotation: Any, text: str) -> Any:
    """Read the value of a setting by the type of its field, which is plain or optional."""
    types = get_args(annotation) or (annotation,)
    if NoneType in types and text.lower() == "none":
        return None
    if bool in types:
        return {"true": True, "false": False}.get(text.lower(), text)
    for kind in (int, float):
        if kind in types:
            try:
                return kind(text)
            except ValueError:
                continue
    return text


def encoder_header(encoder: Encoder) -> dict[str, Any]:
    """Return the name and all settings of an encoder, as JSON can hold them."""
    return {"name": encoder.name, **asdict(encoder)}


def encoder_of_header(header: Mapping[str, Any]) -> Encoder:
    """Return the encoder that `encoder_header` was given."""
    settings = dict(header)
    kind = encoder_class(str(settings.pop("name", None)))
    if unknown := set(settings) - {one.name for one in fields(kind)}:
        raise ConfigError("encoder", dict(header), f"without {min(unknown)}, which it has not")
    return kind(**settings)

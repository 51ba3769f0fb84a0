"""Text such as gmm:em=hard, or the header of a model → an encoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import Field, asdict, fields, replace
from types import NoneType
from typing import Any, get_args, get_type_hints

from numberline.errors import ConfigError, settings_typed_as
from numberline.numerals.base import Encoder
from numberline.numerals.registry import BUILT_IN, encoder_class

READERS: dict[type, Callable[[str], Any]] = {
    bool: lambda text: {"true": True, "false": False}[text.lower()],
    int: int,
    float: float,
}


def encoder_of(
    notation: str | Mapping[str, Any] | Encoder, usual: Mapping[str, Encoder] | None = None
) -> Encoder:
    """Return the encoder that text or a header stands for; an encoder stands for itself.

    Settings that the text leaves out come from the encoder of that name in `usual`, if any, or are
    defaults.
    """
    if isinstance(notation, Encoder):
        require_free_name(notation)
        return notation
    if isinstance(notation, Mapping):
        return encoder_of_header(notation)
    if not isinstance(notation, str):
        raise ConfigError("encoder", notation, "an encoder, or the name of one")
    name, _, settings = map(str.strip, notation.partition(":"))
    encoder = (usual or {}).get(name) or encoder_class(name)()
    read = settings_of(encoder, notation, settings)
    with settings_typed_as({}):  # gmm:prototypes=300 has no flags
        return replace(encoder, **read)


def require_free_name(encoder: Encoder) -> None:
    """Refuse an encoder of another class that uses the name of a built-in one."""
    if BUILT_IN.get(encoder.name, type(encoder)) is not type(encoder):
        needed = f"a name for {type(encoder).__name__} other than {', '.join(BUILT_IN)}"
        raise ConfigError("name", encoder.name, needed)


def settings_of(encoder: Encoder, text: str, settings: str) -> dict[str, Any]:
    """Return the settings in `prototypes=300,em=hard`; errors quote the whole `text`."""
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
    """Return a setting's value, converted to the type of its field; its check refuses others."""
    types = get_args(annotation) or (annotation,)
    if NoneType in types and text.lower() == "none":
        return None
    kinds = [kind for kind in READERS if kind in types]
    for kind in kinds:
        with suppress(ValueError, KeyError):
            return READERS[kind](text)
    if kinds and not field.metadata.get("check"):
        raise ConfigError(field.name, text, " or ".join(kind.__name__ for kind in kinds))
    return text


def encoder_header(encoder: Encoder) -> dict[str, Any]:
    """Return the name and all settings of an encoder, as JSON can hold them."""
    return {"name": encoder.name, **asdict(encoder)}


def encoder_of_header(header: Mapping[str, Any]) -> Encoder:
    """Return the encoder whose `encoder_header` this is."""
    settings = dict(header)
    kind = encoder_class(str(settings.pop("name", None)))
    if unknown := set(settings) - {one.name for one in fields(kind)}:
        needed = f"without {min(unknown)}, which {kind.name} does not have"
        raise ConfigError("encoder", dict(header), needed)
    return kind(**settings)

"""Text such as gmm:em=hard, or the header of a model → an encoder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from numberline.errors import ConfigError, settings_typed_as
from numberline.notation import kind_of_header, settings_of
from numberline.numerals.base import Encoder
from numberline.numerals.registry import BUILT_IN, encoder_class


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
    read = settings_of("encoder", type(encoder), notation, settings)
    with settings_typed_as({}):  # gmm:prototypes=300 has no flags
        return replace(encoder, **read)


def require_free_name(encoder: Encoder) -> None:
    """Refuse an encoder of another class that uses the name of a built-in one."""
    if BUILT_IN.get(encoder.name, type(encoder)) is not type(encoder):
        needed = f"a name for {type(encoder).__name__} other than {', '.join(BUILT_IN)}"
        raise ConfigError("name", encoder.name, needed)


def encoder_of_header(header: Mapping[str, Any]) -> Encoder:
    """Return the encoder whose `header()` this is."""
    kind = encoder_class(str(header.get("name")))
    return kind(**kind_of_header("encoder", kind, dict(header)))

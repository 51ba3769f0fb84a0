"""Named settings, such as those of an encoder ↔ text such as gmm:em=hard, and headers of files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import Field, asdict, fields
from types import NoneType
from typing import Any, ClassVar, get_args, get_type_hints

from numberline.errors import ConfigError
from numberline.fields import CheckedSettings

READERS: dict[type, Callable[[str], Any]] = {
    bool: lambda text: {"true": True, "false": False}[text.lower()],
    int: int,
    float: float,
}


class NamedSettings(CheckedSettings):
    """A base class for frozen dataclasses that text and files refer to by a name."""

    name: ClassVar[str]  # used on the command line, in files and in encoder="gmm"

    def __str__(self) -> str:
        """Return the settings as the command line takes them: gmm:prototypes=300."""
        settings = [
            f"{one.name}={value}"
            for one in fields(self)  # type: ignore[arg-type]  # subclasses are dataclasses
            if (value := getattr(self, one.name)) != one.default
        ]
        return f"{self.name}:{','.join(settings)}" if settings else self.name

    def header(self) -> dict[str, Any]:
        """Return the name and all settings, as JSON can hold them."""
        return {"name": self.name, **asdict(self)}  # type: ignore[call-overload]


def settings_of(what: str, kind: type[NamedSettings], text: str, settings: str) -> dict[str, Any]:
    """Return the settings in `prototypes=300,em=hard`; errors name `what` and quote the `text`."""
    types = get_type_hints(kind)
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    read: dict[str, Any] = {}
    for part in filter(None, map(str.strip, settings.split(","))):
        name, equals, value = map(str.strip, part.partition("="))
        if name not in known or not equals:
            wanted = ", ".join(f"{one}=…" for one in known) or "nothing"
            raise ConfigError(what, text, f"{kind.name} alone or with {wanted} after :")
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


def kind_of_header(what: str, kind: type[NamedSettings], header: dict[str, Any]) -> dict[str, Any]:
    """Return the settings in a header without its name; refuse those that the kind lacks."""
    settings = {name: value for name, value in header.items() if name != "name"}
    known = {one.name for one in fields(kind)}  # type: ignore[arg-type]
    if unknown := set(settings) - known:
        needed = f"without {min(unknown)}, which {kind.name} does not have"
        raise ConfigError(what, header, needed)
    return settings


def described(kinds: dict[str, type[NamedSettings]]) -> str:
    """Return one line for a help text: all names, with the settings of each."""
    parts = []
    for name, kind in kinds.items():
        settings = ", ".join(one.name for one in fields(kind))  # type: ignore[arg-type]
        parts.append(f"{name} ({settings})" if settings else name)
    return ", ".join(parts)

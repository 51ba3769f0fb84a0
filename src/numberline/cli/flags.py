"""Classes of settings → flags of a command, so that no default or help text is written twice."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import Field, fields
from functools import wraps
from typing import Any, get_type_hints

import typer

from numberline.numerals.base import Encoder
from numberline.numerals.registry import described_encoders

CONTEXT = inspect.Parameter(
    "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
)


def with_settings(
    *kinds: type[Any],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command a flag for each setting; `settings` holds those that the user has set."""
    flags = flags_of(kinds)

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        arguments = [
            parameter.replace(annotation=hints[parameter.name])
            for parameter in inspect.signature(command).parameters.values()
            if parameter.name != "settings"
        ]

        @wraps(command)
        def run(context: typer.Context, **values: Any) -> None:
            all_settings = {flag.name: values.pop(flag.name) for flag in flags}
            settings = {name: all_settings[name] for name in all_settings if is_set(context, name)}
            command(**values, settings=settings)

        parameters = [CONTEXT, *arguments, *flags]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def is_set(context: typer.Context, name: str) -> bool:
    """Tell whether a user has set a flag, even to its default."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def flags_of(kinds: tuple[type[Any], ...]) -> list[inspect.Parameter]:
    """Return a flag for each setting of these classes, the rare ones last."""
    settings = {
        field.name: (field, get_type_hints(kind)[field.name])
        for kind in kinds
        for field in fields(kind)
    }
    common = [one for one in settings.values() if not one[0].metadata["rare"]]
    rare = [one for one in settings.values() if one[0].metadata["rare"]]
    title = "More settings" if common else "Settings"
    return [flag_of(*one, "Settings") for one in common] + [flag_of(*one, title) for one in rare]


def flag_of(field: Field[Any], annotation: Any, panel: str) -> inspect.Parameter:
    """Return the flag of one setting, in a panel of --help."""
    flag, default = "--" + field.name.replace("_", "-"), field.default
    help_text = field.metadata["help"]
    if default is True:
        flag += f"/--no-{flag[2:]}"
    if isinstance(default, Encoder):
        annotation, default = str, str(default)
        help_text += f" Encoders: {described_encoders()}."
    if annotation == tuple[str, ...] | None:
        annotation = list[str] | None  # a flag that may be repeated
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=typer.Option(default, flag, help=help_text, rich_help_panel=panel),
        annotation=annotation,
    )

"""Classes of settings → flags of a command, so that no default or help text is written twice."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
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
    """Give a command a flag for each setting; those that a user gives are its `settings`."""
    flags = flags_of(kinds)

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        own = [
            parameter.replace(annotation=hints[parameter.name])
            for parameter in inspect.signature(command).parameters.values()
            if parameter.name != "settings"
        ]

        @wraps(command)
        def run(context: typer.Context, **given: Any) -> None:
            values = {flag.name: given.pop(flag.name) for flag in flags}
            settings = {name: values[name] for name in values if is_given(context, name)}
            command(**given, settings=settings)

        parameters = [CONTEXT, *own, *flags]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def flags_of(kinds: Iterable[type[Any]]) -> list[inspect.Parameter]:
    """Return a flag for each setting of these classes, the rare ones last."""
    found = {
        field.name: (field, get_type_hints(kind)[field.name])
        for kind in kinds
        for field in fields(kind)
    }
    return [
        flag_of(field, annotation)
        for field, annotation in sorted(found.values(), key=lambda one: one[0].metadata["rare"])
    ]


def flag_of(field: Field[Any], annotation: Any) -> inspect.Parameter:
    flag, default = "--" + field.name.replace("_", "-"), field.default
    help_text = field.metadata["help"]
    panel = "More settings" if field.metadata["rare"] else "Settings"
    if default is True:
        flag += f"/--no-{flag[2:]}"
    if isinstance(default, Encoder):
        annotation, default = str, str(default)
        help_text += f" Known are {described_encoders()}."
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=typer.Option(default, flag, help=help_text, rich_help_panel=panel),
        annotation=annotation,
    )

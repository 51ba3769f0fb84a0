"""Config classes → flags of a command, so that no default or help text is written twice."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import Field, fields
from functools import wraps
from typing import Any, get_type_hints

import typer

from numberline.fields import is_setting
from numberline.numerals.base import Encoder
from numberline.numerals.registry import described_encoders

CONTEXT = inspect.Parameter(
    "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
)


def with_settings(
    *config_classes: type[Any],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command one flag per setting; those given are its argument `settings`."""
    flags = [flag for config_class in config_classes for flag in flags_of(config_class)]

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


def flags_of(config_class: type[Any]) -> list[inspect.Parameter]:
    """One for each of its settings, and of those of the configs in it."""
    hints = get_type_hints(config_class)
    flags = []
    for field in fields(config_class):
        is_flag = is_setting(field)
        flags += [flag_of(field, hints[field.name])] if is_flag else flags_of(type(field.default))
    return flags


def flag_of(field: Field[Any], annotation: Any) -> inspect.Parameter:
    flag, default = "--" + field.name.replace("_", "-"), field.default
    help_text = field.metadata["help"]
    if default is True:
        flag += f"/--no-{flag[2:]}"
    if isinstance(default, Encoder):
        annotation, default = str, str(default)
        help_text += f" Known are {described_encoders()}."
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=typer.Option(default, flag, help=help_text),
        annotation=annotation,
    )

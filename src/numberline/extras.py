"""Optional packages, imported where they are used; a missing one is named with its extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from numberline.errors import MissingExtraError


def optional(module: str, extra: str) -> Any:
    """The module, or an error that says which extra brings it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(module.partition(".")[0], extra) from error

"""Packages that may not be installed: optional ones by name, plugins by entry point."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from numberline.errors import MissingExtraError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def optional(module: str, extra: str) -> Any:
    """Import an optional module; if it is missing, the error names the extra to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(module.partition(".")[0], extra) from error


def plugins(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name, without loading them."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {one.name: one for one in entry_points(group=group)}

"""Imports on first use: optional packages, plugins by entry point, names of a package."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from numberline.errors import MissingExtraError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["lazy_names", "optional"]


def optional(module: str, extra: str) -> Any:
    """Import an optional module; if it is missing, the error names the extra to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(module.partition(".")[0], extra, error) from error


def plugins(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name, without loading them."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {one.name: one for one in entry_points(group=group)}


def lazy_names(package: str, **modules: str) -> tuple[list[str], Callable[[str], Any]]:
    """Return `__all__` and `__getattr__` of a package whose names are imported when first used.

    Each keyword is a module of the package; its value lists its public names, separated by blanks.
    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def import_name(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return sorted(module_of), import_name

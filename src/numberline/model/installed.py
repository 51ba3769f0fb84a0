"""The name of an installed model, such as "en" → the folder that holds it.

A package offers models by entry points of the group numberline.models: the name of the model, and
the package whose folder holds its files.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from numberline.errors import StoreError
from numberline.extras import plugins

MODELS = "numberline.models"  # entry points


def installed_models() -> dict[str, Path]:
    """Return the folders of all installed models by name; nothing is imported or read."""
    folders = {name: folder_of(entry.value) for name, entry in sorted(plugins(MODELS).items())}
    return {name: folder for name, folder in folders.items() if folder is not None}


def folder_of(package: str) -> Path | None:
    spec = find_spec(package)
    locations = None if spec is None else spec.submodule_search_locations
    return Path(next(iter(locations))) if locations else None


def model_folder(name_or_folder: str | Path) -> Path:
    """Return a folder that exists, or that of the installed model of this name."""
    folder = Path(name_or_folder)
    if is_path(name_or_folder) or folder.exists():
        return folder
    models = installed_models()
    name = str(name_or_folder)
    if name not in models:
        raise StoreError(
            f"there is no model {name!r:.60}: no such folder, and the installed models are "
            f"{', '.join(models) or 'none'}"
        )
    return models[name]


def is_path(name_or_folder: str | Path) -> bool:
    """Tell whether it can only be a path: it names folders on the way."""
    return not {"/", os.sep}.isdisjoint(str(name_or_folder))

"""`numberline models`: installed packages → the models in them that can be loaded by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.table import Table

import numberline
from numberline.cli.arguments import Json
from numberline.cli.process import Output, print_json
from numberline.model.installed import installed_models

MANIFEST = "manifest.json"  # beside the files of a model


def models(as_json: Json = False) -> None:
    """List the models that are installed; each can be used by its name in place of a folder."""
    facts = [facts_of(name, folder) for name, folder in installed_models().items()]
    if as_json:
        print_json(facts, indent=2)
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("model", "words", "dimensions", "licence", "learnt from"):
        table.add_column(heading, justify="right" if heading in ("words", "dimensions") else "left")
    for one in facts:
        words, dim = f"{one['words']:,}", str(one["dim"])
        table.add_row(one["name"], words, dim, one["licence"], one["text"])
    Output().print(table if facts else "no model is installed")


def facts_of(name: str, folder: Path) -> dict[str, Any]:
    """Return what is known of an installed model, by its files and its manifest."""
    model = numberline.load(folder, verify=False)
    manifest = {}
    if (folder / MANIFEST).is_file():
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return {
        "name": name,
        "words": len(model),
        "dim": model.dim,
        "licence": manifest.get("licence", "not stated"),
        "text": manifest.get("text", "not stated"),
        "folder": str(folder),
    }

"""`numberline plot`: a model folder → pictures of what it has learnt about numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import numberline
from numberline.cli.ask import Model
from numberline.cli.explore import name_of
from numberline.cli.flags import with_settings
from numberline.explore.settings import PlotSettings


@with_settings(PlotSettings)
def plot(
    model: Model,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the pictures.")],
    settings: dict[str, Any],
) -> None:
    """Draw a model: its number line, numerals and prototypes, similar numbers, a gap, a map."""
    from numberline.explore.plotting import plot as write_figures

    for path in write_figures(numberline.load(model), out, name_of(model), **settings):
        print(f"written to {path}", flush=True)

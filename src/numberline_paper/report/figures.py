"""Trained models → the figures of the paper, as PNG files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numberline as nl
from numberline.errors import MissingExtraError
from numberline.evaluation import Progress
from numberline.explore import map_figure, prototypes_figure
from numberline.files import replace_file
from numberline.numerals import prototype_values
from numberline_paper.experiments import Results
from numberline_paper.grid import HISTOGRAMS_OF, MAPS_OF
from numberline_paper.report.parts import Picture
from numberline_paper.workshop import model_folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 150
SHOWN_VALUES = (0.0, 1e13)  # as in the paper


class Drawing(NamedTuple):
    kind: str
    model_name: str
    model: nl.Embeddings
    caption: str
    draw: Callable[[str, nl.Embeddings], Figure]


def draw_figures(
    results: Results, folder: Path, progress: Progress
) -> tuple[list[Picture], list[str]]:
    """Return pictures, each drawn once for a model, and the reasons for those left out."""
    pictures, left_out = [], []
    for drawing in drawings(results):
        progress(f"{drawing.model_name}: {drawing.kind}", 0.0)
        path = folder / f"{drawing.kind}-{drawing.model_name}.png"
        try:
            if not is_newer(path, model_folder(results.folder, drawing.model_name)):
                figure = drawing.draw(drawing.model_name, drawing.model)
                with replace_file(path, overwrite=True) as file:
                    figure.savefig(file, format="png", dpi=DPI)
        except MissingExtraError as error:
            left_out.append(f"{drawing.kind} of {drawing.model_name}: {error}")
            continue
        pictures.append(Picture(path, drawing.caption))
    return pictures, left_out


def drawings(results: Results) -> Iterator[Drawing]:
    for models, kind, what, draw in (
        (HISTOGRAMS_OF, "histogram", "Numerals of the corpus and prototypes of", histogram),
        (MAPS_OF, "map", "Map (t-SNE) of some numerals and words, by the vectors of", map_figure),
    ):
        for row, preset in models:
            if (named_model := results.model(row, preset)) is not None:
                yield Drawing(kind, *named_model, f"{what} {named_model[0]}.", draw)


def histogram(name: str, model: nl.Embeddings) -> Figure:
    values, counts = model.vocabulary.numeral_values, model.vocabulary.numeral_counts.astype(float)
    prototypes = prototype_values(model.numerals)
    return prototypes_figure(values, counts, prototypes, f"model {name}", SHOWN_VALUES)


def is_newer(path: Path, folder: Path) -> bool:
    return path.is_file() and path.stat().st_mtime >= folder.stat().st_mtime

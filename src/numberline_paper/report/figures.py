"""Reproduced models → the figures of the paper, as PNG files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from numberline.errors import MissingExtraError
from numberline.evaluation.task import Progress
from numberline.explore.plots import prototypes_figure
from numberline.explore.word_map import map_figure
from numberline.files.whole_file import replace_file
from numberline.model.embeddings import Embeddings
from numberline.numerals.vectors import prototype_values
from numberline_paper.grid import HISTOGRAMS_OF, MAPS_OF
from numberline_paper.report_parts import Picture
from numberline_paper.reproduce import Reproduced, model_folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 150
SPAN = (0.0, 1e13)  # of values, as in the paper


class Wanted(NamedTuple):
    kind: str
    model_name: str
    model: Embeddings
    caption: str
    draw: Callable[[str, Embeddings], Figure]


def draw_figures(
    done: Reproduced, folder: Path, progress: Progress
) -> tuple[list[Picture], list[str]]:
    """What can be drawn, and what is left out, and why. A picture of a model is drawn once."""
    pictures, left_out = [], []
    for wanted in wanted_figures(done):
        progress(f"{wanted.model_name}: {wanted.kind}", 0.0)
        path = folder / f"{wanted.kind}-{wanted.model_name}.png"
        try:
            if not is_newer(path, model_folder(done.folder, wanted.model_name)):
                figure = wanted.draw(wanted.model_name, wanted.model)
                with replace_file(path, overwrite=True) as file:
                    figure.savefig(file, format="png", dpi=DPI)
        except MissingExtraError as error:
            left_out.append(f"{wanted.kind} of {wanted.model_name}: {error}")
            continue
        pictures.append(Picture(path, wanted.caption))
    return pictures, left_out


def wanted_figures(done: Reproduced) -> Iterator[Wanted]:
    for models, kind, what, draw in (
        (HISTOGRAMS_OF, "histogram", "Numerals of the corpus and prototypes of", histogram),
        (MAPS_OF, "map", "Map (t-SNE) of some numerals and words, by the vectors of", map_figure),
    ):
        for row, preset in models:
            found = done.model(row, preset)
            if found is not None:
                yield Wanted(kind, *found, f"{what} {found[0]}.", draw)


def histogram(name: str, model: Embeddings) -> Figure:
    numerals = model.vocabulary
    counts = numerals.numeral_counts.astype(float)
    prototypes = prototype_values(model.numerals)
    return prototypes_figure(numerals.numeral_values, counts, prototypes, f"model {name}", SPAN)


def is_newer(path: Path, folder: Path) -> bool:
    return path.is_file() and path.stat().st_mtime >= folder.stat().st_mtime

"""A model and settings → all its figures, one after the other, or as files in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numberline.explore.answers import Answers
from numberline.explore.examples import example_of
from numberline.explore.plots.histogram import prototypes_figure
from numberline.explore.plots.map import chosen_tokens, map_figure
from numberline.explore.plots.number_line import line_figure
from numberline.explore.plots.prediction import prediction_figure
from numberline.explore.plots.similarity import similarity_figure
from numberline.explore.plots.style import THEMES
from numberline.explore.settings import PlotSettings
from numberline.extras import optional
from numberline.fields import made_of
from numberline.files.whole_file import replace_file
from numberline.files.whole_folder import make_folder
from numberline.model.embeddings import Embeddings
from numberline.model.gaps import GAP
from numberline.model.prediction import GAP_MODEL, predict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 150


def plot(model: Embeddings, folder: Path, name: str = "model", **settings: Any) -> Iterator[Path]:
    """Write all figures into a folder; yield the path of each as soon as it is written.

    Settings are the fields of PlotSettings; `name` appears in the titles.
    """
    picture = made_of(PlotSettings, settings).picture
    make_folder(folder)
    for figure_name, figure in figures(model, name, **settings):
        path = folder / f"{figure_name}.{picture}"
        with replace_file(path, overwrite=True) as file:
            figure.savefig(file, format=picture, dpi=DPI, facecolor=figure.get_facecolor())
        yield path


def figures(
    model: Embeddings, name: str = "model", **settings: Any
) -> Iterator[tuple[str, Figure]]:
    """Yield the name of each figure and the figure; settings as for `plot`."""
    chosen = made_of(PlotSettings, settings)
    optional("matplotlib", "plot")
    answers, theme = Answers(model, name), THEMES[chosen.theme]
    counts = model.vocabulary.numeral_counts.astype(float)
    sentence = sentence_of(answers, chosen)
    tokens = None if chosen.tokens is None else chosen.tokens.split()
    chosen_tokens(model, tokens)  # refuses unknown words before any work is done
    drawn: dict[str, Callable[[], Figure]] = {
        "line": lambda: line_figure(answers, theme),
        "histogram": lambda: prototypes_figure(
            model.vocabulary.numeral_values, counts, answers.prototypes, name
        ),
        "similarity": lambda: similarity_figure(answers, theme),
        "prediction": lambda: prediction_figure(answers, sentence, theme),
        "map": lambda: map_figure(
            name, model, model.settings.seed, tokens, (theme.words, theme.numerals)
        ),
    }
    for figure_name, draw in drawn.items():
        with theme.applied():
            figure = draw()
        yield figure_name, figure


def sentence_of(answers: Answers, settings: PlotSettings) -> str:
    """Return the text whose gap is predicted."""
    if settings.sentence is None:
        return next(text for text in example_of(answers.landmarks).sentences if GAP.search(text))
    # This refuses a text without a gap or known words.
    predict(answers.model, settings.sentence, None, GAP_MODEL)
    return settings.sentence

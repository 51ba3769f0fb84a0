"""A model → a map on which numerals and words with similar vectors lie together (t-SNE)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from numberline.errors import QuestionError
from numberline.explore.labels import part_labels
from numberline.explore.plots import NUMERALS, PROTOTYPES
from numberline.extras import optional
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import Query
from numberline.model.neighbours import unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAPPED_NUMERALS = (
    *[0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 18, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100],
    *[120, 150, 170, 180, 190, 200, 300, 400, 500, 750, 1000, 1200, 1492, 1600, 1700, 1776, 1800],
    *[1850, 1900, 1914, 1945, 1969, 1984, 2000, 2008, 2015, 3000, 5000, 10_000, 50_000, 100_000],
    *[500_000, 1e6, 5e6, 1e7, 1e8, 1e9],
)
MAPPED_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred "
    "thousand million billion half first second third year month week day hour minute century "
    "decade january july december population people inhabitants kilometres miles feet metres cm "
    "kg tonnes percent dollars budget height weight size shoe small medium large tall short war "
    "renaissance medieval internet goals season points pm am xs xl xxl"
).split()
FEWEST = 5  # tokens of a map
PERPLEXITY = 12.0  # neighbours that a point looks at, about


def map_figure(
    name: str,
    model: Embeddings,
    seed: int = 1,
    tokens: Iterable[Query] | None = None,
    colours: tuple[str, str] = (NUMERALS, PROTOTYPES),
) -> Figure:
    """Of these tokens, or of some that most corpora hold; of those only what the model knows."""
    words, numerals = chosen_tokens(model, tokens)
    places = map_places(model, [*words, *numerals], seed)
    figure: Figure = optional("matplotlib.figure", "plot").Figure(
        figsize=(11, 8), layout="constrained"
    )
    optional("matplotlib.backends.backend_agg", "plot").FigureCanvasAgg(figure)
    axes = figure.subplots()
    for texts, first, colour, weight, kind in (
        (words, 0, colours[0], "normal", "words"),
        ([plain_value(value) for value in numerals], len(words), colours[1], "bold", "numerals"),
    ):
        here = places[first : first + len(texts)]
        axes.scatter(here[:, 0], here[:, 1], s=8, color=colour, label=kind)
        for text, (x, y) in zip(texts, here, strict=True):
            axes.text(x, y, text, color=colour, fontsize=8, fontweight=weight)
    axes.set_title(f"model {name}", loc="left", fontsize="medium")
    axes.set_axis_off()
    figure.legend(frameon=False, loc="outside upper right", ncols=2)
    part_labels(axes)
    return figure


def chosen_tokens(
    model: Embeddings, tokens: Iterable[Query] | None
) -> tuple[list[str], list[float]]:
    """Words and the values of numerals. A token of the caller's own that is unknown is refused."""
    if tokens is None:
        numerals = [*MAPPED_NUMERALS] if model.numerals is not None else []
        return [word for word in MAPPED_WORDS if word in model], numerals
    listed = list(dict.fromkeys(tokens))
    read = model.lookup.read_tokens(listed)
    if not read.is_known.all():
        model.lookup.refuse(listed[int(np.argmin(read.is_known))])
    words = [model.words[id] for id in read.ids[read.is_word].tolist()]
    values = read.numerals.tolist()
    if len(words) + len(values) < FEWEST:
        raise QuestionError(f"a map of {len(words) + len(values)} tokens; give {FEWEST} or more")
    return words, values


def map_places(
    model: Embeddings, tokens: list[Any], seed: int, neighbours: float = PERPLEXITY
) -> Any:
    """A place on a plane for each token: near ones have similar directions."""
    tsne = optional("openTSNE", "plot")
    perplexity = min(neighbours, (len(tokens) - 1) / 3)
    made = tsne.TSNE(
        perplexity=perplexity,
        initialization="pca",
        random_state=seed,
        negative_gradient_method="bh",
    )
    return made.fit(unit(model.vectors(tokens)).astype(float))


def plain_value(value: float) -> str:
    for name, size in (("billion", 10**9), ("million", 10**6)):
        if value >= size:
            return f"{value / size:g} {name}"
    is_year = 1000 < value < 2100
    return f"{value:g}" if is_year or value < 1000 else f"{value:,.0f}"

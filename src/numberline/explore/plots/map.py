"""A model → a map (t-SNE) on which numerals and words with similar vectors lie together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from numberline.errors import QuestionError
from numberline.explore.plots.labels import part_labels
from numberline.explore.plots.style import NUMERALS, PROTOTYPES, new_figure
from numberline.explore.word_map import tsne
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
FEWEST_TOKENS = 5
PERPLEXITY = 12.0  # neighbours that t-SNE considers for each point


def map_figure(
    name: str,
    model: Embeddings,
    seed: int = 1,
    tokens: Iterable[Query] | None = None,
    colours: tuple[str, str] = (NUMERALS, PROTOTYPES),
) -> Figure:
    """Draw the map of these tokens; by default of a fixed list, as far as the model knows it.

    `colours` has one for words and one for numerals.
    """
    words, numerals = chosen_tokens(model, tokens)
    points = tsne(unit(model.vectors([*words, *numerals])), seed, PERPLEXITY)
    figure = new_figure(11, 8)
    axes = figure.subplots()
    for texts, start, colour, weight, kind in (
        (words, 0, colours[0], "normal", "words"),
        ([plain_value(value) for value in numerals], len(words), colours[1], "bold", "numerals"),
    ):
        of_kind = points[start : start + len(texts)]
        axes.scatter(of_kind[:, 0], of_kind[:, 1], s=8, color=colour, label=kind)
        for text, (x, y) in zip(texts, of_kind, strict=True):
            axes.text(x, y, text, color=colour, fontsize=8, fontweight=weight)
    axes.set_title(f"{name}: words and numbers with similar vectors", loc="left", fontsize="medium")
    axes.set_axis_off()
    figure.legend(frameon=False, loc="outside upper right", ncols=2)
    part_labels(axes)
    return figure


def chosen_tokens(
    model: Embeddings, tokens: Iterable[Query] | None
) -> tuple[list[str], list[float]]:
    """Return the words, and the values of numerals; an unknown word among `tokens` is refused."""
    if tokens is None:
        numerals = [*MAPPED_NUMERALS] if model.numerals is not None else []
        return [word for word in MAPPED_WORDS if word in model], numerals
    distinct = list(dict.fromkeys(tokens))
    read = model.lookup.read_tokens(distinct)
    if not read.is_known.all():
        model.lookup.refuse(distinct[int(np.argmin(read.is_known))])
    if len(distinct) < FEWEST_TOKENS:
        raise QuestionError(f"a map needs {FEWEST_TOKENS} tokens or more, not {len(distinct)}")
    words = [model.words[id] for id in read.ids[read.is_word].tolist()]
    return words, read.numerals.tolist()


def plain_value(value: float) -> str:
    """Return 5 million for 5e6, 1984 for a year, 10,000 for other numbers."""
    for name, size in (("billion", 10**9), ("million", 10**6)):
        if value >= size:
            return f"{value / size:g} {name}"
    is_year = 1000 < value < 2100
    return f"{value:g}" if is_year or value < 1000 else f"{value:,.0f}"

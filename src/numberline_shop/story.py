"""A model of the shop's chat → what it has learnt about numbers, as lines to print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from numberline.model.embeddings import Embeddings
from numberline.model.neighbours import unit
from numberline.numerals.line import Line
from numberline.reading.numerals import plain_number

TRAINING: dict[str, Any] = {"min_count": 25, "epochs": 20}  # 25: no vectors for typing errors
PROTOTYPES = 150  # shoe sizes, waists and weights lie close together
NUMERALS = ("190", "187.3", "160", "10")
ODD = "Jeff is 160, so he should wear size XXL"
SENTENCES = (  # of the paper's introduction
    "Jeff is 190, so he should wear size XXL",
    ODD,
    "Jeff is 10, so he should wear size XS",
)
SIZES = ("xxl", "xl", "m", "s", "xs")
GRID = np.round(np.arange(140.0, 210.0, 0.1), 1)  # heights in cm, most of which nobody has told


def training_settings(distinct_numerals: int) -> dict[str, Any]:
    """Return settings of train; a chat too short for so many prototypes gets the default."""
    enough = distinct_numerals >= 10 * PROTOTYPES
    return TRAINING | ({"encoder": Line(PROTOTYPES)} if enough else {})


def words_near_numerals(model: Embeddings) -> Iterator[tuple[str, str]]:
    """A numeral, and the words nearest to it."""
    for numeral in NUMERALS:
        name = numeral if is_seen(model, float(numeral)) else f"{numeral} (never seen)"
        yield name, ", ".join(neighbour.token for neighbour in model.similar(numeral, 6))


def numerals_near_sizes(model: Embeddings) -> Iterator[tuple[str, str]]:
    """A size, and the heights nearest to it, with one that no message holds."""
    rows = unit(model.vectors(GRID.tolist()))
    for size in filter(model.__contains__, SIZES):  # a short chat may lack some
        nearest = GRID[np.argsort(-(rows @ unit(model[size])), kind="stable")].tolist()
        seen = [value for value in nearest if is_seen(model, value)]
        unseen = [value for value in nearest if not is_seen(model, value)]
        shown = ", ".join(map(plain_number, seen[:4]))
        yield size, f"{shown}; never seen: {', '.join(map(plain_number, unseen[:2]))}"


def checked_sentences(model: Embeddings) -> Iterator[tuple[str, str]]:
    """The paper's sentences, and whether their numeral fits."""
    for sentence in SENTENCES:
        for numeral in model.check(sentence):
            verdict = "odd" if numeral.is_odd else "fits"
            shown = f"{verdict}: {numeral.lift:.2g} times as likely here as in general"
            if numeral.is_odd:
                shown += f"; likelier are {', '.join(map(plain_number, numeral.better))}"
            else:
                shown += f"; it goes with {', '.join(numeral.words)}"
            yield sentence, shown


def is_seen(model: Embeddings, value: float) -> bool:
    return bool(np.isin(value, model.vocabulary.numeral_values))

"""A model of the shop's chat → what it has learnt about numbers, as lines to print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import numberline as nl

TRAINING: dict[str, Any] = {"min_count": 25, "epochs": 20}  # 25: no vectors for typing errors
NUMERALS = ("190", "187.3", "160", "10")
SIZES = ("xxl", "xl", "m", "s", "xs")
HEIGHTS = np.round(np.arange(140.0, 210.0, 0.1), 1)  # in cm; most of them are in no message
ODD_SENTENCE = "Jeff is 160, so he should wear size XXL"
SENTENCES = (  # of the paper's introduction
    "Jeff is 190, so he should wear size XXL",
    ODD_SENTENCE,
    "Jeff is 10, so he should wear size XS",
)
Row = tuple[str, str]  # a question and its answer


def chapters(model: nl.Embeddings) -> Iterator[tuple[str, list[Row]]]:
    """Yield headings, each with the rows to print below it."""
    yield "The words nearest to some numbers", list(words_near_numerals(model))
    yield "The heights in cm nearest to some sizes", list(heights_near_sizes(model))
    yield "Whether a number fits its sentence", list(checked_sentences(model))


def words_near_numerals(model: nl.Embeddings) -> Iterator[Row]:
    """Yield each numeral with the words nearest to it."""
    for numeral in NUMERALS:
        name = numeral if is_seen(model, float(numeral)) else f"{numeral} (never seen)"
        yield name, ", ".join(neighbour.token for neighbour in model.similar(numeral, 6))


def heights_near_sizes(model: nl.Embeddings) -> Iterator[Row]:
    """Yield each size with the heights nearest to it, and with two that no message holds."""
    rows = model.vectors(HEIGHTS.tolist())
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for size in filter(model.__contains__, SIZES):  # a short chat may lack some
        nearest = HEIGHTS[np.argsort(-(rows @ model[size]), kind="stable")].tolist()
        seen = [value for value in nearest if is_seen(model, value)]
        unseen = [value for value in nearest if not is_seen(model, value)]
        yield size, f"{listed(seen[:4])}; never seen: {listed(unseen[:2])}"


def checked_sentences(model: nl.Embeddings) -> Iterator[Row]:
    """Yield the paper's sentences, and whether their number fits."""
    for sentence in SENTENCES:
        for numeral in model.check(sentence):
            verdict = "odd" if numeral.is_odd else "fits"
            answer = f"{verdict}: wrong with probability {numeral.probability_wrong:.2f}"
            if numeral.is_odd:
                answer += f"; more likely are {listed(number.value for number in numeral.better)}"
                answer += f"; against it speak {', '.join(numeral.against)}"
            yield sentence, answer


def is_seen(model: nl.Embeddings, value: float) -> bool:
    return bool(np.isin(value, model.vocabulary.numeral_values))


def listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.10g}" for value in values)

"""A model and the numerals that are wanted → words and vectors that any tool can hold.

Tools of others know a finite list of tokens, so numerals must be chosen to go with the words.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from numberline.errors import ConfigError, VectorsError, describe
from numberline.fields import as_whole_number
from numberline.model.arguments import one_of
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import NUMERAL, Query
from numberline.model.word_vectors import WordVectors
from numberline.numerals.base import SIDES, Side
from numberline.reading.numerals import plain_number
from numberline.settings import TextSettings

Numerals = int | Iterable[Query] | None  # the most frequent of the corpus, or these, or none


def materialise(model: Embeddings, numerals: Numerals = None, side: Side = "input") -> WordVectors:
    """All words of the model, most frequent first, then the numerals in their order."""
    one_of("side", side, SIDES)
    chosen = chosen_numerals(model, numerals)
    table = np.concatenate([model.word_table(side), model.vectors(chosen, side)])
    return WordVectors([*model.words, *chosen], table)


def chosen_numerals(model: Embeddings, numerals: Numerals) -> list[str]:
    """Each once, spelled as it was given; numbers as the model reads them."""
    if numerals is None:
        return []
    if isinstance(numerals, str):
        raise ConfigError("numerals", numerals, "how many numerals, or a list of them")
    if model.numerals is None:
        raise VectorsError("no numerals were learnt, so none can be written; leave them out")
    count = as_whole_number(numerals)
    if count is not None:
        return most_frequent(model, count)
    if not isinstance(numerals, Iterable):
        raise ConfigError("numerals", numerals, "how many numerals, or a list of them")
    text = model.settings
    spelled = [item if isinstance(item, str) else spelling(float(item), text) for item in numerals]
    is_numeral = model.lookup.find(spelled).ids == NUMERAL
    if not is_numeral.all():
        odd = spelled[int(np.argmin(is_numeral))]
        raise VectorsError(f"{describe(odd)} is no numeral, but all that are listed must be")
    return list(dict.fromkeys(spelled))


def most_frequent(model: Embeddings, count: int) -> list[str]:
    if count < 0:
        raise ConfigError("numerals", count, "0 or more")
    vocabulary = model.vocabulary
    order = np.argsort(-vocabulary.numeral_counts, kind="stable")[:count]
    values = vocabulary.numeral_values[order].tolist()
    return [spelling(value, model.settings) for value in values]


def spelling(value: float, text: TextSettings) -> str:
    """A number so that a model with these settings reads it as that number."""
    plain = plain_number(float(value))
    return plain.replace(".", ",") if text.decimal_comma else plain

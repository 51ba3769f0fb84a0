"""A model and chosen numerals → words and vectors that any tool can hold.

Other tools hold a finite list of tokens, so numerals must be chosen.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from numberline.errors import ConfigError, VectorsError, describe
from numberline.fields import as_whole_number, one_of
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import Query
from numberline.model.word_vectors import WordVectors
from numberline.numerals.base import SIDES, Side
from numberline.reading.numerals import plain_number
from numberline.reading.quantities import Quantity
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

Numerals = int | Iterable[Query] | None  # how many of the most frequent, or a list, or none


def materialise(model: Embeddings, numerals: Numerals = None, side: Side = "input") -> WordVectors:
    """Return all words of the model, most frequent first, then the numerals in their order."""
    one_of(*SIDES)("side", side)
    chosen = chosen_numerals(model, numerals)
    table = np.concatenate([model.word_table(side), model.vectors(chosen, side)])
    return WordVectors([*model.words, *chosen], table)


def chosen_numerals(model: Embeddings, numerals: Numerals) -> list[str]:
    """Return each numeral once; text as it is spelled, numbers as the model would read them."""
    if numerals is None:
        return []
    if model.numerals is None:
        raise VectorsError("no numerals were learnt, so none can be written; leave them out")
    count = as_whole_number(numerals)
    if count is not None:
        return most_frequent(model, count)
    if isinstance(numerals, str) or not isinstance(numerals, Iterable):
        raise ConfigError("numerals", numerals, "how many numerals, or a list of them")
    texts = [as_text(numeral, model.settings) for numeral in numerals]
    is_numeral = model.lookup.read_tokens(texts).is_numeral
    if not is_numeral.all():
        odd = texts[int(np.argmin(is_numeral))]
        raise VectorsError(f"{describe(odd)} is not a numeral; list numerals only")
    return list(dict.fromkeys(texts))


def most_frequent(model: Embeddings, count: int) -> list[str]:
    if count < 0:
        raise ConfigError("numerals", count, "0 or more")
    vocabulary = model.vocabulary
    order = np.argsort(-vocabulary.numeral_counts, kind="stable")[:count]
    values = vocabulary.numeral_values[order].tolist()
    return [as_text(value, model.settings) for value in values]


def as_text(numeral: Query, text: TextSettings) -> str:
    """Return a numeral as text that a model with these settings reads as that number."""
    if isinstance(numeral, str | Token | Quantity):
        return numeral if isinstance(numeral, str) else numeral.text
    if isinstance(numeral, tuple):
        raise VectorsError(f"{describe(numeral)} has no spelling of its own; list numerals as text")
    plain = plain_number(float(numeral))
    return plain.replace(".", ",") if text.decimal_comma else plain

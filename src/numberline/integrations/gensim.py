"""A model → gensim's KeyedVectors that have a vector for every numeral, too.

Words and chosen numerals have an index, as all of gensim's keys have. Other numerals have a vector
but no index, like the words that fastText composes: they can be queried, but are never results.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from numberline.arrays import Array
from numberline.extras import optional
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import Lookup
from numberline.model.materialise import Numerals, materialise
from numberline.model.neighbours import unit
from numberline.numerals.base import Side
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.shapes import fold
from numberline.settings import TextSettings

KeyedVectors: Any = optional("gensim.models", "gensim").KeyedVectors


@dataclass(eq=False)
class NumeralSource:
    """Composes the vectors of numerals; saved with the keyed vectors."""

    numerals: NumeralVectors | None  # None: none were learnt
    settings: TextSettings
    side: Side
    is_unit: bool = False  # True: all vectors are scaled to length 1

    def vector(self, key: object) -> Array | None:
        """Return the vector of a numeral; None for anything else, and for gensim's int indexes."""
        if self.numerals is None or not isinstance(key, str):
            return None
        kinds = self.numerals.kind_count
        read = Lookup([], {}, self.settings, True, kinds).read_tokens([key])
        if not len(read.values):
            return None
        row: Array = self.numerals.vectors(read.values, self.side, read.kinds)[0]
        return unit(row) if self.is_unit else row


class NumeralKeyedVectors(KeyedVectors):  # type: ignore[misc]
    """gensim's KeyedVectors in which numerals without an index have a vector, too."""

    numerals: NumeralSource | None = None  # None: made by gensim, for instance from a file

    def get_index(self, key: Any, default: Any = None) -> Any:
        """Return the index of a key; ignore the case of words if the model does."""
        if self.numerals and isinstance(key, str) and key not in self.key_to_index:
            key = fold(key, self.numerals.settings.lowercase)
        return super().get_index(key, default)

    def __contains__(self, key: Any) -> bool:
        return self.has_index_for(key) or self.numeral_vector(key) is not None

    def get_vector(self, key: Any, norm: bool = False) -> Array:
        row = None if self.has_index_for(key) else self.numeral_vector(key)
        if row is None:
            indexed: Array = super().get_vector(key, norm)
            return indexed
        row = unit(row) if norm else row
        row.setflags(write=False)  # as gensim's rows are
        return row

    def numeral_vector(self, key: Any) -> Array | None:
        return self.numerals.vector(key) if self.numerals else None

    def distances(self, word_or_vector: Any, other_words: Iterable[str] = ()) -> Array:
        """Return 1 - cosine to each of the other words, or to all keys with an index."""
        others = list(other_words)
        if not others:
            return 1 - self._similarities(word_or_vector, self.vectors)
        return 1 - self._similarities(word_or_vector, self[others])

    def _similarities(self, word_or_vector: Any, rows: Array) -> Array:
        is_vector = isinstance(word_or_vector, np.ndarray)
        vector = word_or_vector if is_vector else self.get_vector(word_or_vector)
        similarities: Array = self.cosine_similarities(vector, rows)
        return similarities

    def closer_than(self, key1: str, key2: str) -> list[str]:
        """Return the keys nearer to key1 than key2 is."""
        limit = self.distances(key1, [key2])[0]
        nearer = np.flatnonzero(self.distances(key1) < limit).tolist()
        compared = {self.get_index(key, -1) for key in (key1, key2)}
        return [self.index_to_key[index] for index in nearer if index not in compared]

    def unit_normalize_all(self) -> None:
        """Scale all vectors to length 1, also those of numerals without an index."""
        super().unit_normalize_all()
        if self.numerals:
            self.numerals.is_unit = True


def to_keyed_vectors(
    model: Embeddings, numerals: Numerals = None, side: Side = "input"
) -> NumeralKeyedVectors:
    """Copy a model for gensim.

    `numerals` (how many of the most frequent, or a list) get an index, so that most_similar can
    return them; all others have a vector but no index.
    """
    chosen = materialise(model, numerals, side)
    keyed = NumeralKeyedVectors(chosen.dim)
    keyed.add_vectors(chosen.words, chosen.table)
    keyed.expandos["count"] = counts(model, chosen.words[len(model) :])
    keyed.numerals = NumeralSource(model.numerals, model.settings, side)
    return keyed


def counts(model: Embeddings, numerals: list[str]) -> Array:
    """Return how often each word and each of the numerals occurs in the corpus, for gensim."""
    vocabulary = model.vocabulary
    occurrences = dict(
        zip(vocabulary.numeral_values.tolist(), vocabulary.numeral_counts.tolist(), strict=True)
    )
    values = model.lookup.read_tokens(numerals).numerals.tolist()
    numeral_counts = np.array([occurrences.get(value, 0) for value in values], np.int64)
    return np.concatenate([vocabulary.word_counts, numeral_counts])

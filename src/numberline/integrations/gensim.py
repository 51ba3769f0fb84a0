"""A model → gensim's KeyedVectors, which know every numeral too.

Words and materialised numerals have an index, as all keys of gensim have. Other numerals have a
vector but no index, as words that fastText makes up: they can be asked about, not found.
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
    """How text is read and numerals get their vectors; saved with the keyed vectors."""

    numerals: NumeralVectors | None  # None: none were learnt
    text: TextSettings
    side: Side
    is_unit: bool = False  # vectors have been scaled to length 1

    def vector(self, key: object) -> Array | None:
        """That of a numeral; None for all else, also for numbers: to gensim they are indexes."""
        if self.numerals is None or not isinstance(key, str):
            return None
        value = Lookup([], {}, self.text, has_numerals=True).value_of(key)
        if value is None:
            return None
        row: Array = self.numerals.vectors([value], self.side)[0]
        return unit(row) if self.is_unit else row


class NumeralKeyedVectors(KeyedVectors):  # type: ignore[misc]
    """gensim's KeyedVectors in which numerals without an index have a vector, too."""

    numerals: NumeralSource | None = None  # None: as gensim makes it, from a file for one

    def get_index(self, key: Any, default: Any = None) -> Any:
        """Words are also found in another case, as the model reads them."""
        if self.numerals and isinstance(key, str) and key not in self.key_to_index:
            key = fold(key, self.numerals.text.lowercase)
        return super().get_index(key, default)

    def __contains__(self, key: Any) -> bool:
        return self.has_index_for(key) or self.numeral_vector(key) is not None

    def get_vector(self, key: Any, norm: bool = False) -> Array:
        row = None if self.has_index_for(key) else self.numeral_vector(key)
        if row is None:
            found: Array = super().get_vector(key, norm)
            return found
        row = unit(row) if norm else row
        row.setflags(write=False)  # as gensim gives rows
        return row

    def numeral_vector(self, key: Any) -> Array | None:
        return self.numerals.vector(key) if self.numerals else None

    def distances(self, word_or_vector: Any, other_words: Iterable[str] = ()) -> Array:
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
        """The keys nearer to key1 than key2 is."""
        farthest = self.distances(key1, [key2])[0]
        nearer = np.flatnonzero(self.distances(key1) < farthest).tolist()
        own = {self.get_index(key, -1) for key in (key1, key2)}
        return [self.index_to_key[at] for at in nearer if at not in own]

    def unit_normalize_all(self) -> None:
        super().unit_normalize_all()
        if self.numerals:
            self.numerals.is_unit = True


def to_keyed_vectors(
    model: Embeddings, numerals: Numerals = None, side: Side = "input"
) -> NumeralKeyedVectors:
    """A copy of a model for gensim.

    `numerals` (how many of the most frequent, or a list) get an index, so that most_similar finds
    them; all others have a vector without.
    """
    chosen = materialise(model, numerals, side)
    keyed = NumeralKeyedVectors(chosen.dim)
    keyed.add_vectors(chosen.words, chosen.table)
    keyed.expandos["count"] = counts(model, chosen.words[len(model) :])
    keyed.numerals = NumeralSource(model.numerals, model.settings, side)
    return keyed


def counts(model: Embeddings, numerals: list[str]) -> Array:
    """How often each word and numeral came in the corpus; gensim sorts by it."""
    vocabulary = model.vocabulary
    occurrences = dict(
        zip(vocabulary.numeral_values.tolist(), vocabulary.numeral_counts.tolist(), strict=True)
    )
    values = model.lookup.find(numerals).values.tolist()
    of_numerals = np.array([occurrences.get(value, 0) for value in values], np.int64)
    return np.concatenate([vocabulary.word_counts, of_numerals])

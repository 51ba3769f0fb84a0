"""Ids of a text and its numerals → what speaks for the sense of a numeral: its bin, its neighbours.

A neighbour is a frequent word, a number of a kind that the text tells, or a number of a bin. Rarer
words, and places beyond the text, say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.reading.kinds import KINDS, PLAIN_INDEX
from numberline.reading.vocabulary import Numerals
from numberline.senses.bins import BINS, bins_of

NEAR = 5  # tokens on each side
PLACES = 2 * NEAR  # from the farthest on the left to the farthest on the right
GROUPS = np.array([0, 0, 0, 1, 2, 3, 4, 5, 5, 5])  # of places; those farther than 2 are one group
CONTEXT_WORDS = 8000  # the most frequent words; rarer ones say nothing
SILENT = -1  # a neighbour that says nothing

Neighbours = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int64]


def neighbour_count(words: int) -> int:
    """Return how many neighbours can be told apart in a vocabulary of this many words."""
    return min(words, CONTEXT_WORDS) + len(KINDS) + BINS


@dataclass(frozen=True, eq=False)
class Evidence:
    """What speaks for the senses of some numerals."""

    bins: npt.NDArray[np.int32]  # [numerals]
    neighbours: Neighbours  # [numerals, PLACES], or SILENT

    def __len__(self) -> int:
        return len(self.bins)

    def __getitem__(self, chosen: Any) -> Evidence:
        return Evidence(self.bins[chosen], self.neighbours[chosen])


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts as ids, one after the other: below `words` words, from there on numerals."""

    ids: npt.NDArray[Any]
    offsets: npt.NDArray[np.int64]  # text t has the ids from offsets[t] up to offsets[t + 1]
    words: int
    bins: npt.NDArray[np.int32]  # of the numerals
    neighbours: Neighbours  # that the numerals are to others

    def evidence(self, tokens: Indices) -> Evidence:
        """Return the evidence on the numerals at some tokens, which ascend."""
        texts = np.searchsorted(self.offsets, tokens, side="right") - 1
        places = tokens[:, None] + np.delete(np.arange(-NEAR, NEAR + 1), NEAR)
        starts, ends = self.offsets[texts, None], self.offsets[texts + 1, None]
        around = self.ids[np.clip(places, 0, max(len(self.ids) - 1, 0))]
        neighbours = np.where(
            (places >= starts) & (places < ends), self._neighbours_of(around), SILENT
        )
        return Evidence(self.bins[self.ids[tokens] - self.words], neighbours.astype(np.int32))

    def _neighbours_of(self, ids: npt.NDArray[Any]) -> Neighbours:
        of_words = np.where(ids < min(self.words, CONTEXT_WORDS), ids, SILENT)
        is_numeral = ids >= self.words
        of_words[is_numeral] = self.neighbours[ids[is_numeral] - self.words]
        return of_words


def texts_of(
    ids: npt.NDArray[Any], offsets: npt.NDArray[np.int64], words: int, numerals: Numerals
) -> Texts:
    """Return texts whose ids from `words` on are `numerals`."""
    first, bins = min(words, CONTEXT_WORDS), bins_of(numerals.values)
    is_plain = numerals.kinds == PLAIN_INDEX
    of_kinds = first + np.minimum(numerals.kinds, len(KINDS) - 1)
    neighbours = np.where(is_plain, first + len(KINDS) + bins, of_kinds)
    return Texts(ids, offsets, words, bins, neighbours.astype(np.int32))

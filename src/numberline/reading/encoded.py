"""An encoded corpus ↔ the folder that keeps it.

numberline.json    settings and totals (files/store.py)
ids.safetensors    ids: words 0 … V-1, numerals V … V+N-1, without words that were cut;
                   sentence_offsets: sentence number s is ids[offsets[s] : offsets[s + 1]];
                   the vocabulary (reading/stored_vocabulary.py)
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.errors import NumberlineError, describe
from numberline.fields import made_of
from numberline.files.store import Format, damaged, read_store, write_store
from numberline.files.tensors import Pieces
from numberline.reading import stored_vocabulary
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import ReadingSettings, saved_settings

ENCODED = Format("encoded corpus", 3, "ids.safetensors")
ITEMS_AT_A_TIME = 1 << 20  # checked together, so that a mapped file is never loaded whole


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """A sequence of sentences, each an array of ids.

    `vocabulary` maps ids to words and numerals; `settings` are those the text was read with.
    """

    ids: npt.NDArray[np.int32]
    sentence_offsets: npt.NDArray[np.int64]
    vocabulary: Vocabulary
    settings: ReadingSettings

    def without_kinds(self) -> EncodedCorpus:
        """Return a corpus in which each number has one id, whatever its kinds; ids are copied."""
        vocabulary = self.vocabulary
        if not vocabulary.numerals.kinds.any():
            return self
        words = np.arange(len(vocabulary.words), dtype=np.int32)
        numbers = len(words) + vocabulary.numerals.value_indices.astype(np.int32)
        plain = vocabulary.without_kinds()
        ids = np.concatenate([words, numbers])[self.ids]
        return EncodedCorpus(ids, self.sentence_offsets, plain, self.settings)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentence_offsets) - 1

    def __getitem__(self, sentence: SupportsIndex) -> npt.NDArray[np.int32]:
        try:
            number = operator.index(sentence)
        except TypeError:
            message = f"sentences are numbered by integers, not {describe(sentence)}"
            raise TypeError(message) from None
        if not -len(self) <= number < len(self):
            raise IndexError(f"no sentence {number}: the corpus holds {len(self):,}")
        number %= len(self)
        return self.ids[self.sentence_offsets[number] : self.sentence_offsets[number + 1]]

    def __iter__(self) -> Iterator[npt.NDArray[np.int32]]:
        for start, end in pairwise(self.sentence_offsets):
            yield self.ids[start:end]


def write_encoded(
    new_folder: Path,
    ids: Pieces,
    sentence_offsets: Pieces,
    vocabulary: Vocabulary,
    settings: ReadingSettings,
) -> None:
    """Write the files of an encoded corpus into a new folder: all ids, then all offsets."""
    header = {
        "settings": saved_settings(settings, ReadingSettings),
        "totals": stored_vocabulary.totals_header(vocabulary),
    }
    arrays: dict[str, Array | Pieces] = {
        "ids": ids,
        "sentence_offsets": sentence_offsets,
        **stored_vocabulary.vocabulary_arrays(vocabulary),
    }
    write_store(new_folder, ENCODED, header, arrays)


def load_encoded(folder: str | Path) -> EncodedCorpus:
    """Return the encoded corpus in a folder; its ids stay on disk and are mapped into memory."""
    header, arrays = read_store(Path(folder), ENCODED)
    try:
        encoded = EncodedCorpus(
            arrays["ids"],
            arrays["sentence_offsets"],
            stored_vocabulary.stored_vocabulary(header["totals"], arrays),
            made_of(ReadingSettings, header["settings"]),
        )
        require_consistent(encoded)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, NumberlineError):
            raise
        raise damaged(folder, error) from error
    return encoded


def require_consistent(encoded: EncodedCorpus) -> None:
    """Refuse arrays that do not fit together."""
    ids, offsets, vocabulary = encoded.ids, encoded.sentence_offsets, encoded.vocabulary
    id_count = len(vocabulary.words) + len(vocabulary.numerals)
    faults = {
        "its ids have another type": ids.dtype != np.int32 or ids.ndim != 1,
        "its offsets have another type": offsets.dtype != np.int64 or offsets.ndim != 1,
        "its ids are not as many as it counts": len(ids) != vocabulary.kept_tokens,
        "its sentences do not fit its ids": not rises_from_zero_to(len(ids), offsets),
        "it holds ids beyond its vocabulary": not are_within(ids, id_count),
    }
    for fault, is_so in faults.items():
        if is_so:
            raise ValueError(fault)


def rises_from_zero_to(last: int, offsets: npt.NDArray[np.int64]) -> bool:
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != last:
        return False
    return not any(
        (np.diff(offsets[start : start + ITEMS_AT_A_TIME + 1]) < 0).any()
        for start in range(0, len(offsets), ITEMS_AT_A_TIME)
    )


def are_within(ids: npt.NDArray[np.int32], end: int) -> bool:
    """Tell whether all ids are at least 0 and below the end."""
    parts = (ids[first : first + ITEMS_AT_A_TIME] for first in range(0, len(ids), ITEMS_AT_A_TIME))
    return all(part.min() >= 0 and part.max() < end for part in parts)


def is_encoded(folder: Path) -> bool:
    return ENCODED.is_in(folder)

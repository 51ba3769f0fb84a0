"""An encoded corpus ↔ the folder that keeps it.

encoded.json          format version, settings, totals and the words
ids.npy               words 0 … V-1, numerals V … V+N-1, without words that were cut
sentence_offsets.npy  sentence number s is ids[offsets[s] : offsets[s + 1]]
word_counts.npy, numeral_values.npy, numeral_counts.npy
"""

from __future__ import annotations

import json
import operator
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from numberline.errors import StoreError, describe
from numberline.fields import made_of
from numberline.files.store import Format, read_header
from numberline.reading.vocabulary import CorpusTotals, Vocabulary
from numberline.settings import ReadingSettings, saved_settings

ENCODED = Format("numberline-encoded-corpus", 1, "encoded.json")
TABLES = ("word_counts", "numeral_values", "numeral_counts")
OFFSETS_AT_A_TIME = 1 << 20  # checked together, so that a mapped file is never loaded whole


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """A sequence of sentences, each an array of ids.

    `vocabulary` maps ids to words and numerals; `settings` are those the text was read with.
    """

    ids: npt.NDArray[np.int32]
    sentence_offsets: npt.NDArray[np.int64]
    vocabulary: Vocabulary
    settings: ReadingSettings

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


def write_header_and_tables(
    folder: Path, vocabulary: Vocabulary, settings: ReadingSettings
) -> None:
    """Write all files of an encoded corpus except its ids and sentence offsets."""
    header = {
        "format": ENCODED.name,
        "version": ENCODED.version,
        "settings": saved_settings(settings, ReadingSettings),
        "totals": asdict(vocabulary.totals),
        "words": vocabulary.words,
    }
    text = json.dumps(header, ensure_ascii=False, indent=1)
    (folder / ENCODED.header).write_text(text, encoding="utf-8")
    for name in TABLES:
        np.save(folder / f"{name}.npy", getattr(vocabulary, name))


def load_encoded(folder: str | Path) -> EncodedCorpus:
    """Return the encoded corpus in a folder; its ids stay on disk and are mapped into memory."""
    folder = Path(folder)
    header = read_header(folder, ENCODED)
    try:
        tables = {name: np.load(folder / f"{name}.npy") for name in TABLES}
        ids = np.load(folder / "ids.npy", mmap_mode="r")
        offsets = np.load(folder / "sentence_offsets.npy", mmap_mode="r")
        vocabulary = Vocabulary(header["words"], **tables, totals=CorpusTotals(**header["totals"]))
        settings = made_of(ReadingSettings, header["settings"])
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{folder} is damaged ({error}); encode the corpus again") from error
    encoded = EncodedCorpus(ids, offsets, vocabulary, settings)
    require_consistent(folder, encoded)
    return encoded


def require_consistent(folder: Path, encoded: EncodedCorpus) -> None:
    """Refuse a folder whose arrays do not fit together: a file was cut short or mixed up."""
    vocabulary = encoded.vocabulary
    fits = (
        len(vocabulary.words) == len(vocabulary.word_counts)
        and len(vocabulary.numeral_values) == len(vocabulary.numeral_counts)
        and len(encoded.ids) == vocabulary.kept_tokens
        and encoded.ids.dtype == np.int32
        and encoded.sentence_offsets.dtype == np.int64
        and rises_from_zero_to(len(encoded.ids), encoded.sentence_offsets)
    )
    if not fits:
        raise StoreError(f"{folder} is damaged: its parts do not fit; encode it again")


def rises_from_zero_to(last: int, offsets: npt.NDArray[np.int64]) -> bool:
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != last:
        return False
    return not any(
        (np.diff(offsets[start : start + OFFSETS_AT_A_TIME + 1]) < 0).any()
        for start in range(0, len(offsets), OFFSETS_AT_A_TIME)
    )


def is_encoded(folder: Path) -> bool:
    return (folder / ENCODED.header).is_file()

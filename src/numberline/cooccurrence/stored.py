"""Counted pairs ↔ the folder that keeps them for other trainings on the same corpus.

numberline.json     the corpus' fingerprint, window and weighting (files/store.py)
pairs.safetensors   cells: of each pair the column and the bits of its count; offsets of the rows
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.cooccurrence.counting import PairCounting, Progress, counted
from numberline.cooccurrence.definition import units_by_distance
from numberline.cooccurrence.pairs import CELL, PairCounts
from numberline.errors import TrainingError
from numberline.files.store import Format, damaged, read_store, write_store
from numberline.files.tensors import Pieces
from numberline.files.whole_folder import FolderWriter
from numberline.reading.encoded import EncodedCorpus, rises_from_zero_to
from numberline.reading.fingerprint import fingerprint

PAIRS = Format("counted pairs", 1, "pairs.safetensors")
CELLS_AT_A_TIME = 1 << 22  # checked together
MOST_SHOWN = 40  # characters of a setting in a message


@dataclass(frozen=True)
class PairSettings:
    """The settings that counts of pairs depend on, beside the corpus."""

    window: int
    weighting: str

    def header(self, corpus: EncodedCorpus) -> dict[str, Any]:
        return {**vars(self), "corpus": fingerprint(corpus)}


def pairs_of(
    corpus: EncodedCorpus,
    settings: PairSettings,
    threads: int,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> PairCounts:
    """Return the counts that a folder keeps, or count now and keep the result in the folder."""
    units = units_by_distance(settings.weighting, settings.window)
    if folder is None:
        return counted(corpus, units, threads, progress)
    if not PAIRS.is_in(folder):
        with (
            FolderWriter(folder, PAIRS.kind, overwrite=False) as writer,
            PairCounting(corpus, units, threads) as counting,
        ):
            counting.count(progress)
            with writer.replace() as new_folder:
                write_pairs(counting, settings.header(corpus), new_folder)
    ids = len(corpus.vocabulary.words) + len(corpus.vocabulary.numerals)
    return load_pairs(folder, settings.header(corpus), ids)


def write_pairs(counting: PairCounting, header: dict[str, Any], new_folder: Path) -> None:
    lengths = [np.zeros(1, np.int64)]

    def cells() -> Iterator[npt.NDArray[np.int32]]:
        for part_lengths, part_cells in counting.merged():
            lengths.append(part_lengths)
            yield part_cells

    def offsets() -> Iterator[npt.NDArray[np.int64]]:
        """Yield the offsets, which are known when all cells are written."""
        yield np.cumsum(np.concatenate(lengths))

    arrays = {"cells": Pieces(np.int32, cells()), "offsets": Pieces(np.int64, offsets())}
    write_store(new_folder, PAIRS, header, arrays)


def load_pairs(folder: Path, header: dict[str, Any], ids: int) -> PairCounts:
    """Return the pairs in a folder; refuse those of another corpus or counted otherwise.

    `ids` is the number of the corpus' words and numerals.
    """
    stored, arrays = read_store(folder, PAIRS)
    for name, wanted in header.items():
        if stored.get(name) != wanted:
            found = str(stored.get(name))[:MOST_SHOWN]
            what = "from another corpus" if name == "corpus" else f"with {name}={found}"
            raise TrainingError(f"{folder} holds pairs counted {what}; name another folder")
    try:
        pairs = PairCounts(arrays["offsets"], arrays["cells"].view(CELL))
        if len(pairs) != ids:
            raise ValueError("its rows are not those of the corpus' ids")
        require_sound(pairs)
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(folder, error) from error
    return pairs


def require_sound(pairs: PairCounts) -> None:
    """Refuse offsets, columns and counts that do not fit together."""
    if pairs.offsets.dtype != np.int64 or not rises_from_zero_to(len(pairs.cells), pairs.offsets):
        raise ValueError("its offsets do not fit its cells")
    for first in range(0, len(pairs.cells), CELLS_AT_A_TIME):
        part = pairs.cells[first : first + CELLS_AT_A_TIME]
        columns, counts = part["column"], part["count"]
        if columns.min() < 0 or columns.max() >= len(pairs):
            raise ValueError("it holds ids beyond its rows")
        if not (np.isfinite(counts).all() and counts.min() > 0):
            raise ValueError("it holds counts that are not above zero")

"""An encoded corpus → the counts of its pairs, by all threads, in bounded memory.

Each thread counts into a hash table of its own. A table that is full is sorted and written to a
temporary file; at the end, all sorted runs are merged, a range of rows at a time.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, wait
from itertools import pairwise
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from numberline.cooccurrence.definition import UNITS_OF_ONE, Units
from numberline.cooccurrence.pairs import CELL, PairCounts
from numberline.kernels import require_native
from numberline.reading.encoded import EncodedCorpus
from numberline.reading.parallel import ordered_map
from numberline.threads import thread_pool

TABLE_BYTES = 1 << 29  # of all threads' tables; sorting them takes as much again
SLOT_BYTES = 16
BLOCK_TOKENS = 1 << 17  # counted between two looks at whether to stop
PART_CELLS = 1 << 22  # merged at a time by a thread
PART_ROWS = 1 << 22  # at most; native code takes up to 2^24
IN_MEMORY_BYTES = 2 << 30  # a larger result goes to a temporary file
ALIGNMENT = 8  # bytes; arrays of keys begin at a multiple
SAMPLED_KEYS = 1 << 16  # of all runs together, to cut rows into parts
PROGRESS_SECONDS = 0.2

Run = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]
Progress = Callable[[float], None]
"""Called with the fraction of the text that is counted."""
Part = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]
"""The number of cells in each of some rows, and their cells as pairs of 32-bit items."""


class PairCounting:
    """The sorted runs of a corpus' pairs, and the merged rows.

    Leaving `with` closes the temporary file; what is mapped stays there until it is no longer used.
    """

    def __init__(self, corpus: EncodedCorpus, units: Units, threads: int) -> None:
        vocabulary = corpus.vocabulary
        self.id_count = len(vocabulary.words) + len(vocabulary.numerals.values)
        self._corpus, self._units, self._threads = corpus, units, threads
        self._runs: list[Run] = []
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()
        self._next_token = 0
        self._is_stopped = False

    def __enter__(self) -> PairCounting:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def count(self, progress: Progress | None = None) -> None:
        """Count all pairs of the text."""
        tokens = max(1, len(self._corpus.ids))
        pool = thread_pool(self._threads)
        try:
            workers = {pool.submit(self._work) for _ in range(self._threads)}
            while workers:
                done, workers = wait(workers, PROGRESS_SECONDS, FIRST_EXCEPTION)
                for worker in done:
                    worker.result()
                if progress is not None:
                    progress(min(self._next_token, tokens) / tokens)
        finally:
            self._is_stopped = True
            pool.shutdown()

    def _work(self) -> None:
        counter = require_native().PairCounter(
            ids=self._corpus.ids,
            sentence_offsets=self._corpus.sentence_offsets,
            id_count=self.id_count,
            units=self._units,
            most_slots=max(1, TABLE_BYTES // SLOT_BYTES // self._threads),
        )
        for first, last in self._blocks():
            while (first := counter.count(first_token=first, last_token=last)) < last:
                for run in counter.take():
                    self._write(run)
        self._runs += [run for run in counter.take() if len(run[0])]

    def _blocks(self) -> Iterator[tuple[int, int]]:
        while True:
            with self._lock:
                first = self._next_token
                if self._is_stopped or first >= len(self._corpus.ids):
                    return
                self._next_token += BLOCK_TOKENS
            yield first, min(first + BLOCK_TOKENS, len(self._corpus.ids))

    def _write(self, run: Run) -> None:
        """Move a run to the temporary file, from where it is mapped into memory."""
        with self._lock:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115
            mapped = []
            for array in run:
                end = self._file.seek(0, 2)
                first = self._file.seek(end + -end % ALIGNMENT)
                self._file.write(array.data)
                self._file.flush()
                mapped.append(np.memmap(self._file, array.dtype, "r", first, array.shape))
            self._runs.append((mapped[0], mapped[1]))

    @property
    def most_cells(self) -> int:
        """Return an upper bound of the number of pairs: each run may hold some of the same."""
        return sum(len(keys) for keys, _ in self._runs)

    def merged(self) -> Iterator[Part]:
        """Yield all rows in their order, some at a time."""
        keys, units = [run[0] for run in self._runs], [run[1] for run in self._runs]

        def merge(rows: tuple[int, int]) -> Part:
            part: Part = require_native().merge_pairs(
                keys=keys,
                units=units,
                id_count=self.id_count,
                first_row=rows[0],
                last_row=rows[1],
                units_of_one=UNITS_OF_ONE,
            )
            return part

        return ordered_map(merge, pairwise(self._part_bounds()), self._threads)

    def _part_bounds(self) -> list[int]:
        """Return the rows that cut the table into parts of about equal work."""
        step = max(1, self.most_cells // SAMPLED_KEYS)
        sample = np.sort(
            np.concatenate([np.zeros(0, np.uint64), *(k[::step] for k, _ in self._runs)])
        )
        stride = max(1, PART_CELLS // step)
        rows = (sample[::stride] // np.uint64(self.id_count)).astype(np.int64)
        evenly = np.arange(0, self.id_count, PART_ROWS)
        return np.unique(np.concatenate([evenly, rows, [self.id_count]])).tolist()  # type: ignore[no-any-return]


def counted(
    corpus: EncodedCorpus, units: Units, threads: int, progress: Progress | None = None
) -> PairCounts:
    """Return the counts of all pairs, in memory, or in a temporary file if they are many."""
    with PairCounting(corpus, units, threads) as counting:
        counting.count(progress)
        if counting.most_cells * CELL.itemsize > IN_MEMORY_BYTES:
            return in_temporary_file(counting)
        lengths, cells = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)]
        for part_lengths, part_cells in counting.merged():
            lengths.append(part_lengths)
            cells.append(part_cells)
        return pair_counts(np.concatenate(lengths), np.concatenate(cells))


def in_temporary_file(counting: PairCounting) -> PairCounts:
    """Merge into a file without a name, which is deleted when its cells are no longer used."""
    lengths = [np.zeros(1, np.int64)]
    with tempfile.TemporaryFile() as file:
        for part_lengths, part_cells in counting.merged():
            lengths.append(part_lengths)
            file.write(part_cells.data)
        file.flush()
        mapped = np.memmap(file, np.int32, "r")
    return pair_counts(np.concatenate(lengths), mapped)


def pair_counts(lengths: npt.NDArray[np.int64], cells: npt.NDArray[Any]) -> PairCounts:
    """Return counts from 0 and the length of each row, and the items of all cells."""
    return PairCounts(np.cumsum(lengths), cells.view(CELL))

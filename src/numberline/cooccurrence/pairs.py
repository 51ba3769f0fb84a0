"""The counts of all pairs of ids: one sparse row for each id."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats

CELL = np.dtype([("column", "<i4"), ("count", "<f4")])  # PairCell in native/cooccurrence


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Row i has the cells offsets[i] to offsets[i + 1] - 1, by ascending column.

    The table is symmetric: a pair counts in the row of either id.
    """

    offsets: npt.NDArray[np.int64]  # [ids + 1]
    cells: npt.NDArray[np.void]  # [pairs] of CELL; they may lie on disk

    def __len__(self) -> int:
        """Return the number of ids."""
        return len(self.offsets) - 1

    @property
    def columns(self) -> npt.NDArray[np.int32]:
        return self.cells["column"]

    @property
    def counts(self) -> npt.NDArray[np.float32]:
        return self.cells["count"]

    def row_sums(self, values: Array | None = None) -> Floats:
        """Return the sum of each row's counts, or of other values of its cells."""
        numbers = self.counts if values is None else values
        sums = np.zeros(len(self))
        for first, last in self.row_ranges(1):
            part = numbers[self.offsets[first] : self.offsets[last]].astype(np.float64)
            ends = self.offsets[first : last + 1] - self.offsets[first]
            sums[first:last] = np.diff(np.concatenate([[0], np.cumsum(part)])[ends])
        return sums

    def row_ranges(self, at_least: int, most_cells: int = 1 << 22) -> list[tuple[int, int]]:
        """Cut the rows into ranges of about as many cells, `at_least` of them if there are rows."""
        cells = min(most_cells, max(1, len(self.cells) // at_least))
        targets = np.arange(cells, len(self.cells), cells)
        inner = np.searchsorted(self.offsets, targets)
        bounds = np.unique(np.concatenate([[0], inner, [len(self)]])).tolist()
        return list(pairwise(bounds))

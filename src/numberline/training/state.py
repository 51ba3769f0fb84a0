"""Tables and the next block: the state from which training continues, on a CPU or a GPU."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.numerals.base import SIDES, FittedEncoder, Side
from numberline.numerals.kinds import NO_KINDS, KindRows
from numberline.numerals.rows import SparseRows
from numberline.numerals.vectors import PrototypeVectors
from numberline.reading.vocabulary import Numerals
from numberline.training.tables import Tables


@dataclass(frozen=True, eq=False)
class TrainingState:
    """The vectors after some blocks. Random draws have no state: see training/random.py."""

    tables: Tables
    fitted: FittedEncoder | None  # None: the corpus holds no numerals
    next_block: int = 0
    seconds: float = 0.0  # spent so far
    kinds: KindRows = NO_KINDS

    @property
    def is_frozen(self) -> bool:
        """Tell whether prototypes never move."""
        return self.fitted is not None and self.fitted.is_frozen

    @property
    def numerals(self) -> PrototypeVectors | None:
        """Return a copy of the vectors of numerals as they are now."""
        if self.fitted is None:
            return None
        inputs, outputs = self.tables.prototype_input, self.tables.prototype_output
        return PrototypeVectors(self.fitted, inputs.copy(), outputs.copy(), self.kinds)

    def numeral_rows(self, numerals: Numerals) -> dict[Side, SparseRows]:
        """Return the weights of all numerals of a corpus, for each side."""
        values = numerals.values
        if self.fitted is None:
            nothing = np.zeros(0, np.int32), np.zeros(0, np.float32)
            empty = SparseRows(np.zeros(len(values) + 1, np.int64), *nothing, 0)
            return {"input": empty, "output": empty}
        rows = {side: self.fitted.weights(values, side) for side in SIDES}
        return {
            side: self.kinds.extended(row, values, numerals.kinds, side)
            for side, row in rows.items()
        }

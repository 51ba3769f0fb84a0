"""What a trainer needs to know, on whatever device: text, rows of weights, tables and settings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numberline.numerals.base import SIDES, FittedEncoder, Side
from numberline.numerals.rows import SparseRows
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.reference import RunLimits
from numberline.training.tables import Tables

# Numerals of a run do not see each other move. With 64 tokens or 16 numerals that costs no quality;
# composing rows anew for every window would cost speed.
RUN_LIMITS = RunLimits(draws=16, numerals=16)


@dataclass(frozen=True, eq=False)
class TrainingJob:
    corpus: EncodedCorpus
    tables: Tables
    rows: dict[Side, SparseRows]  # of the corpus' numerals, by side
    is_frozen: bool  # prototypes stay as they are
    settings: Settings
    run_limits: RunLimits = RUN_LIMITS


def rows_of(corpus: EncodedCorpus, fitted: FittedEncoder | None) -> dict[Side, SparseRows]:
    """Return the weights of all numerals of a corpus, for either side."""
    values = corpus.vocabulary.numeral_values
    if fitted is None:
        nothing = np.zeros(0, np.int32), np.zeros(0, np.float32)
        empty = SparseRows(np.zeros(len(values) + 1, np.int64), *nothing, 0)
        return {"input": empty, "output": empty}
    return {side: fitted.weights(values, side) for side in SIDES}

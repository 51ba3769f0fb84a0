"""An encoded corpus and settings → the plan of any block of its text."""

from __future__ import annotations

from typing import Any

import numpy as np

from numberline.kernels import native, require_native
from numberline.numerals.rows import SparseRows
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.cpu import native_corpus, native_sampling, native_side
from numberline.training.plan import plan_windows
from numberline.training.random import epoch_key
from numberline.training.sampling import Sampling, sampling_of
from numberline.training.schedule import Block
from numberline.training.tables import zero_rows
from numberline_paper.lstm.batches import PlanArrays


class BlockPlanner:
    """Plans windows natively, or by the definition where the package was not built."""

    def __init__(self, corpus: EncodedCorpus, settings: Settings) -> None:
        self._corpus, self._seed = corpus, settings.seed
        self.sampling = sampling_of(corpus.vocabulary, len(corpus.ids), settings)
        self._native = native_planner(corpus, self.sampling) if native() else None

    def plan(self, block: Block) -> PlanArrays:
        """Return the windows of a block, and the negatives drawn for them."""
        key = epoch_key(self._seed, block.epoch)
        if self._native is None:
            plan = vars(plan_windows(self._corpus, block, self.sampling, key))
        else:
            tokens = {"first_token": block.first_token, "last_token": block.last_token}
            plan = self._native.plan(**tokens, key=key)
        return PlanArrays.of(plan, self.sampling.negatives_per_group)


def native_planner(corpus: EncodedCorpus, sampling: Sampling) -> Any:
    """Return a native trainer that only plans: its table of zeros has one prototype, never used."""
    offsets = np.zeros(len(corpus.vocabulary.numeral_values) + 1, np.int64)
    no_rows = SparseRows(offsets, np.zeros(0, np.int32), np.zeros(0, np.float32), 1)
    side = native_side(zero_rows(sampling.words + 1, 1), no_rows)
    return require_native().BlockTrainer(
        corpus=native_corpus(corpus),
        sampling=native_sampling(sampling),
        input=side,
        output=side,
        is_frozen=True,
        is_cbow=False,
    )

"""An encoded corpus and settings → the windows and negatives of any block of its text, as arrays.

This is for trainers of other packages: numberline's own kernels plan for themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

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

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PlannedWindows:
    """A WindowPlan as arrays. Tokens outside first_centre … last_centre - 1 are contexts only."""

    ids: Ids  # [tokens]
    first_context: Ids  # [tokens] contexts are first … last - 1, without the centre
    last_context: Ids
    first_centre: int
    last_centre: int
    negatives: Ids  # [groups, negatives] for CENTRES_PER_GROUP centres each


class BlockPlanner:
    """Plans windows natively, or by the definition in plan.py if the package was not built."""

    def __init__(self, corpus: EncodedCorpus, settings: Settings) -> None:
        self._corpus, self._seed = corpus, settings.seed
        self._sampling = sampling_of(corpus.vocabulary, len(corpus.ids), settings)
        self._native = native_planner(corpus, self._sampling) if native() else None

    @property
    def keep_probability(self) -> npt.NDArray[np.float32]:
        """The probability that an occurrence of each word is kept."""
        return self._sampling.keep_probability

    def plan(self, block: Block) -> PlannedWindows:
        """Return the windows of a block, and the negatives drawn for them."""
        key = epoch_key(self._seed, block.epoch)
        if self._native is None:
            plan = vars(plan_windows(self._corpus, block, self._sampling, key))
        else:
            tokens = {"first_token": block.first_token, "last_token": block.last_token}
            plan = self._native.plan(**tokens, key=key)
        names = ("ids", "first_context", "last_context", "negatives")
        arrays = {name: np.asarray(plan[name], np.int64) for name in names}
        arrays["negatives"] = arrays["negatives"].reshape(-1, self._sampling.negatives_per_group)
        return PlannedWindows(
            first_centre=plan["first_centre"], last_centre=plan["last_centre"], **arrays
        )


def native_planner(corpus: EncodedCorpus, sampling: Sampling) -> Any:
    """Return a native trainer that only plans: its table of zeros has one prototype, never used."""
    offsets = np.zeros(len(corpus.vocabulary.numerals) + 1, np.int64)
    no_rows = SparseRows(offsets, np.zeros(0, np.int32), np.zeros(0, np.float32), 1)
    side = native_side(zero_rows(sampling.words + 1, 1), no_rows)
    return require_native().BlockTrainer(
        corpus=native_corpus(corpus),
        sampling=native_sampling(sampling),
        input=side,
        output=side,
        is_frozen=True,
        is_cbow=False,
        score_offset=0.0,
    )

"""An encoded corpus and settings → the plan of any range of its text, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from numberline.config import TrainingConfig
from numberline.kernels import native, require_native
from numberline.text.encoded import EncodedCorpus
from numberline.training.cpu import native_sampling
from numberline.training.job import rows_of
from numberline.training.plan import plan_windows
from numberline.training.random import epoch_key
from numberline.training.sampling import Sampling, sampling_of
from numberline.training.schedule import TextRange
from numberline.training.tables import Tables
from numberline_paper.window_batches import PlanArrays


class RangePlanner:
    """Plans windows natively, or by the definition where the package was not built."""

    def __init__(
        self, corpus: EncodedCorpus, tables: Tables, config: TrainingConfig, seed: int
    ) -> None:
        self._corpus, self._seed = corpus, seed
        self._sampling = sampling_of(corpus.vocabulary, len(corpus.ids), config)
        self._native = native_planner(corpus, self._sampling, tables) if native() else None

    def plan(self, text: TextRange) -> PlanArrays:
        """Return the windows of a range, and what is drawn for them."""
        offsets = self._corpus.sentence_offsets[text.first_sentence : text.last_sentence + 1]
        where = {
            "ids": self._corpus.ids,
            "sentence_offsets": offsets,
            "first_token": text.first_token,
            "last_token": text.last_token,
            "key": epoch_key(self._seed, text.epoch),
        }
        if self._native is None:
            plan = vars(plan_windows(sampling=self._sampling, **where))
        else:
            plan = self._native.plan(**where)
        negatives = np.asarray(plan["negatives"], np.int64)
        return PlanArrays(
            *(np.asarray(plan[name], np.int64) for name in ("ids", "first_context", "last_context")),
            plan["first_centre"],
            plan["last_centre"],
            negatives.reshape(-1, self._sampling.negatives_per_draw),
        )


def native_planner(corpus: EncodedCorpus, sampling: Sampling, tables: Tables) -> Any:
    """Return a native trainer that is only asked for plans; it wants tables all the same."""
    empty = rows_of(corpus, None)["input"]
    rows = empty.offsets, empty.indices, empty.weights
    return require_native().RangeTrainer(
        sampling=native_sampling(sampling),
        input=tables.padded_input,
        output=tables.padded_output,
        input_rows=rows,
        output_rows=rows,
        is_frozen=True,
        run_draws=1,
        run_numerals=1,
    )

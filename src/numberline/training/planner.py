"""An encoded corpus and settings → the windows and negatives of any range of its text, as arrays.

numberline's trainers plan inside their kernels; this is for trainers of other packages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.kernels import native, require_native
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.cpu import native_sampling, row_arrays
from numberline.training.job import rows_of
from numberline.training.plan import plan_windows
from numberline.training.random import epoch_key
from numberline.training.sampling import Sampling, sampling_of
from numberline.training.schedule import TextRange
from numberline.training.tables import zero_rows

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PlannedWindows:
    """Kept tokens. Those before first_centre and from last_centre on lie outside the range."""

    ids: Ids  # [tokens]
    first_context: Ids  # [tokens] contexts are first … last - 1, but the centre
    last_context: Ids
    first_centre: int
    last_centre: int
    negatives: Ids  # [draws, negatives] each draw is shared by CENTRES_PER_DRAW centres


class RangePlanner:
    """Plan windows natively, or by the definition in plan.py where the package was not built."""

    def __init__(self, corpus: EncodedCorpus, settings: Settings) -> None:
        self._corpus, self._seed = corpus, settings.seed
        self._sampling = sampling_of(corpus.vocabulary, len(corpus.ids), settings)
        self._native = native_planner(corpus, self._sampling) if native() else None

    @property
    def keep_probability(self) -> npt.NDArray[np.float32]:
        """Return for each word the probability that an occurrence is kept."""
        return self._sampling.keep_probability

    def plan(self, text: TextRange) -> PlannedWindows:
        """Return the windows of a range, and the negatives drawn for them."""
        sentences = slice(text.first_sentence, text.last_sentence + 1)
        where: dict[str, Any] = {
            "ids": self._corpus.ids,
            "sentence_offsets": self._corpus.sentence_offsets[sentences],
            "first_token": text.first_token,
            "last_token": text.last_token,
            "key": epoch_key(self._seed, text.epoch),
        }
        if self._native is None:
            plan = vars(plan_windows(sampling=self._sampling, **where))
        else:
            plan = self._native.plan(**where)
        names = ("ids", "first_context", "last_context", "negatives")
        arrays = {name: np.asarray(plan[name], np.int64) for name in names}
        arrays["negatives"] = arrays["negatives"].reshape(-1, self._sampling.negatives_per_draw)
        return PlannedWindows(
            first_centre=plan["first_centre"], last_centre=plan["last_centre"], **arrays
        )


def native_planner(corpus: EncodedCorpus, sampling: Sampling) -> Any:
    """Return a native trainer for plans only; it needs a table nevertheless."""
    rows = row_arrays(rows_of(corpus, None)["input"])
    table = zero_rows(sampling.words + 1, 1)
    return require_native().RangeTrainer(
        sampling=native_sampling(sampling),
        input=table,
        output=table,
        input_rows=rows,
        output_rows=rows,
        is_frozen=True,
        run_draws=1,
        run_numerals=1,
    )

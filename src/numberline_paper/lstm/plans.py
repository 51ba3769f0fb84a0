"""An encoded corpus and settings → the plan of any range of its text."""

from __future__ import annotations

from typing import Any

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
from numberline_paper.lstm.batches import PlanArrays


class RangePlanner:
    """Plans windows natively, or by the definition where the package was not built."""

    def __init__(self, corpus: EncodedCorpus, settings: Settings) -> None:
        self._corpus, self._seed = corpus, settings.seed
        self.sampling = sampling_of(corpus.vocabulary, len(corpus.ids), settings)
        self._native = native_planner(corpus, self.sampling) if native() else None

    def plan(self, text: TextRange) -> PlanArrays:
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
            plan = vars(plan_windows(sampling=self.sampling, **where))
        else:
            plan = self._native.plan(**where)
        return PlanArrays.of(plan, self.sampling.negatives_per_draw)


def native_planner(corpus: EncodedCorpus, sampling: Sampling) -> Any:
    """Return a native trainer to be asked for plans only; it is made with a table all the same."""
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

"""An encoded corpus and the objective ppmi → trained tables: pairs are counted, then factorised."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from numberline.cooccurrence.pairs import PairCounts
from numberline.cooccurrence.stored import PairSettings, pairs_of
from numberline.kernels import require_native
from numberline.objectives import Glove, Ppmi
from numberline.reading.encoded import EncodedCorpus
from numberline.settings import Settings
from numberline.training.ppmi import factorised
from numberline.training.progress import PairProgress, TrainingCallback
from numberline.training.refusals import unsuitable
from numberline.training.state import TrainingState


def fit_ppmi(
    corpus: EncodedCorpus,
    start: TrainingState,
    settings: Settings,
    pairs_folder: Path | None,
    callback: TrainingCallback | None,
) -> tuple[TrainingState, dict[str, Any], PairProgress]:
    """Return the solved state, facts about it, and the progress at its end."""
    assert isinstance(settings.objective, Ppmi)
    if start.is_frozen:
        raise unsuitable(settings, "whose vectors do not learn")
    began = time.monotonic()
    progress = PairProgress(len(corpus.ids))

    def report(fraction: float) -> None:
        progress.tokens = round(fraction * progress.total_tokens)
        if callback is not None:
            callback(progress)

    pairs = counted_pairs(corpus, settings, pairs_folder, progress, callback)
    counted = time.monotonic()
    tables = factorised(
        pairs,
        corpus.vocabulary,
        start,
        settings.objective,
        settings.seed,
        settings.threads,
        report,
    )
    ended = time.monotonic()
    facts = {
        "tokens": len(corpus.ids),
        "pairs": len(pairs.cells),
        "counting_seconds": counted - began,
        "seconds": ended - began,
        "loss": None,
        "threads": settings.threads,
        "instruction_set": require_native().instruction_set(),
    }
    return replace(start, tables=tables, seconds=ended - began), facts, progress


def counted_pairs(
    corpus: EncodedCorpus,
    settings: Settings,
    folder: Path | None,
    progress: PairProgress,
    callback: TrainingCallback | None,
) -> PairCounts:
    """Return the pairs that an objective needs, counted now or kept in a folder."""
    assert isinstance(settings.objective, Ppmi | Glove)

    def report(fraction: float) -> None:
        progress.counting = fraction
        if callback is not None:
            callback(progress)

    chosen = PairSettings(settings.window, settings.objective.weighting)
    pairs = pairs_of(corpus, chosen, settings.threads, folder, report)
    progress.counting = None
    return pairs

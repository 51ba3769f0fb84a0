"""The loss of the latest text → whether training has diverged, and the error that says so."""

from __future__ import annotations

import math

from numberline.errors import TrainingError
from numberline.settings import Settings
from numberline.training.progress import TrainingProgress

DIVERGED_LOSS_RATIO = 3  # stop above this multiple of the untrained loss: it only grows from there


def untrained_loss(settings: Settings) -> float:
    """Return the loss of vectors that know nothing: all their products are 0."""
    negatives = settings.negatives  # also the odds against the centre, from which scores start
    return math.log1p(negatives) + negatives * math.log1p(1 / negatives)


def has_diverged(loss_sum: float, progress: TrainingProgress, settings: Settings) -> bool:
    limit = DIVERGED_LOSS_RATIO * untrained_loss(settings)
    return not math.isfinite(loss_sum) or progress.loss > limit


def diverged(settings: Settings) -> TrainingError:
    return TrainingError(
        "training diverges: the vectors grow without bounds; "
        f"lower learning_rate={settings.learning_rate}"
    )

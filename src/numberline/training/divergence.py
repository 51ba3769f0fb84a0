"""The loss of the latest text → whether training has diverged, and the error that says so."""

from __future__ import annotations

import math

from numberline.errors import TrainingError
from numberline.settings import TrainingConfig
from numberline.training.progress import TrainingProgress

DIVERGED_LOSS_RATIO = 3  # stop above this multiple of the untrained loss: it only grows from there


def untrained_loss(config: TrainingConfig) -> float:
    """Return the loss of vectors that know nothing: all their products are 0."""
    odds = math.exp(config.score_offset)
    return math.log1p(odds) + config.negatives * math.log1p(1 / odds)


def has_diverged(loss_sum: float, progress: TrainingProgress, config: TrainingConfig) -> bool:
    limit = DIVERGED_LOSS_RATIO * untrained_loss(config)
    return not math.isfinite(loss_sum) or progress.loss > limit


def diverged(config: TrainingConfig) -> TrainingError:
    settings = {"learning_rate": config.learning_rate}
    if config.negatives_of_numerals:
        settings = {"numeral_negatives": config.negatives_of_numerals} | settings
    named = " or ".join(f"{name}={value}" for name, value in settings.items())
    return TrainingError(f"training diverges: the vectors grow without bounds; lower {named}")

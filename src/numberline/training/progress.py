"""Trained blocks → tokens and mean loss so far; an error if training diverges."""

from __future__ import annotations

import math
from collections.abc import Callable

from numberline.errors import TrainingError, setting_text
from numberline.settings import Settings
from numberline.training.schedule import Schedule

LOSS_MEMORY = 20_000  # pairs over which the loss is averaged, the latest counting most
DIVERGED_LOSS_RATIO = 3  # stop above this multiple of the untrained loss: it only grows from there
UNTRAINED_PAIRS = 100  # counted beside those measured: a few pairs alone are no sign of divergence


class TrainingProgress:
    """The progress of a training, as callbacks get it."""

    def __init__(self, schedule: Schedule, next_block: int = 0) -> None:
        self.total_tokens = schedule.tokens  # of all epochs, before frequent words are dropped
        self.tokens = round(schedule.done_before(next_block) * schedule.tokens) if next_block else 0
        self.learning_rate = 0.0
        self.gpu: str | None = None  # the name of the GPU that trains, if one does
        self.gap_model: float | None = None  # fraction of it that is trained, after the vectors
        self._settings = schedule.settings
        self._loss_sum = self._weight = 0.0

    @property
    def loss(self) -> float | None:
        """Return the mean loss of a centre and a context over the latest text, in nats.

        `untrained_loss` is that of vectors that know nothing. A text of a few words may have no
        window in which the loss is measured; then it is None.
        """
        return self._loss_sum / self._weight if self._weight else None

    def add(self, tokens: int, rate: float, loss_sum: float, pairs: int) -> None:
        """Add trained text and the loss of a sample of its pairs; raise if training diverges."""
        self.tokens += tokens
        self.learning_rate = rate
        memory = math.exp(-pairs / LOSS_MEMORY)
        self._loss_sum = memory * self._loss_sum + loss_sum
        self._weight = memory * self._weight + pairs
        untrained = untrained_loss(self._settings)
        mean = (self._loss_sum + UNTRAINED_PAIRS * untrained) / (self._weight + UNTRAINED_PAIRS)
        if not mean <= DIVERGED_LOSS_RATIO * untrained:  # nor if it is not a number
            raise diverged(self._settings)


TrainingCallback = Callable[[TrainingProgress], None]


def untrained_loss(settings: Settings) -> float:
    """Return the loss of vectors that know nothing, whose products are all 0."""
    odds = math.exp(settings.score_offset)  # against the centre
    return math.log1p(odds) + settings.negatives * math.log1p(1 / odds)


def diverged(settings: Settings) -> TrainingError:
    return TrainingError(
        "training diverges: the vectors grow without bounds; "
        f"lower {setting_text('learning_rate', settings.learning_rate)}"
    )

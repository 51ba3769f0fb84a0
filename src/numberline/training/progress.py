"""How far training is, and how well it goes."""

from __future__ import annotations

import math
from collections.abc import Callable

from numberline.training.schedule import Schedule

LOSS_MEMORY = 20_000  # pairs over which the loss is averaged, the latest counting most


class TrainingProgress:
    """What a callback is told, from time to time."""

    def __init__(self, schedule: Schedule, next_range: int = 0) -> None:
        self.total_tokens = schedule.tokens  # of all epochs, before frequent words are thinned out
        self.tokens = round(schedule.done_before(next_range) * schedule.tokens) if next_range else 0
        self.learning_rate = 0.0
        self.gpu: str | None = None  # its name, if one does the work
        self._loss_sum = self._weight = 0.0

    @property
    def loss(self) -> float:
        """Return the mean loss of a centre and a context over the latest text, in nats.

        training.divergence.untrained_loss says what vectors that know nothing give.
        """
        return self._loss_sum / self._weight if self._weight else float("nan")

    def add(self, tokens: int, rate: float, loss_sum: float, pairs: int) -> None:
        self.tokens += tokens
        self.learning_rate = rate
        memory = math.exp(-pairs / LOSS_MEMORY)
        self._loss_sum = memory * self._loss_sum + loss_sum
        self._weight = memory * self._weight + pairs


TrainingCallback = Callable[[TrainingProgress], None]

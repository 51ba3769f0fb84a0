"""How far training is, and how well it goes."""

from __future__ import annotations

import math
from collections.abc import Callable

from numberline.training.schedule import Schedule

MEMORY = 20_000  # pairs over which the loss is averaged, the latest counting most


class TrainingProgress:
    """What a callback is told, from time to time."""

    def __init__(self, schedule: Schedule, next_block: int = 0) -> None:
        self.total_tokens = schedule.tokens  # of all epochs, before frequent words are thinned out
        begin = next_block < schedule.blocks and next_block > 0
        self.tokens = round(schedule[next_block].done_share * schedule.tokens) if begin else 0
        self.learning_rate = 0.0
        self.gpu: str | None = None  # its name, if one does the work
        self._loss_sum = self._weight = 0.0

    @property
    def loss(self) -> float:
        """Mean over the latest blocks of what it costs to tell a token by one of its contexts.

        In nats: -log of the probabilities given to the token and against its negatives. For what
        vectors that know nothing give see training.trainer.ignorant_loss.
        """
        return self._loss_sum / self._weight if self._weight else float("nan")

    def add(self, tokens: int, rate: float, loss_sum: float, pairs: int) -> None:
        self.tokens += tokens
        self.learning_rate = rate
        memory = math.exp(-pairs / MEMORY)
        self._loss_sum = memory * self._loss_sum + loss_sum
        self._weight = memory * self._weight + pairs


TrainingCallback = Callable[[TrainingProgress], None]

"""A batch of windows → words, and the networks that compose numerals, moved by one step.

The definition is training/reference.py; here a step has more windows. All scores of a batch are
taken before anything moves, and a row moves by the sum of its changes. The change of a numeral's
row moves the parameters of its network by the transposed Jacobian, which autograd knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from numberline.training.plan import CENTRES_PER_GROUP
from numberline_paper.lstm.batches import RowsOfSide, WindowBatch
from numberline_paper.lstm.digits import Digits
from numberline_paper.lstm.prefixes import read_prefixes
from numberline_paper.lstm.vectors import read


@dataclass(frozen=True, eq=False)
class TrainedSide:
    """What training changes on one side."""

    words: Tensor  # [words, dim]
    network: nn.LSTM | None  # None: the corpus holds no numerals


class BatchRows:
    """The rows of one side in one batch, words first."""

    def __init__(self, side: TrainedSide, rows: RowsOfSide, numerals: Digits) -> None:
        self._side, device = side, side.words.device
        words = int((rows.ids < len(side.words)).sum())
        self._words = torch.from_numpy(rows.ids[:words]).to(device)
        self._index = torch.from_numpy(rows.index).to(device)
        self._rows = side.words.index_select(0, self._words)
        self._composed: Tensor | None = None
        if side.network is not None and words < len(rows.ids):
            compose = read if device.type == "cuda" else read_prefixes
            self._composed = compose(side.network, numerals[rows.ids[words:] - len(side.words)])
            self._rows = torch.cat([self._rows, self._composed.detach()])

    @property
    def vectors(self) -> Tensor:
        """Return the rows in the columns that need them: [groups, columns, dim]."""
        return self._rows[self._index]

    def move(self, changes: Tensor) -> None:
        """Add up the changes of each row, in all its columns, and move what it is made of."""
        total = torch.zeros_like(self._rows)
        total.index_add_(0, self._index.flatten(), changes.flatten(0, 1))
        words = len(self._words)
        self._side.words.index_add_(0, self._words, total[:words])
        if self._composed is not None and self._side.network is not None:
            parameters = list(self._side.network.parameters())
            moves = torch.autograd.grad(self._composed, parameters, total[words:])
            for parameter, move in zip(parameters, moves, strict=True):
                parameter.data += move


def train_batch(
    batch: WindowBatch,
    sides: tuple[TrainedSide, TrainedSide],
    numerals: Digits,
    learning_rate: float,
    score_offset: float,
) -> Tensor:
    """Train a batch; return the sum of its losses before the step, in nats."""
    inputs, outputs = (
        BatchRows(side, rows, numerals)
        for side, rows in zip(sides, (batch.inputs, batch.outputs), strict=True)
    )
    x, o = inputs.vectors, outputs.vectors
    means = None if batch.means is None else torch.from_numpy(batch.means).to(x)
    x = x if means is None else means @ x
    counts = torch.from_numpy(batch.counts).to(x)
    labels = (torch.arange(o.shape[1], device=x.device) < CENTRES_PER_GROUP).to(x)
    scores = x @ o.mT - score_offset
    gradients = learning_rate * counts * (labels - scores.sigmoid())
    changes = gradients @ o
    inputs.move(changes if means is None else means.mT @ changes)
    outputs.move(gradients.mT @ x)
    return (counts * (nn.functional.softplus(scores) - labels * scores)).sum()

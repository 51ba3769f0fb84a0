"""A batch of windows → words, and the networks that compose numerals, moved by one step.

The definition is training/reference.py. A step here has more windows: all scores of a batch are
taken before anything moves. A numeral's change becomes one of its network by autograd.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from numberline.training.plan import CENTRES_PER_DRAW
from numberline_paper.digits import Digits
from numberline_paper.lstm import read
from numberline_paper.prefix_reading import read_prefixes
from numberline_paper.window_batches import RowsOfSide, WindowBatch


@dataclass(frozen=True, eq=False)
class TrainedSide:
    """What training changes on one side."""

    words: Tensor  # [words, dim]
    network: nn.LSTM | None  # None: the corpus holds no numerals


class BatchRows:
    """The rows of one side in one batch."""

    def __init__(self, side: TrainedSide, rows: RowsOfSide, numerals: Digits) -> None:
        self._side = side
        device = side.words.device
        words = int((rows.ids < len(side.words)).sum())
        self._words = torch.from_numpy(rows.ids[:words]).to(device)
        self._index = torch.from_numpy(rows.index).to(device)
        self._composed = None
        parts = [side.words[self._words]]
        if side.network is not None and words < len(rows.ids):
            compose = read if device.type == "cuda" else read_prefixes
            self._composed = compose(side.network, numerals[rows.ids[words:] - len(side.words)])
            parts.append(self._composed.detach())
        self._rows = torch.cat(parts)

    @property
    def vectors(self) -> Tensor:
        """Return them where the batch has them: [draws, columns, dim]."""
        return self._rows[self._index]

    def move(self, changes: Tensor) -> None:
        """Add up the changes of every row; move words by them and networks towards them."""
        total = torch.zeros_like(self._rows)
        total.index_add_(0, self._index.flatten(), changes.flatten(0, 1))
        words = len(self._words)
        self._side.words.index_add_(0, self._words, total[:words])
        if self._composed is not None and self._side.network is not None:
            parameters = list(self._side.network.parameters())
            moves = torch.autograd.grad(self._composed, parameters, total[words:])
            for parameter, move in zip(parameters, moves, strict=True):
                parameter.data += move


def skipgram_step(
    batch: WindowBatch,
    sides: tuple[TrainedSide, TrainedSide],
    numerals: Digits,
    learning_rate: float,
    score_offset: float,
) -> Tensor:
    """Train a batch; return the sum of its losses before the step, in nats."""
    inputs = BatchRows(sides[0], batch.inputs, numerals)
    outputs = BatchRows(sides[1], batch.outputs, numerals)
    x, o = inputs.vectors, outputs.vectors
    counts = torch.from_numpy(batch.counts).to(x)
    scores = x @ o.mT - score_offset
    labels = torch.zeros(o.shape[1]).to(x)
    labels[:CENTRES_PER_DRAW] = 1
    gradients = learning_rate * counts * (labels - torch.sigmoid(scores))
    inputs.move(gradients @ o)
    outputs.move(gradients.mT @ x)
    return (counts * (nn.functional.softplus(scores) - labels * scores)).sum()

"""Frozen rows, items and targets → trained probes, and their outputs for other items.

A probe reads items of one, two or five rows each. All are trained alike: Adam, at a rate that rises
to LEARNING_RATE and falls to zero (one cycle), on batches of BATCH_ITEMS items, with the columns of
rows and targets standardised to mean 0 and deviation 1. The paper has plain SGD on raw targets:
with vectors of gmm that learns as well at rates around 1e-4, but at no rate from 1e-7 to 1e-2 with
those of fixed, which are forty times shorter; in the paper their probes seem to predict the mean.
Standardising columns is a linear map, which a first layer could learn, so it adds no information.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from numberline.arrays import Floats

HIDDEN = 100  # units of a hidden layer
LSTM_HIDDEN = 50  # units in each direction
BATCH_ITEMS = 512
LEARNING_RATE = 5e-3
OUTPUT_BATCH_ITEMS = 1 << 16  # read at once by a trained probe

Items = npt.NDArray[np.int64]  # [items, rows of each] indices of rows


class Mlp(nn.Module):
    """One output. The first layer has a map for each row of an item; the sum is rectified."""

    def __init__(self, dim: int, rows: int, hidden_layers: int) -> None:
        super().__init__()
        self.maps = nn.ModuleList([nn.Linear(dim, HIDDEN) for _ in range(rows)])
        between = [nn.Linear(HIDDEN, HIDDEN) for _ in range(hidden_layers - 1)]
        layers = [layer for linear in between for layer in (nn.ReLU(), linear)]
        self.rest = nn.Sequential(*layers, nn.ReLU(), nn.Linear(HIDDEN, 1))

    def forward(self, items: Tensor) -> Tensor:
        return self.after_maps([one(items[:, index]) for index, one in enumerate(self.maps)])

    def after_maps(self, mapped: list[Tensor]) -> Tensor:
        output: Tensor = self.rest(sum(mapped[1:], mapped[0]))
        return output.squeeze(-1)


class BiLinear(nn.Module):
    """x W y of two rows, each with a 1 appended, so that terms linear in one row are included.

    Its columns are correlated, so descent is slow: a least-squares solver would reach a lower error
    than these steps.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.form = nn.Parameter(torch.zeros(dim + 1, dim + 1))

    def forward(self, items: Tensor) -> Tensor:
        first, second = with_ones(items).unbind(dim=1)
        return ((first @ self.form) * second).sum(dim=-1)


class BiLinearMlp(nn.Module):
    """Bilinear forms of rank 1, then a hidden layer; forms of full rank would take far longer."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.left, self.right = nn.Linear(dim, HIDDEN), nn.Linear(dim, HIDDEN)
        self.rest = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))

    def forward(self, items: Tensor) -> Tensor:
        output: Tensor = self.rest(self.left(items[:, 0]) * self.right(items[:, 1]))
        return output.squeeze(-1)


class ListReader(nn.Module):
    """A score for each row of a list, from an LSTM in both directions."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.reader = nn.LSTM(dim, LSTM_HIDDEN, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * LSTM_HIDDEN, 1)

    def forward(self, items: Tensor) -> Tensor:
        scores: Tensor = self.score(self.reader(items)[0])
        return scores.squeeze(-1)


def with_ones(items: Tensor) -> Tensor:
    return torch.cat([items, torch.ones_like(items[..., :1])], dim=-1)


def standardised_rows(rows: Floats) -> Tensor:
    """Return columns of mean 0 and deviation 1; a constant column becomes zeros."""
    deviation = rows.std(axis=0)
    is_constant = deviation <= 1e-12 * np.abs(rows).max(axis=0, initial=0)
    centred = np.where(is_constant, 0, rows - rows.mean(axis=0))
    return torch.from_numpy((centred / np.where(is_constant, 1, deviation)).astype(np.float32))


def train(
    probe: nn.Module,
    rows: Tensor,
    items: Items,
    targets: Tensor,
    loss: Callable[[Tensor, Tensor], Tensor],
    steps: int,
) -> None:
    optimiser = torch.optim.Adam(probe.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, LEARNING_RATE, total_steps=steps)
    indices = torch.from_numpy(items)
    for batch in batches(len(indices), steps):
        optimiser.zero_grad()
        loss(probe(rows[indices[batch]]), targets[batch]).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()


def batches(items: int, steps: int) -> Iterator[Tensor]:
    """Yield `steps` batches; an epoch has a new order, and drops items that fill no batch."""
    size = min(BATCH_ITEMS, items)
    done = 0
    while True:
        order = torch.randperm(items)
        for first in range(0, items - size + 1, size):
            if done == steps:
                return
            yield order[first : first + size]
            done += 1


def outputs(probe: nn.Module, rows: Tensor, items: Items) -> Tensor:
    indices = torch.from_numpy(items)
    starts = range(0, len(indices), OUTPUT_BATCH_ITEMS)
    with torch.no_grad():
        return torch.cat([probe(rows[indices[n : n + OUTPUT_BATCH_ITEMS]]) for n in starts])


@dataclass(frozen=True, eq=False)
class NumberProbe:
    """A probe that predicts numbers: its outputs times a deviation, plus a mean."""

    probe: nn.Module
    mean: float
    deviation: float

    def numbers(self, rows: Tensor, items: Items) -> Floats:
        standardised: Floats = outputs(self.probe, rows, items).double().numpy()
        return self.mean + self.deviation * standardised

    def numbers_of_all_pairs(self, rows: Tensor) -> Floats:
        """Return [rows, rows]; each row is mapped once, not once for each pair."""
        assert isinstance(self.probe, Mlp)
        standardised = np.empty((len(rows), len(rows)))
        with torch.no_grad():
            first, second = (one(rows) for one in self.probe.maps)
            for index, row in enumerate(first):
                pairs = self.probe.after_maps([second, row])
                standardised[index] = pairs.double().numpy()
        return self.mean + self.deviation * standardised


def fit_numbers(
    probe: nn.Module, rows: Tensor, items: Items, numbers: Floats, steps: int
) -> NumberProbe:
    """Train a probe to predict the number of each item."""
    mean, deviation = float(numbers.mean()), float(numbers.std()) or 1.0
    targets = torch.from_numpy(((numbers - mean) / deviation).astype(np.float32))
    train(probe, rows, items, targets, nn.functional.mse_loss, steps)
    return NumberProbe(probe, mean, deviation)


def fit_choice(
    probe: nn.Module, rows: Tensor, items: Items, answers: npt.NDArray[np.int64], steps: int
) -> None:
    """Train a probe to score one row of each item higher than the others."""
    train(probe, rows, items, torch.from_numpy(answers), nn.functional.cross_entropy, steps)

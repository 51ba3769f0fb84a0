"""Frozen rows, places in them and targets → a trained probe, and what it says of other places.

A probe reads items: one, two or five rows each. All are trained alike: Adam, at a rate that rises
to LEARNING_RATE and falls to nothing (one cycle), on batches of BATCH items, with columns of rows
and targets brought to mean 0 and deviation 1. The paper has plain SGD on raw targets. That learns
vectors of gmm at rates around 1e-4, as well as this does, but at none from 1e-7 to 1e-2 those of
fixed, which are forty times shorter: in the paper they seem to have said the mean. Standardising
columns is a linear map, which a first layer could be, so a probe can say no more for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import MissingExtraError

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

HIDDEN = 100  # units of a hidden layer
LSTM_HIDDEN = 50  # in each direction
BATCH = 512
LEARNING_RATE = 5e-3
AT_A_TIME = 1 << 16  # items that a trained probe reads

Places = npt.NDArray[np.int64]  # [items, rows of each]


class Mlp(nn.Module):
    """One output. The first layer has a map for each row of an item; the sum is rectified."""

    def __init__(self, dim: int, rows: int, hidden_layers: int) -> None:
        super().__init__()
        self.maps = nn.ModuleList([nn.Linear(dim, HIDDEN) for _ in range(rows)])
        between = [nn.Linear(HIDDEN, HIDDEN) for _ in range(hidden_layers - 1)]
        layers = [layer for linear in between for layer in (nn.ReLU(), linear)]
        self.rest = nn.Sequential(*layers, nn.ReLU(), nn.Linear(HIDDEN, 1))

    def forward(self, items: Tensor) -> Tensor:
        return self.after_maps([one(items[:, at]) for at, one in enumerate(self.maps)])

    def after_maps(self, mapped: list[Tensor]) -> Tensor:
        output: Tensor = self.rest(sum(mapped[1:], mapped[0]))
        return output.squeeze(-1)


class BiLinear(nn.Module):
    """x W y of two rows, each with a 1 beside it: what is linear in both is such a form too.

    Its columns hang together, so descent is slow: its error is one of so many steps, and a solver
    of least squares would find less.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.form = nn.Parameter(torch.zeros(dim + 1, dim + 1))

    def forward(self, items: Tensor) -> Tensor:
        first, second = with_ones(items).unbind(dim=1)
        return ((first @ self.form) * second).sum(dim=-1)


class BiLinearMlp(nn.Module):
    """Bilinear forms of rank 1, then a hidden layer; of full rank they would take far longer."""

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
    """Columns of mean 0 and deviation 1; one that is constant becomes zeros."""
    deviation = rows.std(axis=0)
    is_constant = deviation <= 1e-12 * np.abs(rows).max(axis=0, initial=0)
    centred = np.where(is_constant, 0, rows - rows.mean(axis=0))
    return torch.from_numpy((centred / np.where(is_constant, 1, deviation)).astype(np.float32))


def train(
    probe: nn.Module,
    rows: Tensor,
    places: Places,
    targets: Tensor,
    loss: Callable[[Tensor, Tensor], Tensor],
    steps: int,
) -> None:
    optimiser = torch.optim.Adam(probe.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, LEARNING_RATE, total_steps=steps)
    items = torch.from_numpy(places)
    for batch in batches(len(items), steps):
        optimiser.zero_grad()
        loss(probe(rows[items[batch]]), targets[batch]).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()


def batches(items: int, steps: int) -> Iterator[Tensor]:
    """All items in a new order, again and again; an epoch's rest is left out."""
    size = min(BATCH, items)
    done = 0
    while True:
        order = torch.randperm(items)
        for first in range(0, items - size + 1, size):
            if done == steps:
                return
            yield order[first : first + size]
            done += 1


def outputs(probe: nn.Module, rows: Tensor, places: Places) -> Tensor:
    items = torch.from_numpy(places)
    with torch.no_grad():
        starts = range(0, len(items), AT_A_TIME)
        return torch.cat([probe(rows[items[first : first + AT_A_TIME]]) for first in starts])


@dataclass(frozen=True, eq=False)
class NumberProbe:
    """A probe that says numbers, as its outputs times a deviation, plus a mean."""

    probe: nn.Module
    mean: float
    deviation: float

    def numbers(self, rows: Tensor, places: Places) -> Floats:
        said: Floats = outputs(self.probe, rows, places).double().numpy()
        return self.mean + self.deviation * said

    def numbers_of_all_pairs(self, rows: Tensor) -> Floats:
        """[rows, rows]; each row is mapped once, not once for each pair."""
        assert isinstance(self.probe, Mlp)
        said = np.empty((len(rows), len(rows)))
        with torch.no_grad():
            first, second = (one(rows) for one in self.probe.maps)
            for at, one in enumerate(first):
                said[at] = self.probe.after_maps([second, one]).double().numpy()
        return self.mean + self.deviation * said


def fit_numbers(
    probe: nn.Module, rows: Tensor, places: Places, numbers: Floats, steps: int
) -> NumberProbe:
    mean, deviation = float(numbers.mean()), float(numbers.std()) or 1.0
    targets = torch.from_numpy(((numbers - mean) / deviation).astype(np.float32))
    train(probe, rows, places, targets, nn.functional.mse_loss, steps)
    return NumberProbe(probe, mean, deviation)


def fit_choice(
    probe: nn.Module, rows: Tensor, places: Places, answers: npt.NDArray[np.int64], steps: int
) -> None:
    """Train a probe to score one row of each item higher than the others."""
    train(probe, rows, places, torch.from_numpy(answers), nn.functional.cross_entropy, steps)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """What happens in here leaves torch as it was. It has one thread: the result does not hang on
    their number, and on a busy machine small networks lose by more.
    """
    before = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(before)

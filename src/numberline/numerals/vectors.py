"""Numbers → vectors: what a model asks of its numerals, and how prototypes answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.numerals.state import State
from numberline.numerals.values import finite_numbers

if TYPE_CHECKING:
    from numberline.numerals.base import Encoder, FittedEncoder, Side

BATCH = 16_384  # values whose weights are held at once: som has hundreds for each


class NumeralVectors(ABC):
    """A function from numbers to vectors of both sides, with a state that a model folder keeps."""

    @property
    @abstractmethod
    def encoder(self) -> Encoder:
        """The settings that it was made with, whose `vectors_from_state` rebuilds it."""

    @property
    @abstractmethod
    def dim(self) -> int:
        """The length of a vector."""

    @property
    def labels(self) -> Floats | None:
        """The numbers that its prototypes stand for, as of a FittedEncoder; None: it has none."""
        return None

    @abstractmethod
    def vectors(self, values: npt.ArrayLike, side: Side = "input") -> Array:
        """Return one vector per value; refuse what is no finite number."""

    @abstractmethod
    def state(self) -> State:
        """Return all that a model folder has to keep, as arrays of floats."""

    @abstractmethod
    def in_double(self) -> NumeralVectors:
        """Return the same function in double precision, where small distances matter."""


def prototype_values(numerals: NumeralVectors | None) -> Floats:
    """Return the numbers that prototypes stand for, ascending, each once; or none."""
    labels = None if numerals is None else numerals.labels
    if labels is None:
        return np.zeros(0)
    return np.unique(labels[~np.isnan(labels)])


@dataclass(frozen=True, eq=False)
class PrototypeVectors(NumeralVectors):
    """A number's vector is its row of weights times the table of that side."""

    fitted: FittedEncoder
    input: Array  # [prototypes, dim]
    output: Array

    @property
    def encoder(self) -> Encoder:
        return self.fitted.encoder

    @property
    def dim(self) -> int:
        return int(self.input.shape[1])

    @property
    def labels(self) -> Floats | None:
        return self.fitted.labels

    def table(self, side: Side) -> Array:
        return self.input if side == "input" else self.output

    def vectors(self, values: npt.ArrayLike, side: Side = "input") -> Array:
        numbers, table = finite_numbers(values), self.table(side)
        rows = np.empty((len(numbers), self.dim), table.dtype)
        for first in range(0, len(numbers), BATCH):
            batch = slice(first, first + BATCH)
            rows[batch] = self.fitted.weights(numbers[batch], side) @ table
        return rows

    def state(self) -> State:
        return {"input": self.input, "output": self.output, **self.fitted.state()}

    def in_double(self) -> PrototypeVectors:
        tables = (table.astype(np.float64) for table in (self.input, self.output))
        return PrototypeVectors(self.fitted, *tables)

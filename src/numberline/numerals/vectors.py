"""Numbers → vectors: the interface of a model's numerals, and the vectors made of prototypes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.numerals.kinds import NO_KINDS, KindRows
from numberline.numerals.rows import SparseRows
from numberline.numerals.state import State
from numberline.numerals.values import finite_numbers

if TYPE_CHECKING:
    from numberline.numerals.base import Encoder, FittedEncoder, Side

BATCH = 16_384  # values whose weights are held at once; a som may have hundreds for each
PREFIX = "numerals."  # marks the arrays of numerals among those of a model


class NumeralVectors(ABC):
    """A function from numerals to input and output vectors, with a state that files can keep."""

    @property
    @abstractmethod
    def encoder(self) -> Encoder:
        """Return the settings; their `vectors_from_state` rebuilds this object."""

    @property
    @abstractmethod
    def dim(self) -> int:
        """Return the length of a vector."""

    @property
    def kind_count(self) -> int:
        """Return how many kinds of numerals have a vector."""
        return 0

    def kind_fractions(self, values: npt.ArrayLike) -> Array:
        """Return how likely each kind is near each value: [values, kinds]."""
        return np.zeros((len(finite_numbers(values)), 0), np.float32)

    @property
    def labels(self) -> Floats | None:
        """Return the numbers that prototypes stand for, as FittedEncoder.labels does, or None."""
        return None

    @abstractmethod
    def vectors(
        self, values: npt.ArrayLike, side: Side = "input", kinds: npt.ArrayLike | None = None
    ) -> Array:
        """Return one vector per value; refuse values that are not finite numbers.

        `kinds` are the indices of their kinds, UNKNOWN_KIND where none is known; None: nowhere.
        """

    @abstractmethod
    def state(self) -> State:
        """Return the arrays of floats that a model folder has to keep."""

    @abstractmethod
    def in_double(self) -> NumeralVectors:
        """Return the same function in double precision, where small distances matter."""


def prototype_values(numerals: NumeralVectors | None) -> Floats:
    """Return the numbers that prototypes stand for, ascending, each once."""
    labels = None if numerals is None else numerals.labels
    if labels is None:
        return np.zeros(0)
    return np.unique(labels[~np.isnan(labels)])


@dataclass(frozen=True, eq=False)
class PrototypeVectors(NumeralVectors):
    """Vectors made by multiplying rows of weights with the table of a side."""

    fitted: FittedEncoder
    input: Array  # [prototypes and rows of kinds, dim]
    output: Array
    kinds: KindRows = NO_KINDS

    @property
    def encoder(self) -> Encoder:
        return self.fitted.encoder

    @property
    def dim(self) -> int:
        return int(self.input.shape[1])

    @property
    def kind_count(self) -> int:
        return self.kinds.kinds

    @property
    def labels(self) -> Floats | None:
        return self.fitted.labels

    def table(self, side: Side) -> Array:
        return self.input if side == "input" else self.output

    def kind_fractions(self, values: npt.ArrayLike) -> Array:
        if not self.kinds.differ:
            return super().kind_fractions(values)
        return self.kinds.fractions_near(self.fitted.weights(values, "output"))

    def weights(
        self, values: npt.ArrayLike, side: Side = "input", kinds: npt.ArrayLike | None = None
    ) -> SparseRows:
        """Return one row of weights per value, over the rows of a side's table."""
        numbers = finite_numbers(values)
        return self.kinds.extended(self.fitted.weights(numbers, side), numbers, kinds, side)

    def vectors(
        self, values: npt.ArrayLike, side: Side = "input", kinds: npt.ArrayLike | None = None
    ) -> Array:
        numbers, table = finite_numbers(values), self.table(side)
        of_each = self.kinds.checked(kinds, len(numbers))
        rows = np.empty((len(numbers), self.dim), table.dtype)
        for first in range(0, len(numbers), BATCH):
            batch = slice(first, first + BATCH)
            rows[batch] = self.weights(numbers[batch], side, of_each[batch]) @ table
        return rows

    def state(self) -> State:
        tables = {"input": self.input, "output": self.output}
        return tables | self.fitted.state() | self.kinds.state()

    def in_double(self) -> PrototypeVectors:
        inputs, outputs = (table.astype(np.float64) for table in (self.input, self.output))
        return replace(self, input=inputs, output=outputs)


def named_state(numerals: NumeralVectors | None) -> State:
    """Return the state of numerals under its names in a model folder; empty without numerals."""
    if numerals is None:
        return {}
    return {PREFIX + name: array for name, array in numerals.state().items()}


def is_named_state(name: str) -> bool:
    return name.startswith(PREFIX)


def state_within(arrays: Mapping[str, Array]) -> State:
    """Return the state that `named_state` put among the arrays of a model."""
    return {
        name.removeprefix(PREFIX): array for name, array in arrays.items() if is_named_state(name)
    }

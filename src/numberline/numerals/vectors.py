"""Numbers → vectors: what a model asks of its numerals, and how prototypes answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from numberline.numerals.base import Encoder, FittedEncoder, Side
from numberline.numerals.rows import Array
from numberline.numerals.state import State


class NumeralVectors(ABC):
    """A function from numbers to vectors of both sides, with a state that a model folder keeps."""

    encoder: Encoder

    @property
    @abstractmethod
    def dim(self) -> int: ...

    @abstractmethod
    def vectors(self, values: Array, side: Side = "input") -> Array:
        """Return one vector per value."""

    @abstractmethod
    def state(self) -> State: ...

    @abstractmethod
    def in_double(self) -> NumeralVectors:
        """Return the same function in double precision, where small distances matter."""


@dataclass(frozen=True, eq=False)
class PrototypeVectors(NumeralVectors):
    """A number's vector is its row of weights times the table of that side."""

    fitted: FittedEncoder
    input: Array  # [prototypes, dim]
    output: Array

    @property
    def encoder(self) -> Encoder:  # type: ignore[override]
        return self.fitted.encoder

    @property
    def dim(self) -> int:
        return int(self.input.shape[1])

    def table(self, side: Side) -> Array:
        return self.input if side == "input" else self.output

    def vectors(self, values: Array, side: Side = "input") -> Array:
        return self.fitted.weights(values, side) @ self.table(side)

    def state(self) -> State:
        return {"input": self.input, "output": self.output, **self.fitted.state()}

    def in_double(self) -> PrototypeVectors:
        tables = (table.astype(np.float64) for table in (self.input, self.output))
        return PrototypeVectors(self.fitted, *tables)

"""Encoders: settings that, fitted to the numerals of a corpus, give each number a row of weights.

    encoder = nl.Gmm(prototypes=300)            # settings: a frozen dataclass
    fitted = encoder.fit(values, counts, rng)   # prototypes fitted to a corpus, also frozen
    rows = fitted.weights(values, "input")      # a short row of weights for any number
    vectors = rows @ table                      # the table has one vector per prototype

Training learns the tables, one for input and one for output vectors. These rows are all that it
knows of an encoder. To write your own, subclass Encoder and FittedEncoder as gmm.py does.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.errors import PrototypesError
from numberline.fields import LARGEST_SIZE, CheckedSettings, or_none, setting, whole_number
from numberline.numerals.kinds import STATE_NAMES, stored_kinds
from numberline.numerals.rows import SparseRows
from numberline.numerals.state import State, refuse_others, required_array
from numberline.numerals.vectors import NumeralVectors, PrototypeVectors

Side = Literal["input", "output"]
SIDES: tuple[Side, Side] = ("input", "output")


@dataclass(frozen=True)
class Encoder(CheckedSettings, ABC):
    """The settings of an encoder: a subclass is a frozen dataclass of plain values.

    A field made by `setting` is checked, and any field can be set on the command line.
    """

    name: ClassVar[str]  # used on the command line, in model folders and in encoder="gmm"
    fitted_class: ClassVar[type[FittedEncoder] | None] = None  # None: it has no prototypes

    @abstractmethod
    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedEncoder:
        """Return this encoder fitted to distinct ascending values that occur `counts` times."""

    def vectors_from_state(self, state: Mapping[str, Array]) -> NumeralVectors:
        """Return the trained vectors whose `state()` this is; refuse anything else.

        An encoder without prototypes overrides this.
        """
        assert self.fitted_class is not None, f"{self.name} must override vectors_from_state"
        others = (*SIDES, *STATE_NAMES)
        arrays = {name: array for name, array in state.items() if name not in others}
        fitted = self.fitted_class.from_state(self, arrays)
        kinds = stored_kinds(state, fitted.size)
        inputs = required_array(state, "input", (fitted.size + kinds.size, None))
        outputs = required_array(state, "output", inputs.shape)
        return PrototypeVectors(fitted, inputs, outputs, kinds)

    def __str__(self) -> str:
        """Return the encoder as the command line takes it: gmm:prototypes=300."""
        settings = [
            f"{one.name}={value}"
            for one in fields(self)
            if (value := getattr(self, one.name)) != one.default
        ]
        return f"{self.name}:{','.join(settings)}" if settings else self.name


@dataclass(frozen=True, eq=False)
class FittedEncoder(ABC):
    """An encoder fitted to a corpus. The fields of a subclass are arrays of floats: its state."""

    encoder: Encoder
    is_frozen: ClassVar[bool] = False  # True: training does not change the tables

    @property
    @abstractmethod
    def size(self) -> int:
        """Return the number of prototypes, which is the number of rows of a table."""

    @property
    def input_size(self) -> int:
        """Return the number of prototypes that input vectors use: the first rows of a table."""
        return self.size

    @abstractmethod
    def weights(self, values: npt.ArrayLike, side: Side = "input") -> SparseRows:
        """Return one row of weights per value."""

    @property
    def labels(self) -> Floats | None:
        """Return the number that each prototype stands for, NaN if it stands for none; or None."""
        return None

    def starting_tables(self, dim: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Return the prototypes' initial input vectors (random) and output vectors (zeros)."""
        inputs = ((2 * rng.random((self.size, dim)) - 1) / dim).astype(np.float32)
        inputs[self.input_size :] = 0
        return inputs, np.zeros((self.size, dim), np.float32)

    def state(self) -> State:
        """Return the result of `fit` as arrays."""
        return {name: getattr(self, name) for name in self.array_names()}

    @classmethod
    def from_state(cls, encoder: Encoder, state: Mapping[str, Array]) -> Self:
        """Return the fitted encoder whose `state()` this is; refuse anything else."""
        names = cls.array_names()
        refuse_others(state, names)
        return cls(encoder, **{name: required_array(state, name, (None,)) for name in names})

    @classmethod
    def array_names(cls) -> list[str]:
        return [field.name for field in fields(cls) if field.name != "encoder"]


def prototypes_setting() -> Any:
    return setting(
        None,
        "Number of prototypes; by default (ln N)² for N distinct numerals.",
        or_none(whole_number(1, LARGEST_SIZE)),
    )


def number_of_prototypes(prototypes: int | None, distinct: int) -> int:
    """Return `prototypes`, or by default the paper's rule: (ln N)² for N distinct numerals."""
    if prototypes is None:
        return max(1, round(math.log(distinct) ** 2))
    if prototypes > distinct:
        raise PrototypesError(
            f"prototypes={prototypes} but the corpus holds {distinct} distinct numerals; "
            "lower prototypes or add text"
        )
    return prototypes

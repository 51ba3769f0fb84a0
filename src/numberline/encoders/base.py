"""The protocol of numeral encoders: values → vectors, and what training changed → parameters.

    encoder = encoder_class(name)(config)  registry.py
    encoder.fit(values, counts, rng)       what the corpus says about numerals: prototypes
    encoder.start(dim, rng)                parameters to be trained, one set per side
    rows = encoder.compose(values, side)   a vector for any numeral, seen or unseen
    encoder.absorb(values, changes, side)  the rows moved by `changes`: move the parameters
    encoder.settle(…)                      training is done
    encoder.state(), from_state(…)         plain arrays, for the model folder

The rest of the package knows only this. All encoders but one are linear in what they learn; for
those a file holds little more than `fit` and `weights`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from numberline.config import EncoderConfig
from numberline.encoders.numbers import finite_numbers
from numberline.encoders.squash import Floats, squash, unsquash
from numberline.encoders.state import State, refuse_others, required_array
from numberline.encoders.weights import Array, DenseWeights, SparseWeights, Weights
from numberline.errors import ConfigError, PrototypesError

Side = Literal["input", "output"]
SIDES: tuple[Side, Side] = ("input", "output")


class NumeralEncoder(ABC):
    """What every encoder can do; children of LinearEncoder get most of it."""

    name: ClassVar[str]
    settings: ClassVar[frozenset[str]] = frozenset()  # fields of EncoderConfig that it honours
    logs: ClassVar[tuple[str, ...]] = ("dataset",)  # values of `log` that it honours
    is_trained: ClassVar[bool] = True
    has_own_outputs: ClassVar[bool] = False  # what is prepared of values differs by side

    def __init__(self, config: EncoderConfig) -> None:
        config.require_only(self.settings, self.name)
        if config.log not in self.logs:
            raise ConfigError("log", config.log, f"{' or '.join(self.logs)} for {self.name!r}")
        self.config = config

    @abstractmethod
    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        """Learn from distinct values, ascending, and how often each occurs."""

    @abstractmethod
    def start(self, dim: int, rng: np.random.Generator, dtype: npt.DTypeLike = np.float32) -> Self:
        """Set the parameters to where training begins."""

    @abstractmethod
    def prepare(self, values: npt.ArrayLike, side: Side = "input") -> Any:
        """All about these values that training does not change; rows of it can be taken by [].

        compose and absorb take either values or this, which saves doing it again and again.
        """

    def prepare_sides(self, values: npt.ArrayLike) -> dict[Side, Any]:
        """What prepare gives for either side; one object where they do not differ."""
        prepared = self.prepare(values)
        own = self.prepare(values, "output") if self.has_own_outputs else prepared
        return {"input": prepared, "output": own}

    def groups(self, values: Floats) -> npt.NDArray[np.int32]:
        """A number for each value; values of one number always have the same vector."""
        return np.arange(len(values), dtype=np.int32)

    @abstractmethod
    def compose(self, values: Any, side: Side = "input") -> Array:
        """The vectors of these values, one row each."""

    @abstractmethod
    def absorb(self, values: Any, changes: Array, side: Side = "input") -> None:
        """Move the parameters as the rows' changes ask: the transposed Jacobian times changes."""

    def settle(self, word_input: Array, word_output: Array) -> None:  # noqa: B027
        """Training is done: change vectors of both sides, if at all, so that products stay."""

    def use_device(self, device: str) -> None:  # noqa: B027
        """Compute by this device from now on, where there is something for it to do."""

    @abstractmethod
    def state(self) -> State:
        """Everything that fit and training have made so far, in arrays of its own."""

    @classmethod
    @abstractmethod
    def from_state(cls, config: EncoderConfig, state: Mapping[str, Array]) -> Self:
        """The encoder that gave this state."""

    def in_double(self) -> Self:
        """One like it, whose vectors are computed and given in double precision."""
        doubles = {name: array.astype(np.float64) for name, array in self.state().items()}
        return self.from_state(self.config, doubles)


class LinearEncoder(NumeralEncoder):
    """A vector is a row of weights times a basis that is trained.

    A child has `weights`, and in `fit` sets the arrays named in `fitted`.
    """

    fitted: ClassVar[tuple[str, ...]]
    is_average: ClassVar[bool] = True  # weights of prototypes are not negative and sum to 1

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        cls.has_own_outputs = cls.output_weights is not LinearEncoder.output_weights

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__(config)
        self.bases: dict[Side, Array] = {}

    @property
    @abstractmethod
    def basis_size(self) -> int: ...

    @abstractmethod
    def weights(self, values: npt.ArrayLike) -> Weights:
        """One row per value, over the basis."""

    def output_weights(self, values: npt.ArrayLike) -> Weights:
        """The same for output vectors, where an encoder has others for them."""
        return self.weights(values)

    def start(self, dim: int, rng: np.random.Generator, dtype: npt.DTypeLike = np.float32) -> Self:
        """As words start: input rows small and random, output rows zero."""
        shape = (self.basis_size, dim)
        self.bases = {
            "input": ((2 * rng.random(shape) - 1) / dim).astype(dtype),
            "output": np.zeros(shape, dtype),
        }
        return self

    def prepare(self, values: npt.ArrayLike, side: Side = "input") -> Weights:
        return self.weights(values) if side == "input" else self.output_weights(values)

    def compose(self, values: npt.ArrayLike | Weights, side: Side = "input") -> Array:
        return self._weights_of(values, side) @ self.bases[side]

    def absorb(self, values: npt.ArrayLike | Weights, changes: Array, side: Side = "input") -> None:
        self._weights_of(values, side).add_adjoint(changes, self.bases[side])

    def _weights_of(self, values: npt.ArrayLike | Weights, side: Side) -> Weights:
        if isinstance(values, DenseWeights | SparseWeights):
            return values
        return self.prepare(values, side)

    def state(self) -> State:
        state = {name: getattr(self, name).copy() for name in self.fitted}
        return state | {f"{side}_basis": basis.copy() for side, basis in self.bases.items()}

    @classmethod
    def from_state(cls, config: EncoderConfig, state: Mapping[str, Array]) -> Self:
        refuse_others(state, [*cls.fitted, *(f"{side}_basis" for side in SIDES)])
        encoder = cls(config)
        length = None
        for name in cls.fitted:
            array = required_array(state, name, (length,))
            setattr(encoder, name, array)
            length = len(array)
        if any(f"{side}_basis" in state for side in SIDES):
            shape = (encoder.basis_size, None)
            for side in SIDES:
                encoder.bases[side] = required_array(state, f"{side}_basis", shape)
        return encoder


class PrototypeEncoder(LinearEncoder):
    """A linear encoder whose basis are prototype numerals, each a place on the number line.

    Other parts may follow them that are no places.
    """

    other_parts: ClassVar[tuple[str, ...]] = ()  # names of what a basis has after the prototypes

    @property
    @abstractmethod
    def prototype_values(self) -> Floats:
        """The prototypes as numbers, ascending; on several scales some may be equal."""

    @property
    def shown_prototypes(self) -> Floats:
        """Those that input vectors are made of, each once."""
        return np.unique(self.prototype_values)

    @property
    def shown_parts(self) -> tuple[str, ...]:
        """Those of the other parts that are seen in input vectors, not by scores alone."""
        return self.other_parts

    @property
    def basis_size(self) -> int:
        return len(self.prototype_values) + len(self.other_parts)

    def on_line(self, values: npt.ArrayLike) -> Floats:
        """Where values lie among the prototypes: on the squashed line, unless log="none"."""
        numbers = finite_numbers(values)
        return numbers if self.config.log == "none" else squash(numbers)

    def off_line(self, places: Floats) -> Floats:
        """The inverse of on_line."""
        return places if self.config.log == "none" else unsquash(places)


def number_of_prototypes(config: EncoderConfig, distinct: int) -> int:
    """As asked, or the paper's rule of thumb: (ln N)² for N distinct numerals."""
    if config.prototypes is None:
        return max(1, round(math.log(distinct) ** 2))
    if config.prototypes > distinct:
        raise PrototypesError(
            f"prototypes={config.prototypes} but the corpus holds {distinct} distinct numerals; "
            "lower prototypes or add text"
        )
    return config.prototypes

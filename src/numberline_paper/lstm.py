"""D-LSTM: digits are read one by one, and the last hidden state is the numeral's vector.

This is the paper's baseline, and the one encoder that is no row of weights over prototypes. It is
known to numberline as "lstm" by an entry point, so that its models load like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.errors import MissingExtraError, TrainingError
from numberline.numerals.base import SIDES, Encoder, FittedEncoder, Side
from numberline.numerals.rows import Array
from numberline.numerals.squash import Floats
from numberline.numerals.state import State, refuse_others, required_array
from numberline.numerals.vectors import NumeralVectors
from numberline_paper.digits import SYMBOLS, Digits, digits_of

try:
    import torch
    from torch import Tensor, nn
    from torch.nn.utils.rnn import pack_padded_sequence
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

PARAMETERS = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
BATCH = 8192  # numbers read at once: some hundred MB of hidden states


@dataclass(frozen=True)
class Lstm(Encoder):
    """A number's vector is what an LSTM keeps of its digits. There is nothing to set."""

    name: ClassVar[str] = "lstm"

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedEncoder:
        """Refuse: an LSTM has no prototypes that a table of vectors could be trained for."""
        raise TrainingError("encoder 'lstm' is trained by numberline_paper.train_lstm, not by train")

    def vectors_from_state(self, state: Mapping[str, Array]) -> LstmVectors:
        """Rebuild the vectors that gave this state; refuse anything else."""
        refuse_others(state, [f"{side}_{name}" for side in SIDES for name in PARAMETERS])
        dim = required_array(state, "input_weight_hh_l0", (None, None)).shape[1]
        networks = []
        for side in SIDES:
            shapes = parameter_shapes(dim)
            arrays = {n: required_array(state, f"{side}_{n}", shapes[n]) for n in PARAMETERS}
            networks.append(network_of(arrays))
        return LstmVectors(*networks)


@dataclass(frozen=True, eq=False)
class LstmVectors(NumeralVectors):
    """Two trained networks, one for input and one for output vectors."""

    input: nn.LSTM
    output: nn.LSTM

    @property
    def encoder(self) -> Lstm:  # type: ignore[override]
        return Lstm()

    @property
    def dim(self) -> int:
        return self.input.hidden_size

    def network(self, side: Side) -> nn.LSTM:
        return self.input if side == "input" else self.output

    def vectors(self, values: npt.ArrayLike, side: Side = "input") -> Array:
        """Return one vector per number."""
        network = self.network(side)
        with torch.no_grad():
            parts = [read(network, digits).numpy() for digits in digits_of(values).batches(BATCH)]
        nothing = torch.zeros(0, self.dim, dtype=network.weight_hh_l0.dtype).numpy()
        return np.concatenate([nothing, *parts])

    def state(self) -> State:
        """Return the parameters of both networks, named as in torch."""
        return {
            f"{side}_{name}": getattr(self.network(side), name).detach().numpy().copy()
            for side in SIDES
            for name in PARAMETERS
        }

    def in_double(self) -> LstmVectors:
        """Return the same networks in double precision."""
        doubles = {name: array.astype(np.float64) for name, array in self.state().items()}
        return self.encoder.vectors_from_state(doubles)


def starting_vectors(dim: int, rng: np.random.Generator) -> LstmVectors:
    """Return networks as torch starts them: all parameters random within ±1/√dim."""
    reach = dim**-0.5
    arrays = {
        f"{side}_{name}": rng.uniform(-reach, reach, shape).astype(np.float32)
        for side in SIDES
        for name, shape in parameter_shapes(dim).items()
    }
    return Lstm().vectors_from_state(arrays)


def read(network: nn.LSTM, digits: Digits) -> Tensor:
    """Return the hidden state after the last digit of each number: [numbers, dim]."""
    weight = network.weight_hh_l0
    codes = torch.from_numpy(digits.codes).to(weight.device, torch.int64)
    one_hot = nn.functional.one_hot(codes, len(SYMBOLS)).to(weight.dtype)
    lengths = torch.from_numpy(digits.lengths)
    packed = pack_padded_sequence(one_hot, lengths, batch_first=True, enforce_sorted=False)
    _, (last_hidden, _) = network(packed)
    vectors: Tensor = last_hidden[0]
    return vectors


def network_of(parameters: Mapping[str, Array]) -> nn.LSTM:
    """Return a network that has these parameters, in their precision."""
    tensors = {name: torch.from_numpy(array) for name, array in parameters.items()}
    weight = tensors["weight_hh_l0"]
    network = nn.LSTM(len(SYMBOLS), weight.shape[1], batch_first=True, dtype=weight.dtype)
    network.load_state_dict(tensors)
    return network


def parameter_shapes(dim: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes that torch gives to four gates, fed by a symbol and by the hidden state."""
    shapes = ((4 * dim, len(SYMBOLS)), (4 * dim, dim), (4 * dim,), (4 * dim,))
    return dict(zip(PARAMETERS, shapes, strict=True))

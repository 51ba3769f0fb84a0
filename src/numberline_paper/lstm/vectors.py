"""Digits and two networks → vectors of numbers; and networks ↔ the arrays of a model folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.errors import MissingExtraError
from numberline.numerals import NumeralVectors, Side, refuse_others, required_array
from numberline_paper.lstm.digits import SYMBOLS, Digits, digits_of
from numberline_paper.lstm.encoder import Lstm

try:
    import torch
    from torch import Tensor, nn
    from torch.nn.utils.rnn import pack_padded_sequence
except ImportError as error:
    raise MissingExtraError("torch", "torch", error) from error

SIDES: tuple[Side, Side] = ("input", "output")
PARAMETERS = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
BATCH_NUMBERS = 8192  # read at once: their hidden states take some hundred megabytes


@dataclass(frozen=True, eq=False)
class LstmVectors(NumeralVectors):
    """Two trained networks, one for input and one for output vectors."""

    input: nn.LSTM
    output: nn.LSTM

    @property
    def encoder(self) -> Lstm:
        return Lstm()

    @property
    def dim(self) -> int:
        return self.input.hidden_size

    def network(self, side: Side) -> nn.LSTM:
        return self.input if side == "input" else self.output

    def vectors(
        self, values: npt.ArrayLike, side: Side = "input", kinds: npt.ArrayLike | None = None
    ) -> Array:
        """Return one vector per value: the networks read digits, and know no kinds."""
        network = self.network(side)
        parts = [network.get_parameter("bias_hh_l0").new_zeros(0, self.dim)]
        with torch.no_grad():
            parts += [read(network, digits) for digits in digits_of(values).batches(BATCH_NUMBERS)]
            vectors: Array = torch.cat(parts).numpy()
        return vectors

    def state(self) -> dict[str, Array]:
        """Return the parameters of both networks, named as torch names them."""
        return {
            f"{side}_{name}": self.network(side).get_parameter(name).detach().numpy().copy()
            for side in SIDES
            for name in PARAMETERS
        }

    def in_double(self) -> LstmVectors:
        doubles = {name: array.astype(np.float64) for name, array in self.state().items()}
        return vectors_from_state(doubles)


def read(network: nn.LSTM, digits: Digits) -> Tensor:
    """Return the hidden state after the last digit of each number: [numbers, dim]."""
    weight = network.get_parameter("weight_hh_l0")
    codes = torch.from_numpy(digits.codes).to(weight.device, torch.int64)
    one_hot = nn.functional.one_hot(codes, len(SYMBOLS)).to(weight.dtype)
    lengths = torch.from_numpy(digits.lengths)
    packed = pack_padded_sequence(one_hot, lengths, batch_first=True, enforce_sorted=False)
    _, (last_hidden, _) = network(packed)
    vectors: Tensor = last_hidden[0]
    return vectors


def starting_vectors(dim: int, rng: np.random.Generator) -> LstmVectors:
    """Return networks with parameters drawn as torch draws them: evenly within ±1/√dim."""
    reach = dim**-0.5
    return vectors_from_state(
        {
            f"{side}_{name}": rng.uniform(-reach, reach, shape).astype(np.float32)
            for side in SIDES
            for name, shape in parameter_shapes(dim).items()
        }
    )


def vectors_from_state(state: Mapping[str, Array]) -> LstmVectors:
    """Return the networks whose `state()` this is, in its precision; refuse anything else."""
    refuse_others(state, [f"{side}_{name}" for side in SIDES for name in PARAMETERS])
    shapes = parameter_shapes(required_array(state, "input_weight_hh_l0", (None, None)).shape[1])
    return LstmVectors(
        *(
            network_of({n: required_array(state, f"{side}_{n}", shapes[n]) for n in PARAMETERS})
            for side in SIDES
        )
    )


def network_of(parameters: Mapping[str, Array]) -> nn.LSTM:
    tensors = {name: torch.from_numpy(array) for name, array in parameters.items()}
    weight = tensors["weight_hh_l0"]
    network = nn.LSTM(len(SYMBOLS), weight.shape[1], batch_first=True, dtype=weight.dtype)
    network.load_state_dict(tensors)
    return network


def parameter_shapes(dim: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes that torch gives to four gates, fed by a symbol and by the hidden state."""
    shapes = ((4 * dim, len(SYMBOLS)), (4 * dim, dim), (4 * dim,), (4 * dim,))
    return dict(zip(PARAMETERS, shapes, strict=True))

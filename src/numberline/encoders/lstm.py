"""D-LSTM: a numeral's digits are read one by one; the last hidden state is its vector.

The one encoder that is not linear in what it learns: absorb is a backward pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from numberline.config import EncoderConfig
from numberline.encoders.base import SIDES, NumeralEncoder, Side
from numberline.encoders.numbers import finite_numbers
from numberline.encoders.squash import Floats
from numberline.encoders.state import State, refuse_others, required_array
from numberline.encoders.weights import Array
from numberline.extras import optional
from numberline.text.numerals import plain_number

SYMBOLS = "0123456789.+-e"
PARAMETERS = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
BATCH = 8192  # numerals read at once


@dataclass(frozen=True, eq=False)
class Digits:
    """How values are written, as places in SYMBOLS; what is beyond a length does not count."""

    codes: npt.NDArray[np.int64]  # [rows, longest]
    lengths: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, rows: Any) -> Digits:
        lengths = self.lengths[rows]
        return Digits(self.codes[rows, : lengths.max(initial=1)], lengths)

    def batches(self) -> Iterator[tuple[slice, Digits]]:
        for first in range(0, len(self), BATCH):
            rows = slice(first, first + BATCH)
            yield rows, self[rows]


class LstmEncoder(NumeralEncoder):
    name = "lstm"

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__(config)
        optional("torch", "torch")
        self.networks: dict[Side, Any] = {}

    @property
    def _torch(self) -> Any:
        """Not an attribute, which could be neither copied nor sent to another process."""
        return optional("torch", "torch")

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        return self

    def start(self, dim: int, rng: np.random.Generator, dtype: npt.DTypeLike = np.float32) -> Self:
        reach = dim**-0.5
        for side in SIDES:
            drawn = {
                name: rng.uniform(-reach, reach, shape).astype(dtype)
                for name, shape in parameter_shapes(dim).items()
            }
            self.networks[side] = self._network(drawn)
        return self

    def _network(self, parameters: Mapping[str, Array]) -> Any:
        torch = self._torch
        dim = parameters["weight_hh_l0"].shape[1]
        dtype = torch.from_numpy(np.zeros(0, parameters["weight_hh_l0"].dtype)).dtype
        network = torch.nn.LSTM(len(SYMBOLS), dim, batch_first=True, dtype=dtype)
        network.load_state_dict({name: torch.tensor(parameters[name]) for name in PARAMETERS})
        return network

    def use_device(self, device: str) -> None:
        """A torch that knows no GPU goes on with the CPU."""
        if device == "cuda" and not self._torch.cuda.is_available():
            return
        for network in self.networks.values():
            network.to(device)

    def prepare(self, values: npt.ArrayLike, side: Side = "input") -> Digits:
        written = [plain_number(value) for value in finite_numbers(values).tolist()]
        lengths = np.array([len(text) for text in written], np.int64)
        codes = np.zeros((len(written), lengths.max(initial=1)), np.int64)
        for row, text in enumerate(written):
            codes[row, : len(text)] = [SYMBOLS.index(symbol) for symbol in text]
        return Digits(codes, lengths)

    def compose(self, values: npt.ArrayLike | Digits, side: Side = "input") -> Array:
        digits = values if isinstance(values, Digits) else self.prepare(values)
        network = self.networks[side]
        dtype = as_array(network.weight_hh_l0[:0]).dtype
        rows = np.empty((len(digits), network.hidden_size), dtype)
        with self._torch.no_grad():
            for place, batch in digits.batches():
                rows[place] = as_array(self._read(batch, network))
        return rows

    def absorb(self, values: npt.ArrayLike | Digits, changes: Array, side: Side = "input") -> None:
        torch = self._torch
        digits = values if isinstance(values, Digits) else self.prepare(values)
        network = self.networks[side]
        parameters = [getattr(network, name) for name in PARAMETERS]
        moves = [torch.zeros_like(parameter) for parameter in parameters]
        for place, batch in digits.batches():
            rows = self._read(batch, network)
            wanted = torch.tensor(changes[place], dtype=rows.dtype, device=rows.device)
            for move, part in zip(
                moves, torch.autograd.grad(rows, parameters, wanted), strict=True
            ):
                move += part
        for parameter, move in zip(parameters, moves, strict=True):
            parameter.data += move  # as data, which other threads may be reading (Hogwild)

    def _read(self, digits: Digits, network: Any) -> Any:
        torch = self._torch
        codes = torch.from_numpy(digits.codes).to(network.weight_hh_l0.device)
        one_hot = torch.nn.functional.one_hot(codes, len(SYMBOLS))
        packed = torch.nn.utils.rnn.pack_padded_sequence(
            one_hot.to(network.weight_hh_l0.dtype),
            torch.from_numpy(digits.lengths),
            batch_first=True,
            enforce_sorted=False,
        )
        _, (last_hidden, _) = network(packed)
        return last_hidden[0]

    def state(self) -> State:
        return {
            f"{side}_{name}": as_array(getattr(network, name)).copy()
            for side, network in self.networks.items()
            for name in PARAMETERS
        }

    @classmethod
    def from_state(cls, config: EncoderConfig, state: Mapping[str, Array]) -> Self:
        refuse_others(state, [f"{side}_{name}" for side in SIDES for name in PARAMETERS])
        encoder = cls(config)
        for side in SIDES if state else ():
            dim = required_array(state, f"{side}_weight_hh_l0", (None, None)).shape[1]
            parameters = {
                name: required_array(state, f"{side}_{name}", shape)
                for name, shape in parameter_shapes(dim).items()
            }
            encoder.networks[side] = encoder._network(parameters)
        return encoder


def as_array(tensor: Any) -> Array:
    array: Array = tensor.detach().cpu().numpy()
    return array


def parameter_shapes(dim: int) -> dict[str, tuple[int, ...]]:
    """As torch has them: four gates, from a symbol and from the hidden state."""
    shapes = ((4 * dim, len(SYMBOLS)), (4 * dim, dim), (4 * dim,), (4 * dim,))
    return dict(zip(PARAMETERS, shapes, strict=True))

"""A model's numeral encoder → a torch module that composes vectors and can be trained.

An encoder says of values what training does not change (`prepare`); `numeral_tensors` makes tensors
of that, without gradient, and the module turns them into rows:

    weights, dense     shares [numerals, basis]                        shares @ basis
    weights, sparse    shares, columns, both [numerals, most weights]  the same, over those columns
    digits (lstm)      codes [numerals, longest], lengths              the last hidden state
"""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import Tensor, nn

from numberline.encoders.base import LinearEncoder, NumeralEncoder, Side
from numberline.encoders.lstm import SYMBOLS, Digits, LstmEncoder
from numberline.encoders.registry import encoder_from_state
from numberline.encoders.squash import Floats
from numberline.encoders.weights import DenseWeights, SparseWeights


def numeral_tensors(encoder: NumeralEncoder, values: Floats, side: Side) -> tuple[Tensor, ...]:
    prepared = encoder.prepare(values, side)
    if isinstance(prepared, Digits):
        return torch.from_numpy(prepared.codes), torch.from_numpy(prepared.lengths)
    if isinstance(prepared, DenseWeights):
        return (torch.from_numpy(prepared.table),)
    return padded(prepared)


def padded(weights: SparseWeights) -> tuple[Tensor, Tensor]:
    """Rows of equal length: shorter ones end in shares of 0."""
    lengths = np.diff(weights.offsets)
    is_filled = np.arange(lengths.max()) < lengths[:, None]
    shares = np.zeros(is_filled.shape, np.float32)
    columns = np.zeros(is_filled.shape, np.int64)
    shares[is_filled], columns[is_filled] = weights.shares, weights.columns
    return torch.from_numpy(shares), torch.from_numpy(columns)


class LinearNumerals(nn.Module):
    """Weights times a basis: a row for each prototype, and what else a vector is made of."""

    def __init__(self, encoder: LinearEncoder, side: Side) -> None:
        super().__init__()
        self.basis = nn.Parameter(torch.tensor(encoder.bases[side]))

    def forward(self, shares: Tensor, columns: Tensor | None = None) -> Tensor:
        shares = shares.to(self.basis.dtype)
        if columns is None:
            return shares @ self.basis
        return nn.functional.embedding_bag(
            columns, self.basis, per_sample_weights=shares, mode="sum"
        )


class LstmNumerals(nn.Module):
    """The last hidden state of an LSTM over the digits."""

    def __init__(self, encoder: LstmEncoder, side: Side) -> None:
        super().__init__()
        self.network = copy.deepcopy(encoder.networks[side])

    def forward(self, codes: Tensor, lengths: Tensor) -> Tensor:
        digits = nn.functional.one_hot(codes, len(SYMBOLS)).to(self.network.weight_hh_l0.dtype)
        states, _ = self.network(digits)
        # It reads one way, so what comes after the last digit changes nothing before it.
        last: Tensor = states[torch.arange(len(lengths), device=lengths.device), lengths - 1]
        return last


def numeral_module(encoder: NumeralEncoder, side: Side) -> nn.Module:
    if isinstance(encoder, LstmEncoder):
        return LstmNumerals(encoder, side)
    assert isinstance(encoder, LinearEncoder), f"no torch module for {encoder.name}"
    return LinearNumerals(encoder, side)


def trained_encoder(encoder: NumeralEncoder, module: nn.Module, side: Side) -> NumeralEncoder:
    """The encoder with the module's parameters, which have the names they have in its state."""
    rows = {
        f"{side}_{name.rpartition('.')[2]}": parameter.detach().cpu().float().numpy()
        for name, parameter in module.named_parameters()
    }
    return encoder_from_state(encoder.config, encoder.state() | rows)

"""A model's numerals → a torch module that composes vectors and can be trained.

Training does not change the weights of a numeral, so they are computed where tokens are read, as
tensors without a gradient (`numeral_tensors`). The module turns these tensors into rows:

    prototypes    weights, indices, both [numerals, most entries of a row] → weighted sums
    others        rows [numerals, dim], composed where tokens are read     → the rows as they are
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from numberline.arrays import Array, Floats
from numberline.errors import InputError
from numberline.integrations.with_torch import Tensor, nn, torch
from numberline.numerals.base import Side
from numberline.numerals.rows import SparseRows
from numberline.numerals.vectors import NumeralVectors, PrototypeVectors


def numeral_tensors(
    numerals: NumeralVectors, values: Floats, kinds: Array, side: Side
) -> tuple[Tensor, ...]:
    """Return what the module of `numeral_module` takes to compose these numerals."""
    if isinstance(numerals, PrototypeVectors):
        return padded(numerals.weights(values, side, kinds))
    return (torch.from_numpy(numerals.vectors(values, side, kinds)),)


def padded(rows: SparseRows) -> tuple[Tensor, Tensor]:
    """Return weights and indices in rows of equal length; shorter ones end in weights of 0."""
    lengths = np.diff(rows.offsets)
    is_entry = np.arange(lengths.max()) < lengths[:, None]
    weights = np.zeros(is_entry.shape, np.float32)
    indices = np.zeros(is_entry.shape, np.int64)
    weights[is_entry], indices[is_entry] = rows.weights, rows.indices
    return torch.from_numpy(weights), torch.from_numpy(indices)


class Prototypes(nn.Module):
    """Composes numerals as weights times a table with one row per prototype."""

    def __init__(self, numerals: PrototypeVectors, side: Side) -> None:
        super().__init__()
        is_trained = not numerals.fitted.is_frozen
        self.table = nn.Parameter(torch.tensor(numerals.table(side)), requires_grad=is_trained)

    def forward(self, weights: Tensor, indices: Tensor) -> Tensor:
        return nn.functional.embedding_bag(
            indices, self.table, per_sample_weights=weights.to(self.table.dtype), mode="sum"
        )


class ComposedRows(nn.Module):
    """Passes on vectors that were composed where tokens were read."""

    def forward(self, rows: Tensor) -> Tensor:
        return rows


def numeral_module(numerals: NumeralVectors, side: Side, freeze: bool) -> nn.Module:
    """Return the module that composes numerals; refuse to train what has no prototypes."""
    if isinstance(numerals, PrototypeVectors):
        return Prototypes(numerals, side)
    if not freeze:
        raise InputError(
            f"numerals of encoder {numerals.encoder} have no prototypes that torch could train; "
            "choose freeze=True"
        )
    return ComposedRows()


def tuned(numerals: NumeralVectors, module: nn.Module, side: Side) -> NumeralVectors:
    """Return the numerals with the table that the module has now."""
    if not (isinstance(numerals, PrototypeVectors) and isinstance(module, Prototypes)):
        return numerals
    table = module.table.detach().cpu().float().numpy().copy()
    return replace(numerals, input=table) if side == "input" else replace(numerals, output=table)

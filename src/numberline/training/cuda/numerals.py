"""An encoder → its weights and bases on the device, and rows for the numerals of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from numberline.encoders.base import SIDES, LinearEncoder, NumeralEncoder, Side
from numberline.encoders.weights import DenseWeights, SparseWeights, Weights
from numberline.extras import optional
from numberline.training.cuda.tables import rows_to_device

Members = npt.NDArray[np.int32]


class DeviceNumerals(Protocol):
    """What a launch needs to know of numerals; they are told by their groups."""

    rows: list[Any]  # input, output

    def arguments(self) -> tuple[Any, ...]: ...
    def make_room(self, members: int) -> None: ...
    def to_encoder(self) -> None: ...


class NumeralRows:
    """Rows of numerals, of either side; and what those of a round were before it."""

    def __init__(self, groups: int, stride: int) -> None:
        self.rows = [empty_rows(groups, stride) for _ in range(2)]
        self.before = [empty_rows(0, stride) for _ in range(2)]

    def make_room(self, members: int) -> None:
        if len(self.before[0]) < members:
            stride = self.rows[0].shape[1]
            self.before = [empty_rows(members, stride) for _ in range(2)]


def empty_rows(count: int, stride: int) -> Any:
    """At least one, so that it has an address."""
    return optional("cupy", "cuda").zeros((max(1, count), stride), np.float32)


class LinearNumerals(NumeralRows):
    """Composed and absorbed within the launch."""

    def __init__(
        self, encoder: LinearEncoder, weights: dict[Side, Weights], dim: int, stride: int
    ) -> None:
        super().__init__(len(weights["input"]), stride)
        self._encoder, self._dim = encoder, dim
        sides = [weights[side] for side in SIDES]
        if isinstance(sides[0], SparseWeights) != isinstance(sides[1], SparseWeights):
            sides = [DenseWeights(one.dense()) for one in sides]
        inputs = weights_to_device(sides[0])
        self._weights = [inputs, inputs if sides[1] is sides[0] else weights_to_device(sides[1])]
        self._bases = [rows_to_device(encoder.bases[side], stride) for side in SIDES]

    def arguments(self) -> tuple[Any, ...]:
        inputs, outputs = self._weights
        return (
            *(*inputs, *outputs, np.int32(self._encoder.basis_size)),
            *(np.int32(self._encoder.is_trained), *self._bases, *self.before),
        )

    def to_encoder(self) -> None:
        for side, basis in zip(SIDES, self._bases, strict=True):
            self._encoder.bases[side][...] = basis[:, : self._dim].get()


def weights_to_device(weights: Weights) -> tuple[Any, Any, Any]:
    """Offsets, columns and shares; of dense weights only these."""
    cupy = optional("cupy", "cuda")
    if isinstance(weights, SparseWeights):
        offsets = cupy.asarray(weights.offsets.astype(np.int64))
        columns = cupy.asarray(weights.columns.astype(np.int32))
        return offsets, columns, cupy.asarray(weights.shares.astype(np.float32))
    null = np.uint64(0)
    return null, null, cupy.asarray(np.ascontiguousarray(weights.dense(), np.float32))


class OtherNumerals(NumeralRows):
    """Composed and absorbed by the encoder itself, between launches."""

    def __init__(
        self, encoder: NumeralEncoder | None, prepared: dict[Side, Any], dim: int, stride: int
    ) -> None:
        super().__init__(len(prepared["input"]), stride)
        self._encoder, self._prepared, self._dim = encoder, prepared, dim
        if encoder is not None:
            encoder.use_device("cuda")

    def arguments(self) -> tuple[Any, ...]:
        null = np.uint64(0)
        return (*[null] * 6, np.int32(0), np.int32(0), null, null, *self.before)

    def compose(self, members: Sequence[Members]) -> None:
        """Rows of these numerals, input and output."""
        for side, own, rows, before in zip(SIDES, members, self.rows, self.before, strict=True):
            if self._encoder is not None and len(own):
                composed = self._encoder.compose(self._prepared[side][own], side)
                before[: len(own)] = rows_to_device(composed, rows.shape[1])
                rows[own] = before[: len(own)]

    def absorb(self, members: Sequence[Members]) -> None:
        for side, own, rows, before in zip(SIDES, members, self.rows, self.before, strict=True):
            if self._encoder is not None and len(own):
                changes = (rows[own] - before[: len(own)])[:, : self._dim].get()
                self._encoder.absorb(self._prepared[side][own], changes, side)

    def to_encoder(self) -> None:
        """Nothing: the encoder has absorbed all."""

"""Knots on the number line on three scales: a vector is the average of what each scale says.

On every scale a vector is interpolated between two knots, as piecewise does. Few knots are seen
often and learn the rule: vectors that move evenly with magnitude. Many knots learn where frequent
numerals differ from it: years, hours, sizes. What has little text stays near the rule, as the many
knots around it start near zero and hardly move.

The two sides of a numeral have different work to do. An input vector says what a numeral is, and is
what users get: it is made of the coarser scales, so that what is near is alike. An output vector
says where a numeral is found, and has a fine scale, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from numberline.config import EncoderConfig
from numberline.encoders.base import PrototypeEncoder, number_of_prototypes
from numberline.encoders.piecewise import interpolation, quantile_knots
from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array, SparseWeights, sparse_columns
from numberline.errors import EncoderStateError


class Scale(NamedTuple):
    knots: float  # times those of the middle scale
    input_share: float  # of a numeral's input vector
    output_share: float


# Of the sets tried on Wikipedia one with which magnitude, prediction and probing are all as good as
# with any other encoder. A fine scale in input vectors ranks better and tears neighbours apart.
SCALES = (Scale(1 / 3, 0.5, 0.2), Scale(1.0, 0.5, 0.3), Scale(10.0, 0.0, 0.5))


class MultiscaleEncoder(PrototypeEncoder):
    name = "multiscale"
    settings = frozenset({"prototypes", "log"})  # prototypes: of the middle scale
    logs = ("dataset", "none")
    fitted = ("knots", "scales", "shares_of_inputs", "shares_of_outputs")
    knots: Floats  # of all scales, ascending; on the squashed line unless log="none"
    scales: Floats  # 0, 1, … from coarse to fine, of each knot; floats, as all arrays of a state
    shares_of_inputs: Floats  # of a numeral's input vector, that the scale of each knot has
    shares_of_outputs: Floats

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        middle = number_of_prototypes(self.config, len(values))
        places = self.on_line(values)
        sizes = [max(1, round(middle * scale.knots)) for scale in SCALES]
        found = [quantile_knots(places, counts, size) for size in sizes]
        knots = np.concatenate(found)
        scales = np.repeat(np.arange(len(SCALES)), [len(one) for one in found])
        order = np.argsort(knots, kind="stable")
        self.knots, self.scales = knots[order], scales[order].astype(np.float64)
        self.shares_of_inputs = np.array([scale.input_share for scale in SCALES])[scales[order]]
        self.shares_of_outputs = np.array([scale.output_share for scale in SCALES])[scales[order]]
        return self

    def start(self, dim: int, rng: np.random.Generator, dtype: npt.DTypeLike = np.float32) -> Self:
        """Knots that no input vector is made of have none themselves."""
        super().start(dim, rng, dtype)
        self.bases["input"][self.shares_of_inputs == 0] = 0
        return self

    @property
    def prototype_values(self) -> Floats:
        return self.off_line(self.knots)

    @property
    def shown_prototypes(self) -> Floats:
        return np.unique(self.prototype_values[self.shares_of_inputs > 0])

    def weights(self, values: npt.ArrayLike) -> SparseWeights:
        return self._interpolated(values, self.shares_of_inputs)

    def output_weights(self, values: npt.ArrayLike) -> SparseWeights:
        return self._interpolated(values, self.shares_of_outputs)

    def _interpolated(self, values: npt.ArrayLike, shares_of_knots: Floats) -> SparseWeights:
        places = self.on_line(values)
        columns, shares = [], []
        for number in np.unique(self.scales[shares_of_knots > 0]):
            members = np.flatnonzero(self.scales == number)
            neighbours, parts = interpolation(self.knots[members], places)
            columns.append(members[neighbours])
            shares.append(shares_of_knots[members[0]] * parts)
        joined = np.concatenate(columns, axis=1), np.concatenate(shares, axis=1)
        return sparse_columns(*joined, len(self.knots))

    @classmethod
    def from_state(cls, config: EncoderConfig, state: Mapping[str, Array]) -> Self:
        encoder = super().from_state(config, state)
        known = np.unique(encoder.scales).tolist()
        if known != list(range(len(known))):
            raise EncoderStateError(
                f"scales in the state of the encoder are {known}, but must be 0, 1, … without a gap"
            )
        for name in ("shares_of_inputs", "shares_of_outputs"):
            require_average(getattr(encoder, name), encoder.scales, name)
        return encoder


def require_average(shares: Floats, scales: Floats, name: str) -> None:
    of_scales = [np.unique(shares[scales == number]) for number in np.unique(scales)]
    is_one = all(len(share) == 1 for share in of_scales)
    if not is_one or np.min(of_scales) < 0 or not np.isclose(np.sum(of_scales), 1):
        raise EncoderStateError(
            f"{name} in the state of the encoder must be one of each scale, and 1 together"
        )

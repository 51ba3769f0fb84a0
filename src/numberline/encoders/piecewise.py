"""Knots on the number line, and between two of them a straight way from one vector to the other.

Exactly two weights are above zero (one on a knot, and beyond the outermost), they are cheap, and a
numeral's vector moves evenly with its place on the line: nothing jumps, nothing is shared far away.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from numberline.encoders.base import PrototypeEncoder, number_of_prototypes
from numberline.encoders.knots import interpolation, quantile_knots
from numberline.encoders.squash import Floats
from numberline.encoders.weights import SparseWeights, sparse_columns


class PiecewiseEncoder(PrototypeEncoder):
    name = "piecewise"
    settings = frozenset({"prototypes", "log"})
    logs = ("dataset", "none")
    fitted = ("knots",)
    knots: Floats  # distinct, ascending; on the squashed line unless log="none"

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        size = number_of_prototypes(self.config, len(values))
        self.knots = quantile_knots(self.on_line(values), counts, size)
        return self

    @property
    def prototype_values(self) -> Floats:
        return self.off_line(self.knots)

    def weights(self, values: npt.ArrayLike) -> SparseWeights:
        columns, shares = interpolation(self.knots, self.on_line(values))
        return sparse_columns(columns, shares, len(self.knots))

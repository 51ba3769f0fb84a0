"""Knots on the number line on three scales: a vector is the average of what each scale says.

On every scale a vector is interpolated between two knots, as piecewise does. Few knots are seen
often and learn the rule: vectors that move evenly with magnitude. Many knots learn where frequent
numerals differ from it: years, hours, sizes. What has little text stays near the rule, as the many
knots around it start near zero and hardly move.
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
    share: float  # of a numeral's vector


# Of the sets tried on Wikipedia the one with the best magnitude whose predictions are still as good
# as those of numerals as words. Larger shares of coarse scales keep neighbours together and predict
# worse.
SCALES = (Scale(1 / 3, 0.6), Scale(1.0, 0.28), Scale(10 / 3, 0.12))


class MultiscaleEncoder(PrototypeEncoder):
    name = "multiscale"
    settings = frozenset({"prototypes", "log"})  # prototypes: of the middle scale
    logs = ("dataset", "none")
    fitted = ("knots", "scales", "shares")
    knots: Floats  # of all scales, ascending; on the squashed line unless log="none"
    scales: Floats  # 0, 1, … from coarse to fine, of each knot; floats, as all arrays of a state
    shares: Floats  # of a numeral's vector, that the scale of each knot has

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        middle = number_of_prototypes(self.config, len(values))
        places = self.on_line(values)
        sizes = [max(1, round(middle * scale.knots)) for scale in SCALES]
        found = [quantile_knots(places, counts, size) for size in sizes]
        knots = np.concatenate(found)
        scales = np.repeat(np.arange(len(SCALES)), [len(one) for one in found])
        order = np.argsort(knots, kind="stable")
        self.knots, self.scales = knots[order], scales[order].astype(np.float64)
        self.shares = np.array([scale.share for scale in SCALES])[scales[order]]
        return self

    @property
    def prototype_values(self) -> Floats:
        return self.off_line(self.knots)

    def weights(self, values: npt.ArrayLike) -> SparseWeights:
        places = self.on_line(values)
        columns, shares = [], []
        for number in range(int(self.scales.max()) + 1):
            members = np.flatnonzero(self.scales == number)
            neighbours, parts = interpolation(self.knots[members], places)
            columns.append(members[neighbours])
            shares.append(self.shares[members[0]] * parts)
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
        shares = [np.unique(encoder.shares[encoder.scales == number]) for number in known]
        is_one = all(len(share) == 1 for share in shares)
        if not is_one or np.min(shares) < 0 or not np.isclose(np.sum(shares), 1):
            raise EncoderStateError(
                "shares in the state of the encoder must be one of each scale, and 1 together"
            )
        return encoder

"""Components of a Gaussian mixture, weighted by their posterior probability for a numeral."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from numberline.encoders.base import PrototypeEncoder, number_of_prototypes
from numberline.encoders.gmm_fit import Kind, fit_gmm
from numberline.encoders.gmm_start import starting_mixture
from numberline.encoders.mixture import Mixture, sparse_posterior
from numberline.encoders.squash import Floats, squarable_unit
from numberline.encoders.weights import SparseWeights


class GmmEncoder(PrototypeEncoder):
    name = "gmm"
    settings = frozenset({"prototypes", "log", "em", "em_start"})
    logs = ("dataset", "none")
    fitted = ("shares", "means", "deviations")
    shares: Floats
    means: Floats  # ascending; on the squashed line unless log="none"
    deviations: Floats

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        size = number_of_prototypes(self.config, len(values))
        places = self.on_line(values)
        unit = squarable_unit(places)
        start = starting_mixture(self.config.em_start, places / unit, counts, size, rng)
        kind: Kind = "soft" if self.config.em == "soft" else "hard"
        self.shares, means, deviations = fit_gmm(places / unit, counts, start, kind)
        self.means, self.deviations = means * unit, deviations * unit
        return self

    @property
    def prototype_values(self) -> Floats:
        return self.off_line(self.means)

    def weights(self, values: npt.ArrayLike) -> SparseWeights:
        unit = squarable_unit(np.maximum(np.abs(self.means), self.deviations))
        mixture = Mixture(self.shares, self.means / unit, self.deviations / unit)
        return sparse_posterior(self.on_line(values) / unit, mixture)

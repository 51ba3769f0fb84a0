"""Components of a Gaussian mixture, weighted by their posterior probability for a numeral."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from numberline.encoders.base import PrototypeEncoder, number_of_prototypes
from numberline.encoders.gmm_fit import Kind, fit_gmm
from numberline.encoders.gmm_start import FitMap, relative_floor, starting_mixture
from numberline.encoders.mixture import Mixture, sparse_posterior
from numberline.encoders.som_fit import fit_som, fit_som_unsquashed
from numberline.encoders.squash import Floats, squarable
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
        places = squarable(self.on_line(values))
        fit_map: FitMap = fit_som
        floor = None
        if self.config.log == "none":
            fit_map, floor = fit_som_unsquashed, relative_floor(places, counts)
        start = starting_mixture(self.config.em_start, places, counts, size, rng, fit_map, floor)
        kind: Kind = "soft" if self.config.em == "soft" else "hard"
        mixture = fit_gmm(places, counts, start, kind, floor=floor)
        self.shares, self.means, self.deviations = mixture
        return self

    @property
    def prototype_values(self) -> Floats:
        return self.off_line(self.means)

    def weights(self, values: npt.ArrayLike) -> SparseWeights:
        mixture = Mixture(self.shares, self.means, self.deviations)
        return sparse_posterior(squarable(self.on_line(values)), mixture)

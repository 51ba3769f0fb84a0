"""Prototypes of a self-organizing map, weighted by closeness on the squashed number line.

The weight of a prototype p for a numeral n is |g(p) - g(n)|^-beta, normalised. g squashes. Where
the map itself is made on squashed values (log="dataset") that has been done already.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from numberline.encoders.base import PrototypeEncoder, number_of_prototypes
from numberline.encoders.som_fit import fit_som, fit_som_unsquashed
from numberline.encoders.squash import Floats, squarable, squash
from numberline.encoders.weights import DenseWeights

NEAREST = 1e-4  # shortest distance that counts: a numeral on a prototype gets (almost) only that
BATCH = 1024  # values whose distances are held at once, so that they stay in the cache


class SomEncoder(PrototypeEncoder):
    name = "som"
    settings = frozenset({"prototypes", "log", "beta"})
    logs = ("dataset", "similarity")
    fitted = ("places",)
    places: Floats  # of the prototypes on the squashed line, ascending

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        size = number_of_prototypes(self.config, len(values))
        if self.config.log == "dataset":
            self.places = fit_som(squash(values), counts, size)
        else:
            self.places = squash(fit_som_unsquashed(squarable(values), counts, size))
        return self

    @property
    def prototype_values(self) -> Floats:
        return self.off_line(self.places)

    def weights(self, values: npt.ArrayLike) -> DenseWeights:
        places = self.on_line(values)
        table = np.empty((len(places), self.basis_size), np.float32)
        for first in range(0, len(places), BATCH):
            batch = places[first : first + BATCH, None]
            distances = np.maximum(np.abs(batch - self.places), NEAREST).astype(np.float32)
            # Relative to the nearest, so that no beta leaves what a float can hold.
            closeness = distances.min(axis=1, keepdims=True) / distances
            if self.config.beta != 1:
                closeness **= np.float32(self.config.beta)
            np.divide(
                closeness, closeness.sum(axis=1, keepdims=True), out=table[first : first + BATCH]
            )
        return DenseWeights(table)

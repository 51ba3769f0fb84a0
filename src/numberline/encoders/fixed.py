"""The fixed baseline: [f(n); 1 … 1] / Z with Z = 2 D, f squashing. Nothing is trained."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from numberline.encoders.base import LinearEncoder, Side
from numberline.encoders.numbers import finite_numbers
from numberline.encoders.squash import Floats, squash
from numberline.encoders.weights import Array, DenseWeights, Weights


class FixedEncoder(LinearEncoder):
    name = "fixed"
    fitted = ()
    is_average = False
    is_trained = False
    basis_size = 2  # the direction of the value, and that of all ones

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        return self

    def start(self, dim: int, rng: np.random.Generator, dtype: npt.DTypeLike = np.float32) -> Self:
        basis = np.zeros((2, dim), dtype)
        basis[0, 0] = basis[1, 1:] = 1 / (2 * dim)
        self.bases = {"input": basis, "output": basis.copy()}
        return self

    def weights(self, values: npt.ArrayLike) -> DenseWeights:
        places = squash(finite_numbers(values))
        return DenseWeights(np.stack([places, np.ones_like(places)], axis=1))

    def absorb(self, values: npt.ArrayLike | Weights, changes: Array, side: Side = "input") -> None:
        """Nothing: what training wants of these vectors does not count."""

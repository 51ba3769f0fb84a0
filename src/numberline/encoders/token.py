"""NumAsTok: frequent numerals are words with vectors of their own, all others share one."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from numberline.encoders.base import LinearEncoder, number_of_prototypes
from numberline.encoders.numbers import finite_numbers
from numberline.encoders.squash import Floats
from numberline.encoders.weights import SparseWeights


class TokenEncoder(LinearEncoder):
    name = "token"
    settings = frozenset({"prototypes", "numeral_min_count"})
    fitted = ("frequent",)
    frequent: Floats  # ascending; the basis holds their vectors, then that of the rest (UNK_num)

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> Self:
        if self.config.prototypes is None:
            self.frequent = values[counts >= self.config.numeral_min_count]
        else:
            size = number_of_prototypes(self.config, len(values))
            self.frequent = np.sort(values[np.argsort(-counts, kind="stable")[:size]])
        return self

    @property
    def basis_size(self) -> int:
        return len(self.frequent) + 1

    def groups(self, values: Floats) -> npt.NDArray[np.int32]:
        return self.weights(values).columns

    def weights(self, values: npt.ArrayLike) -> SparseWeights:
        numbers = finite_numbers(values)
        unknown = len(self.frequent)
        places = np.searchsorted(self.frequent, numbers)
        is_known = np.append(self.frequent, np.nan)[places] == numbers
        columns = np.where(is_known, places, unknown).astype(np.int32)
        offsets = np.arange(len(numbers) + 1)
        return SparseWeights(offsets, columns, np.ones(len(numbers), np.float32), unknown + 1)

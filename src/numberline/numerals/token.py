"""NumAsTok: frequent numerals have a vector each, like words; all others share one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.fields import LARGEST_COUNT, LARGEST_SIZE, or_none, setting, whole_number
from numberline.numerals.base import Encoder, FittedEncoder, Side, number_of_prototypes
from numberline.numerals.rows import SparseRows
from numberline.numerals.state import require_ascending
from numberline.numerals.values import finite_numbers


@dataclass(frozen=True, eq=False)
class FittedTokens(FittedEncoder):
    encoder: NumeralTokens
    frequent: Floats  # ascending; the table has their vectors, then the shared one (UNK_num)

    def __post_init__(self) -> None:
        require_ascending("frequent", self.frequent, smallest=0)

    @property
    def size(self) -> int:
        return len(self.frequent) + 1

    @property
    def labels(self) -> Floats:
        return np.append(self.frequent, np.nan)

    def weights(self, values: npt.ArrayLike, side: Side = "input") -> SparseRows:
        numbers = finite_numbers(values)
        nearest = np.searchsorted(self.frequent, numbers)
        is_frequent = self.labels[nearest] == numbers
        indices = np.where(is_frequent, nearest, len(self.frequent)).astype(np.int32)
        offsets = np.arange(len(numbers) + 1, dtype=np.int64)
        return SparseRows(offsets, indices, np.ones(len(numbers), np.float32), self.size)


@dataclass(frozen=True)
class NumeralTokens(Encoder):
    """Each frequent numeral has its own vector, like a word; all others share one."""

    prototypes: int | None = setting(
        None,
        "Number of numerals with a vector each; by default all that occur min_count times.",
        or_none(whole_number(1, LARGEST_SIZE)),
    )
    min_count: int = setting(
        5,
        "Rarer numerals share one vector; not used if prototypes is set.",
        whole_number(1, LARGEST_COUNT),
    )

    name: ClassVar[str] = "token"
    fitted_class: ClassVar[type[FittedEncoder]] = FittedTokens

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedTokens:
        if self.prototypes is None:
            return FittedTokens(self, values[counts >= self.min_count])
        size = number_of_prototypes(self.prototypes, len(values))
        return FittedTokens(self, np.sort(values[np.argsort(-counts, kind="stable")[:size]]))

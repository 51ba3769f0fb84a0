"""Knots on the number line; the vector of a numeral is interpolated between the two around it.

A knot is the most frequent numeral of its group of occurrences, so that 10, 1900 and 2000 have
vectors of their own. An input vector has weights on two knots: it moves evenly with the numeral's
position.

An output vector predicts the contexts of a numeral, and those of 2015 differ from those of 2016,
those of 95 from those of 96. So half of it is interpolated between fine knots, which lie
closer together. Input vectors, which users compare, stay a smooth line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.numerals.base import (
    Encoder,
    FittedEncoder,
    Side,
    number_of_prototypes,
    prototypes_setting,
)
from numberline.numerals.knots import frequent_knots, interpolation
from numberline.numerals.rows import SparseRows, rows_of_columns
from numberline.numerals.squash import line_setting, number_at, position_of
from numberline.numerals.state import require_ascending
from numberline.numerals.values import finite_numbers

FINE_FRACTION = np.float32(0.5)  # weight of the fine knots in an output vector
FINE_KNOTS = 10  # per knot; without any, lift scores rank the right numeral 13 to 19 ranks lower


@dataclass(frozen=True, eq=False)
class FittedLine(FittedEncoder):
    """Fitted knots. The table holds the vectors of knots, then those of fine knots."""

    encoder: Line
    knots: Floats  # distinct, ascending; on the squashed line unless log="none"
    fine_knots: Floats  # on the same line, likewise distinct and ascending

    def __post_init__(self) -> None:
        require_ascending("knots", self.knots)
        require_ascending("fine_knots", self.fine_knots)

    @property
    def size(self) -> int:
        return len(self.knots) + len(self.fine_knots)

    @property
    def input_size(self) -> int:
        return len(self.knots)

    @property
    def labels(self) -> Floats:
        """Return the numbers at the knots; other rows are not used in input vectors."""
        values = number_at(self.knots, self.encoder.log)
        return np.append(values, np.full(self.size - len(values), np.nan))

    def weights(self, values: npt.ArrayLike, side: Side = "input") -> SparseRows:
        numbers = finite_numbers(values)
        positions = position_of(numbers, self.encoder.log)
        indices, weights = interpolation(self.knots, positions)
        if side == "input":
            return rows_of_columns(indices, weights, self.size)
        fine_indices, fine_weights = interpolation(self.fine_knots, positions)
        fine_indices += np.int32(len(self.knots))
        return rows_of_columns(
            np.concatenate([indices, fine_indices], axis=1),
            np.concatenate([(1 - FINE_FRACTION) * weights, FINE_FRACTION * fine_weights], axis=1),
            self.size,
        )


@dataclass(frozen=True)
class Line(Encoder):
    """Knots at frequent numerals; each numeral has weights on the two that it lies between."""

    prototypes: int | None = prototypes_setting()
    log: str = line_setting()

    name: ClassVar[str] = "line"
    fitted_class: ClassVar[type[FittedEncoder]] = FittedLine

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedLine:
        size = number_of_prototypes(self.prototypes, len(values))
        positions = position_of(values, self.log)
        knots = frequent_knots(positions, counts, size)
        return FittedLine(self, knots, frequent_knots(positions, counts, FINE_KNOTS * size))

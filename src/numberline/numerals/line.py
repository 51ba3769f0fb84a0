"""Knots on the number line, and between two of them a straight way from one vector to the other.

A knot is the most frequent numeral of its part of the text, so that 10, 1900 and 2000 have vectors
of their own. An input vector has weights on the two knots around a numeral: it moves evenly with
its position, nothing jumps, nothing is shared far away.

An output vector says where a numeral is found, and texts use 2015 not as they use 2016, 3.5 not as
they use 3 and 4. So it has two parts more. Half of it is interpolated between knots that lie closer
together. And all numerals with digits after the point have a vector in common, which is added: what
is measured or priced has such digits, what is counted has none. Input vectors, which users compare,
stay a smooth line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.fields import setting, whole_number
from numberline.numerals.base import Encoder, FittedEncoder, Side, number_of_prototypes
from numberline.numerals.knots import frequent_knots, interpolation
from numberline.numerals.rows import SparseRows, rows_of_columns
from numberline.numerals.shared_settings import line_setting, prototypes_setting
from numberline.numerals.squash import number_at, position_of
from numberline.numerals.state import require_ascending
from numberline.numerals.values import finite_numbers, have_decimals

FINE_FRACTION = np.float32(0.5)  # of an output vector, that is interpolated between fine knots
MOST_FINE = 1000


@dataclass(frozen=True, eq=False)
class FittedLine(FittedEncoder):
    """The table has the vectors of the knots, of the fine knots, and of decimals."""

    encoder: Line
    knots: Floats  # distinct, ascending; on the squashed line unless log="none"
    fine_knots: Floats  # likewise

    def __post_init__(self) -> None:
        require_ascending("knots", self.knots)
        require_ascending("fine_knots", self.fine_knots)

    @property
    def size(self) -> int:
        return len(self.knots) + len(self.fine_knots) + 1

    @property
    def input_size(self) -> int:
        return len(self.knots)

    @property
    def labels(self) -> Floats:
        """Return the numbers of the knots; other rows are not seen in input vectors."""
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
        of_decimals = np.full((len(numbers), 1), self.size - 1, np.int32)
        is_decimal = have_decimals(numbers)[:, None].astype(np.float32)
        return rows_of_columns(
            np.concatenate([indices, fine_indices, of_decimals], axis=1),
            np.concatenate(
                [(1 - FINE_FRACTION) * weights, FINE_FRACTION * fine_weights, is_decimal], axis=1
            ),
            self.size,
        )


@dataclass(frozen=True)
class Line(Encoder):
    """Knots at frequent numerals; each numeral has a weight on the two that it lies between."""

    prototypes: int | None = prototypes_setting()
    log: str = line_setting()
    fine: int = setting(
        10,
        "Fine knots of output vectors, per knot; 1: as many as there are knots.",
        whole_number(1, MOST_FINE),
    )

    name: ClassVar[str] = "line"
    fitted_class: ClassVar[type[FittedEncoder]] = FittedLine

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedLine:
        size = number_of_prototypes(self.prototypes, len(values))
        positions = position_of(values, self.log)
        knots = frequent_knots(positions, counts, size)
        return FittedLine(self, knots, frequent_knots(positions, counts, self.fine * size))

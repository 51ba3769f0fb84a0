"""Knots on the number line, and between two of them a straight way from one vector to the other.

A knot is the most frequent numeral of its part of the text, so that 10, 1900 and 2000 have vectors
of their own. A numeral has at most two weights, and its vector moves evenly with its position:
nothing jumps, nothing is shared far away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from numberline.numerals.base import Encoder, FittedEncoder, Side, number_of_prototypes
from numberline.numerals.fields import line_setting, prototypes_setting
from numberline.numerals.knots import frequent_knots, interpolation
from numberline.numerals.rows import SparseRows, rows_of_columns
from numberline.numerals.squash import Floats, number_at, position_of
from numberline.numerals.state import require_ascending
from numberline.numerals.values import finite_numbers


@dataclass(frozen=True, eq=False)
class FittedLine(FittedEncoder):
    encoder: Line
    knots: Floats  # distinct, ascending; on the squashed line unless log="none"

    def __post_init__(self) -> None:
        require_ascending("knots", self.knots)

    @property
    def size(self) -> int:
        return len(self.knots)

    @property
    def labels(self) -> Floats:
        return number_at(self.knots, self.encoder.log)

    def weights(self, values: npt.ArrayLike, side: Side = "input") -> SparseRows:
        positions = position_of(finite_numbers(values), self.encoder.log)
        return rows_of_columns(*interpolation(self.knots, positions), self.size)


@dataclass(frozen=True)
class Line(Encoder):
    """Knots at frequent numerals; each numeral has a weight on the two that it lies between."""

    prototypes: int | None = prototypes_setting()
    log: str = line_setting()

    name: ClassVar[str] = "line"
    fitted_class: ClassVar[type[FittedEncoder]] = FittedLine

    def fit(self, values: Floats, counts: Floats, rng: np.random.Generator) -> FittedLine:
        size = number_of_prototypes(self.prototypes, len(values))
        return FittedLine(self, frequent_knots(position_of(values, self.log), counts, size))

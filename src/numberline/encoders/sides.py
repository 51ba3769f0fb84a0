"""Vectors of two sides whose products matter: the same products of other vectors.

Whatever is done to all input vectors may be undone in the output vectors. Scores are products of
the two and stay as they are; distances within a side do not.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array

ROWS_AT_A_TIME = 16_384
TOO_SHORT = 1e-5  # compared with what it was computed from: what rounding may have made


class Lengths:
    """Lengths along axes are multiplied one after another, and vectors changed but once."""

    def __init__(self, dim: int) -> None:
        self.of_inputs: Floats = np.eye(dim)
        self.of_outputs: Floats = np.eye(dim)

    def multiply(self, axes: Floats, factor: float) -> None:
        """Along axes of length 1, at right angles to each other."""
        along = axes.T @ axes
        self.of_inputs += (factor - 1) * self.of_inputs @ along
        self.of_outputs += (1 / factor - 1) * self.of_outputs @ along

    def suit_distances(
        self, words: Array, numerals: Floats, common: float, differences: float, number: int
    ) -> None:
        """Multiply what words and numerals have in common, and what numerals differ by.

        That is said to be so many axes.
        """
        if len(words):
            means = np.array([rows.mean(axis=0, dtype=float) for rows in (words, numerals)])
            of_both = in_common(*means @ self.of_inputs)
            self.multiply(axis_of(of_both, among=means), common)
        self.multiply(main_axes(numerals @ self.of_inputs, number), differences)

    def apply(self, inputs: Iterable[Array], outputs: Iterable[Array]) -> None:
        if (self.of_inputs == np.eye(len(self.of_inputs))).all():
            return
        for tables, matrix in ((inputs, self.of_inputs), (outputs, self.of_outputs)):
            for table in tables:
                same_kind = matrix.astype(table.dtype)
                for first in range(0, len(table), ROWS_AT_A_TIME):
                    rows = table[first : first + ROWS_AT_A_TIME]
                    rows[:] = rows @ same_kind


def axis_of(direction: Floats, *, among: Floats) -> Floats:
    """One axis, or none where the direction is nothing beside the rows that it was taken from."""
    length = np.linalg.norm(direction)
    is_short = length <= TOO_SHORT * np.linalg.norm(among, axis=1).max(initial=0)
    return np.empty((0, len(direction))) if is_short else direction[None] / length


def main_axes(rows: Floats, number: int) -> Floats:
    """The axes along which rows differ most from their mean, each of length 1; fewer if alike."""
    _, lengths, axes = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    found: Floats = axes[:number][lengths[:number] > TOO_SHORT * np.linalg.norm(rows)]
    return found


def in_common(mean: Floats, other: Floats) -> Floats:
    """What two means have alike: where the line through them is nearest to zero."""
    apart = other - mean
    squared = apart @ apart
    nearest: Floats = mean - (mean @ apart / squared if squared > 0 else 0) * apart
    return nearest

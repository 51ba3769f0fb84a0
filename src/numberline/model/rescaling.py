"""Trained vectors → vectors with the same scores, whose distances say more.

A score is the product of an input and an output vector. If all input vectors are multiplied along
an axis and all output vectors divided along it, no score changes, but distances do. After training,
what words and numerals have in common hides how they differ, and numerals, which are averages,
differ by less than what they are averages of. So the first is made shorter and the second longer.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from numberline.numerals.rows import Array
from numberline.numerals.squash import Floats
from numberline.numerals.vectors import PrototypeVectors, prototype_values

COMMON_FACTOR = 0.3  # of input vectors, along what words and numerals have in common
DIFFERENCES_FACTOR = 1.4  # of input vectors, along what numerals differ by
AXES_FRACTION = 0.2  # of the dimensions, along which numerals are said to differ
FREQUENT_FRACTION = 0.15  # of the words: rare ones have moved too little to say what is common
ROWS_AT_A_TIME = 16_384
NEGLIGIBLE = 1e-5  # of the length that an axis was computed from: rounding may have made it


class Rescaling(NamedTuple):
    """Matrices that all vectors of a side are multiplied by; their product is the identity."""

    inputs: Floats  # [dim, dim]
    outputs: Floats


def no_rescaling(dim: int) -> Rescaling:
    return Rescaling(np.eye(dim), np.eye(dim))


def rescale_axes(rescaling: Rescaling, axes: Floats, factor: float) -> Rescaling:
    """Multiply along some axes, too: rows of length 1, at right angles to each other."""
    along = axes.T @ axes
    return Rescaling(
        rescaling.inputs + (factor - 1) * rescaling.inputs @ along,
        rescaling.outputs + (1 / factor - 1) * rescaling.outputs @ along,
    )


def rescale_differences(
    rescaling: Rescaling,
    words: Array,
    numerals: Floats,
    axes: int,
    common_factor: float = COMMON_FACTOR,
    differences_factor: float = DIFFERENCES_FACTOR,
) -> Rescaling:
    """Shorten what words and numerals have in common, and lengthen what numerals differ by.

    Both are input vectors as training left them. Differences are the `axes` largest of numerals.
    """
    if len(words):
        means = np.array([rows.mean(axis=0, dtype=float) for rows in (words, numerals)])
        common = common_part(*means @ rescaling.inputs)
        rescaling = rescale_axes(rescaling, axis_of(common, among=means), common_factor)
    main = main_axes(numerals @ rescaling.inputs, axes)
    return rescale_axes(rescaling, main, differences_factor)


def rescale_tables(rescaling: Rescaling, inputs: list[Array], outputs: list[Array]) -> None:
    """Multiply all vectors of both sides, in place."""
    if (rescaling.inputs == np.eye(len(rescaling.inputs))).all():
        return
    for tables, matrix in ((inputs, rescaling.inputs), (outputs, rescaling.outputs)):
        for table in tables:
            typed = matrix.astype(table.dtype)
            for first in range(0, len(table), ROWS_AT_A_TIME):
                rows = table[first : first + ROWS_AT_A_TIME]
                rows[:] = rows @ typed


def rescale_after_training(
    word_input: Array, word_output: Array, numerals: PrototypeVectors
) -> None:
    """Rescale words, most frequent first, and prototypes in place, if prototypes are numbers."""
    values = prototype_values(numerals)
    if not len(values):
        return
    dim = numerals.dim
    frequent = word_input[: math.ceil(FREQUENT_FRACTION * len(word_input))]
    rows = numerals.vectors(values).astype(np.float64)
    rescaling = rescale_differences(
        no_rescaling(dim), frequent, rows, axes=round(AXES_FRACTION * dim)
    )
    rescale_tables(rescaling, [word_input, numerals.input], [word_output, numerals.output])


def axis_of(direction: Floats, *, among: Floats) -> Floats:
    """Return the direction as one axis, or none if it is negligible beside the rows `among`."""
    length = np.linalg.norm(direction)
    is_short = length <= NEGLIGIBLE * np.linalg.norm(among, axis=1).max(initial=0)
    return np.empty((0, len(direction))) if is_short else direction[None] / length


def main_axes(rows: Floats, count: int) -> Floats:
    """Return the axes along which rows differ most from their mean; fewer if rows are alike."""
    _, lengths, axes = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    found: Floats = axes[:count][lengths[:count] > NEGLIGIBLE * np.linalg.norm(rows)]
    return found


def common_part(mean: Floats, other: Floats) -> Floats:
    """Return what two means have in common: where the line through them is nearest to zero."""
    apart = other - mean
    squared = apart @ apart
    nearest: Floats = mean - (mean @ apart / squared if squared > 0 else 0) * apart
    return nearest

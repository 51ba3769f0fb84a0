"""A seed → adults whose body measures vary and go together as those of real people do.

Means, standard deviations and correlations were computed once from the public ANSUR II survey
(1,986 women and 4,082 men of the US Army, 2012) and rounded; centimetres and kilograms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Kind = Literal["woman", "man", "girl", "boy"]

MEASURES = (
    "stature",
    "weight",
    "foot",
    "waist",
    "chest",
    "hip",
    "inseam",
    "neck",
    "sleeve",
    "head",
    "shoulder",
)


class Person(NamedTuple):
    """Someone who buys clothes or for whom clothes are bought; centimetres, kilograms, years."""

    kind: Kind
    age: int
    stature: float
    weight: float
    foot: float
    waist: float
    chest: float
    hip: float
    inseam: float
    neck: float
    sleeve: float
    head: float
    shoulder: float


@dataclass(frozen=True)
class Survey:
    """What a survey says about one sex, in the order of MEASURES."""

    kind: Kind
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    correlations: tuple[tuple[float, ...], ...]  # row i holds r(i, j) for j < i

    def correlation_matrix(self) -> NDArray[np.float64]:
        """The full symmetric matrix with ones on its diagonal."""
        matrix = np.eye(len(self.means))
        for i, row in enumerate(self.correlations):
            matrix[i, : len(row)] = row
            matrix[: len(row), i] = row
        return matrix


WOMEN = Survey(
    kind="woman",
    means=(162.8, 67.8, 24.6, 86.1, 94.7, 102.1, 78.2, 33.0, 80.7, 56.1, 36.5),
    deviations=(6.42, 10.98, 1.24, 9.99, 8.27, 7.59, 4.46, 1.92, 3.79, 1.94, 1.83),
    correlations=(
        (),
        (0.53,),
        (0.72, 0.54),
        (0.23, 0.84, 0.26),
        (0.26, 0.83, 0.28, 0.84),
        (0.38, 0.91, 0.39, 0.80, 0.74),
        (0.85, 0.40, 0.72, 0.12, 0.12, 0.24),
        (0.29, 0.76, 0.36, 0.70, 0.73, 0.64, 0.19),
        (0.80, 0.62, 0.73, 0.35, 0.39, 0.46, 0.80, 0.43),
        (0.31, 0.37, 0.41, 0.20, 0.21, 0.27, 0.34, 0.36, 0.40),
        (0.57, 0.46, 0.52, 0.25, 0.29, 0.33, 0.47, 0.36, 0.68, 0.33),
    ),
)

MEN = Survey(
    kind="man",
    means=(175.6, 85.5, 27.1, 94.1, 105.9, 102.0, 84.6, 39.8, 89.6, 57.4, 41.6),
    deviations=(6.86, 14.22, 1.31, 11.17, 8.74, 7.67, 4.65, 2.58, 4.02, 1.61, 1.92),
    correlations=(
        (),
        (0.47,),
        (0.72, 0.48),
        (0.21, 0.89, 0.23),
        (0.25, 0.91, 0.30, 0.89),
        (0.34, 0.93, 0.37, 0.88, 0.84),
        (0.86, 0.31, 0.69, 0.05, 0.12, 0.18),
        (0.20, 0.79, 0.27, 0.74, 0.79, 0.71, 0.08),
        (0.77, 0.60, 0.69, 0.36, 0.47, 0.48, 0.75, 0.38),
        (0.34, 0.50, 0.37, 0.37, 0.42, 0.44, 0.23, 0.45, 0.38),
        (0.53, 0.59, 0.52, 0.39, 0.52, 0.49, 0.43, 0.48, 0.69, 0.38),
    ),
)

CIVILIAN_SPREAD = 1.1  # the army turns away the very short, the very heavy and the very thin
LARGEST_DEVIATION = 3.0  # standard deviations; whoever lies beyond is drawn anew
BLOCK = 2048  # people drawn at once


def adults(seed: int) -> Iterator[Person]:
    """Women and men in turn, without end."""
    # RandomState, because its stream is frozen: a seed gives the same people in every release.
    random = np.random.RandomState(seed % 2**32)
    while True:
        for pair in zip(_block(WOMEN, random), _block(MEN, random), strict=False):
            yield from pair


def _block(survey: Survey, random: np.random.RandomState) -> list[Person]:
    """Up to BLOCK people: z = L·noise has the correlations L·Lᵀ of the survey."""
    mixing = np.linalg.cholesky(survey.correlation_matrix())
    scores = random.standard_normal((BLOCK, len(MEASURES))) @ mixing.T
    scores = scores[(np.abs(scores) < LARGEST_DEVIATION).all(axis=1)]
    values = np.array(survey.means) + CIVILIAN_SPREAD * np.array(survey.deviations) * scores
    # Triangular: few customers are very young or old, most are between 20 and 45.
    ages = random.triangular(16, 28, 70, size=len(values)).astype(int)
    return [
        Person(survey.kind, age, *measures)
        for age, measures in zip(ages.tolist(), values.tolist(), strict=True)
    ]

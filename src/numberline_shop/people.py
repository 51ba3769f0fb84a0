"""A seed → people whose body measures vary and go together as those of real people do.

Means, standard deviations and correlations of adults were computed once from the public ANSUR II
survey (1,986 women and 4,082 men of the US Army, 2012) and rounded. Centimetres and kilograms.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Kind = Literal["woman", "man", "girl", "boy"]


class Person(NamedTuple):
    """Someone who needs clothes; centimetres, kilograms and years."""

    kind: Kind
    age: int
    height: float
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

    @property
    def is_female(self) -> bool:
        return self.kind in ("woman", "girl")


MEASURES = Person._fields[2:]


class Survey(NamedTuple):
    """The statistics of one sex, in the order of MEASURES."""

    kind: Kind
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    correlations: tuple[tuple[float, ...], ...]  # row i holds r(i, j) for j < i

    def correlation_matrix(self) -> NDArray[np.float64]:
        """Return the full symmetric matrix with ones on its diagonal."""
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
LARGEST_DEVIATION = 3.0  # standard deviations; whoever lies beyond is drawn again
BLOCK = 2048  # people drawn at once

FIRST_AGE, LAST_AGE = 2, 16  # of children
# Medians by age in centimetres and kilograms.
CHILD_HEIGHT = {
    "girl": (86, 94, 101, 108, 115, 121, 127, 132, 138, 144, 151, 157, 160, 162, 163),
    "boy": (87, 95, 102, 109, 116, 122, 128, 133, 138, 143, 149, 156, 164, 169, 173),
}
CHILD_WEIGHT = {
    "girl": (12.0, 14.0, 16.0, 18.0, 20.2, 22.6, 25.5, 28.8, 32.8, 37, 41.5, 46, 49.5, 52, 54),
    "boy": (12.6, 14.4, 16.4, 18.6, 20.8, 23.2, 25.8, 28.6, 32.0, 35.8, 40.2, 45, 51, 56, 61),
}
HEIGHT_SPREAD = 0.043  # standard deviation over median, about the same at every age
WEIGHT_SPREAD = 0.13
LARGEST_CHILD_DEVIATION = 2.5


def adults(seed: int) -> Iterator[Person]:
    """Yield women and men in turn, without end."""
    # RandomState, because its stream is frozen: a seed gives the same people in every release.
    random = np.random.RandomState(seed % 2**32)
    while True:
        for pair in zip(_block(WOMEN, random), _block(MEN, random), strict=False):
            yield from pair


def _block(survey: Survey, random: np.random.RandomState) -> list[Person]:
    """Draw up to BLOCK people: z = L·noise has the correlations L·Lᵀ of the survey."""
    mixing = np.linalg.cholesky(survey.correlation_matrix())
    scores = random.standard_normal((BLOCK, len(MEASURES))) @ mixing.T
    scores = scores[(np.abs(scores) < LARGEST_DEVIATION).all(axis=1)]
    values = np.array(survey.means) + CIVILIAN_SPREAD * np.array(survey.deviations) * scores
    # Triangular: few customers are very young or old, most are between 20 and 45.
    ages = random.triangular(16, 28, 70, size=len(values)).astype(int)
    people = zip(ages.tolist(), values.tolist(), strict=True)
    return [Person(survey.kind, age, *measures) for age, measures in people]


def child(random: Random) -> Person:
    """Draw one girl or boy of 2 to 16 years."""
    kind: Kind = "girl" if random.random() < 0.5 else "boy"
    age = FIRST_AGE + int(random.random() * (LAST_AGE - FIRST_AGE + 1))
    height_score, weight_score = _normal_score(random), _normal_score(random)
    height = CHILD_HEIGHT[kind][age - FIRST_AGE] * (1 + HEIGHT_SPREAD * height_score)
    # 0.6² + 0.8² = 1: weight keeps its spread and correlates with height at the same age.
    build = 1 + WEIGHT_SPREAD * (0.6 * height_score + 0.8 * weight_score)
    girth = build**0.4
    return Person(
        kind,
        age,
        height=height,
        weight=CHILD_WEIGHT[kind][age - FIRST_AGE] * build,
        # Lengths go with height, girths also with the build.
        foot=0.155 * height,
        waist=(30 + 0.23 * height) * girth,
        chest=(20 + 0.34 * height) * girth,
        hip=(8 + 0.45 * height) * girth,
        inseam=0.52 * height - 10,
        neck=(15 + 0.10 * height) * girth,
        sleeve=0.49 * height,
        head=48.5 + 0.45 * (age - FIRST_AGE) + girth,
        shoulder=0.22 * height,
    )


def _normal_score(random: Random) -> float:
    """Draw a score that is about standard normal and at most LARGEST_CHILD_DEVIATION."""
    score = sum(random.random() for _ in range(12)) - 6
    return max(-LARGEST_CHILD_DEVIATION, min(LARGEST_CHILD_DEVIATION, score))

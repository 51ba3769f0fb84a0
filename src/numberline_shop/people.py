"""A seed → people whose body measures vary and go together as those of real people do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberline_shop.texts import tables

Kind = Literal["woman", "man", "girl", "boy"]

CIVILIAN_SPREAD = 1.1  # the army turns away the very short, the very heavy and the very thin
LARGEST_DEVIATION = 3.0  # standard deviations; people beyond are dropped
BLOCK = 2048  # people drawn at once
CHILD_HEIGHT_SPREAD = 0.043  # standard deviation over median, about the same at every age
CHILD_WEIGHT_SPREAD = 0.13
LARGEST_CHILD_DEVIATION = 2.5


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

    @property
    def is_child(self) -> bool:
        """Return True below 13: a parent writes, and sizes are those of children."""
        return self.age < 13


MEASURES = Person._fields[2:]


class Survey:
    """The statistics of one sex, in the order of MEASURES."""

    def __init__(self, kind: Literal["woman", "man"]) -> None:
        rows = {name: [*map(float, cells)] for name, *cells in tables("survey")[kind]}
        self.kind = kind
        self.means = np.array([rows[name][0] for name in MEASURES])
        self.deviations = np.array([rows[name][1] for name in MEASURES])
        self.correlations: NDArray[np.float64] = np.eye(len(MEASURES))
        for i, name in enumerate(MEASURES):
            self.correlations[i, :i] = self.correlations[:i, i] = rows[name][2:]


def adults(seed: int) -> Iterator[Person]:
    """Yield women and men in turn, without end."""
    # RandomState, because its stream is frozen: a seed gives the same people in every release.
    random = np.random.RandomState(seed % 2**32)
    women, men = Survey("woman"), Survey("man")
    while True:
        for pair in zip(_block(women, random), _block(men, random), strict=False):
            yield from pair


def _block(survey: Survey, random: np.random.RandomState) -> list[Person]:
    """Draw up to BLOCK people: z = L·noise has the correlations L·Lᵀ of the survey."""
    mixing = np.linalg.cholesky(survey.correlations)
    scores = random.standard_normal((BLOCK, len(MEASURES))) @ mixing.T
    scores = scores[(np.abs(scores) < LARGEST_DEVIATION).all(axis=1)]
    values = survey.means + CIVILIAN_SPREAD * survey.deviations * scores
    # Triangular: few customers are very young or old, most are between 20 and 45.
    ages = random.triangular(16, 28, 70, size=len(values)).astype(int)
    people = zip(ages.tolist(), values.tolist(), strict=True)
    return [Person(survey.kind, age, *measures) for age, measures in people]


def child(random: Random) -> Person:
    """Draw one girl or boy of 2 to 16 years."""
    kind: Kind = "girl" if random.random() < 0.5 else "boy"
    medians = tables("growth")[kind]
    years = int(random.random() * len(medians))  # since the first age in the table
    age, median_height, median_weight = medians[years]
    height_score, weight_score = _normal_score(random), _normal_score(random)
    height = float(median_height) * (1 + CHILD_HEIGHT_SPREAD * height_score)
    # 0.6² + 0.8² = 1: weight keeps its spread and correlates with height at the same age.
    build = 1 + CHILD_WEIGHT_SPREAD * (0.6 * height_score + 0.8 * weight_score)
    girth = build**0.4
    return Person(
        kind,
        int(age),
        height=height,
        weight=float(median_weight) * build,
        # Lengths go with height, girths also with the build.
        foot=0.155 * height,
        waist=(30 + 0.23 * height) * girth,
        chest=(20 + 0.34 * height) * girth,
        hip=(8 + 0.45 * height) * girth,
        inseam=0.52 * height - 10,
        neck=(15 + 0.10 * height) * girth,
        sleeve=0.49 * height,
        head=48.5 + 0.45 * years + girth,
        shoulder=0.22 * height,
    )


def _normal_score(random: Random) -> float:
    """Draw a score that is about standard normal and at most LARGEST_CHILD_DEVIATION."""
    score = sum(random.random() for _ in range(12)) - 6
    return max(-LARGEST_CHILD_DEVIATION, min(LARGEST_CHILD_DEVIATION, score))

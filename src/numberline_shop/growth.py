"""Random numbers → children and teenagers from 2 to 16, grown as their age lets one expect."""

from __future__ import annotations

from random import Random

from numberline_shop.bodies import Kind, Person

FIRST_AGE, LAST_AGE = 2, 16

# Medians by age in centimetres and kilograms, ages 2 to 16.
GIRLS_STATURE = (86, 94, 101, 108, 115, 121, 127, 132, 138, 144, 151, 157, 160, 162, 163)
BOYS_STATURE = (87, 95, 102, 109, 116, 122, 128, 133, 138, 143, 149, 156, 164, 169, 173)
GIRLS_WEIGHT = (12.0, 14.0, 16.0, 18.0, 20.2, 22.6, 25.5, 28.8, 32.8, 37, 41.5, 46, 49.5, 52, 54)
BOYS_WEIGHT = (12.6, 14.4, 16.4, 18.6, 20.8, 23.2, 25.8, 28.6, 32.0, 35.8, 40.2, 45, 51, 56, 61)

STATURE_SPREAD = 0.043  # standard deviation over median, about the same at every age
WEIGHT_SPREAD = 0.13
LARGEST_DEVIATION = 2.5


def child(random: Random) -> Person:
    """One girl or boy."""
    kind: Kind = "girl" if random.random() < 0.5 else "boy"
    age = FIRST_AGE + int(random.random() * (LAST_AGE - FIRST_AGE + 1))
    stature_score, weight_score = _score(random), _score(random)
    stature = _median(kind, "stature", age) * (1 + STATURE_SPREAD * stature_score)
    # 0.6² + 0.8² = 1: weight keeps its spread and correlates with stature at the same age.
    build = 1 + WEIGHT_SPREAD * (0.6 * stature_score + 0.8 * weight_score)
    return _grown(kind, age, stature, _median(kind, "weight", age) * build, build)


def _grown(kind: Kind, age: int, stature: float, weight: float, build: float) -> Person:
    """The remaining measures: lengths go with stature, girths also with the root of the build."""
    girth = build**0.4
    return Person(
        kind,
        age,
        stature=stature,
        weight=weight,
        foot=0.155 * stature,
        waist=(30 + 0.23 * stature) * girth,
        chest=(20 + 0.34 * stature) * girth,
        hip=(8 + 0.45 * stature) * girth,
        inseam=0.52 * stature - 10,
        neck=(15 + 0.10 * stature) * girth,
        sleeve=0.49 * stature,
        head=48.5 + 0.45 * (age - FIRST_AGE) + girth,
        shoulder=0.22 * stature,
    )


def _median(kind: Kind, measure: str, age: int) -> float:
    if measure == "stature":
        table: tuple[float, ...] = GIRLS_STATURE if kind == "girl" else BOYS_STATURE
    else:
        table = GIRLS_WEIGHT if kind == "girl" else BOYS_WEIGHT
    return table[age - FIRST_AGE]


def _score(random: Random) -> float:
    """A standard normal score cut at LARGEST_DEVIATION."""
    score = sum(random.random() for _ in range(12)) - 6
    return max(-LARGEST_DEVIATION, min(LARGEST_DEVIATION, score))

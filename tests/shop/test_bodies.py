"""People have the measures and the correlations of the survey; children grow."""

from __future__ import annotations

import csv
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numberline_shop.bodies import (
    CIVILIAN_SPREAD,
    LARGEST_DEVIATION,
    MEASURES,
    MEN,
    WOMEN,
    Person,
    Survey,
    adults,
)
from numberline_shop.growth import FIRST_AGE, LAST_AGE, child
from numpy.typing import NDArray

PEOPLE = 20_000
SURVEY_FILES = Path(__file__).parents[3] / "shared" / "data" / "eval" / "anthropometry"
SURVEY_COLUMNS = {
    "stature": "stature",
    "weight": "weightkg",
    "foot": "footlength",
    "waist": "waistcircumference",
    "chest": "chestcircumference",
    "hip": "buttockcircumference",
    "inseam": "crotchheight",
    "neck": "neckcircumference",
    "sleeve": "sleevelengthspinewrist",
    "head": "headcircumference",
    "shoulder": "biacromialbreadth",
}

both_surveys = pytest.mark.parametrize("survey", [WOMEN, MEN], ids=lambda survey: survey.kind)


@pytest.fixture(scope="module")
def people() -> list[Person]:
    return list(islice(adults(seed=7), PEOPLE))


def measures_of(people: list[Person], kind: str) -> NDArray[np.float64]:
    rows = [[getattr(p, name) for name in MEASURES] for p in people if p.kind == kind]
    return np.array(rows)


@both_surveys
def test_measures_go_together_as_in_the_survey(survey: Survey, people: list[Person]) -> None:
    found = np.corrcoef(measures_of(people, survey.kind).T)
    # Cutting the tails loosens every correlation by one to four hundredths.
    assert np.abs(found - survey.correlation_matrix()).max() < 0.05


@both_surveys
def test_measures_vary_as_in_the_survey(survey: Survey, people: list[Person]) -> None:
    found = measures_of(people, survey.kind)
    assert found.mean(axis=0) == pytest.approx(np.array(survey.means), rel=0.01)
    # Cutting the tails takes a few percent of the spread away.
    ratio = found.std(axis=0) / np.array(survey.deviations)
    assert ((ratio > CIVILIAN_SPREAD - 0.08) & (ratio < CIVILIAN_SPREAD + 0.02)).all()


@both_surveys
def test_nobody_is_implausible(survey: Survey, people: list[Person]) -> None:
    farthest = LARGEST_DEVIATION * CIVILIAN_SPREAD * np.array(survey.deviations)
    distance = np.abs(measures_of(people, survey.kind) - np.array(survey.means))
    assert (distance <= farthest).all()


def test_adults_depend_on_the_seed_alone() -> None:
    assert list(islice(adults(3), 50)) == list(islice(adults(3), 50))
    assert list(islice(adults(3), 50)) != list(islice(adults(4), 50))


@both_surveys
def test_figures_are_those_of_the_survey_files(survey: Survey) -> None:
    name = f"ANSUR_II_{'FEMALE' if survey.kind == 'woman' else 'MALE'}_Public.csv"
    if not (SURVEY_FILES / name).exists():
        pytest.skip("the survey files are not here")
    values = read_survey(SURVEY_FILES / name)
    assert values.mean(axis=0) == pytest.approx(np.array(survey.means), abs=0.06)
    assert values.std(axis=0) == pytest.approx(np.array(survey.deviations), abs=0.011)
    assert np.abs(np.corrcoef(values.T) - survey.correlation_matrix()).max() < 0.0051


def read_survey(path: Path) -> NDArray[np.float64]:
    """Centimetres and kilograms; the files have millimetres and tenths of a kilogram."""
    lines = path.read_text(encoding="latin1").splitlines()
    header, *rows = csv.reader(lines, delimiter=";" if ";" in lines[0] else ",")
    names = [name.lower() for name in header]
    columns = [names.index(SURVEY_COLUMNS[measure]) for measure in MEASURES]
    return np.array([[float(row[column]) / 10 for column in columns] for row in rows])


def test_children_grow_with_age() -> None:
    random = Random(5)
    by_age: dict[int, list[Person]] = {}
    for person in (child(random) for _ in range(6000)):
        by_age.setdefault(person.age, []).append(person)
    assert sorted(by_age) == list(range(FIRST_AGE, LAST_AGE + 1))
    for measure in ("stature", "weight", "foot", "waist", "head"):
        means = [
            float(np.mean([getattr(person, measure) for person in by_age[age]]))
            for age in range(FIRST_AGE, LAST_AGE + 1)
        ]
        assert all(earlier < later for earlier, later in pairwise(means)), measure
    ten = by_age[10]
    assert np.mean([person.stature for person in ten]) == pytest.approx(138, abs=2)
    heights, weights = zip(*((person.stature, person.weight) for person in ten), strict=True)
    assert np.corrcoef(heights, weights)[0, 1] == pytest.approx(0.6, abs=0.1)

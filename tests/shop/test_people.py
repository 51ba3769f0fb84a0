"""Adults have the measures and correlations of the survey; children grow."""

import csv
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from numberline_shop.people import (
    CIVILIAN_SPREAD,
    LARGEST_DEVIATION,
    MEASURES,
    Survey,
    adults,
    child,
)

SURVEY_FILES = Path(__file__).parents[3] / "shared" / "data" / "eval" / "anthropometry"
SURVEY_COLUMNS = {
    "height": "stature",
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


@pytest.fixture(scope="module")
def people():
    return list(islice(adults(seed=7), 20_000))


@pytest.fixture(params=["woman", "man"])
def survey(request):
    return Survey(request.param)


@pytest.fixture
def measures(people, survey):
    return np.array([[getattr(p, m) for m in MEASURES] for p in people if p.kind == survey.kind])


def test_measures_go_together_as_in_the_survey(survey, measures):
    # Cutting the tails loosens every correlation by one to four hundredths.
    assert np.abs(np.corrcoef(measures.T) - survey.correlations).max() < 0.05


def test_measures_vary_as_in_the_survey(survey, measures):
    assert measures.mean(axis=0) == pytest.approx(survey.means, rel=0.01)
    # Cutting the tails takes a few percent of the spread away.
    ratio = measures.std(axis=0) / survey.deviations
    assert ((ratio > CIVILIAN_SPREAD - 0.08) & (ratio < CIVILIAN_SPREAD + 0.02)).all()


def test_nobody_is_implausible(survey, measures):
    farthest = LARGEST_DEVIATION * CIVILIAN_SPREAD * survey.deviations
    assert (np.abs(measures - survey.means) <= farthest).all()


def test_a_seed_gives_the_same_people():
    assert list(islice(adults(3), 50)) == list(islice(adults(3), 50))
    assert list(islice(adults(3), 50)) != list(islice(adults(4), 50))


def test_the_table_holds_the_figures_of_the_survey_files(survey):
    name = f"ANSUR_II_{'FEMALE' if survey.kind == 'woman' else 'MALE'}_Public.csv"
    if not (SURVEY_FILES / name).exists():
        pytest.skip("the survey files are not here")
    values = read_survey(SURVEY_FILES / name)
    assert values.mean(axis=0) == pytest.approx(survey.means, abs=0.06)
    assert values.std(axis=0) == pytest.approx(survey.deviations, abs=0.011)
    assert np.abs(np.corrcoef(values.T) - survey.correlations).max() < 0.0051


def read_survey(path):
    """Return centimetres and kilograms; the files have millimetres and tenths of a kilogram."""
    lines = path.read_text(encoding="latin1").splitlines()
    header, *rows = csv.reader(lines, delimiter=";" if ";" in lines[0] else ",")
    names = [name.lower() for name in header]
    columns = [names.index(SURVEY_COLUMNS[measure]) for measure in MEASURES]
    return np.array([[float(row[column]) / 10 for column in columns] for row in rows])


def test_children_grow_with_age():
    random = Random(5)
    by_age = {}
    for person in (child(random) for _ in range(6000)):
        by_age.setdefault(person.age, []).append(person)
    assert sorted(by_age) == list(range(2, 17))
    for measure in ("height", "weight", "foot", "waist", "head"):
        means = [np.mean([getattr(p, measure) for p in by_age[age]]) for age in sorted(by_age)]
        assert all(earlier < later for earlier, later in pairwise(means)), measure
    assert np.mean([person.height for person in by_age[10]]) == pytest.approx(138, abs=2)


def test_weight_goes_with_height_among_children_of_one_age():
    random = Random(6)
    tens = [person for person in (child(random) for _ in range(6000)) if person.age == 10]
    heights, weights = zip(*((person.height, person.weight) for person in tens), strict=True)
    assert np.corrcoef(heights, weights)[0, 1] == pytest.approx(0.6, abs=0.1)

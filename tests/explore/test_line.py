"""Steps and densities along the squashed line."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberline.explore.line import central_range, density_on_line, short_number, steps_between
from numberline.numerals.squash import squash, unsquash


@pytest.mark.parametrize("points", [20, 80, 480])
@pytest.mark.parametrize(("low", "high"), [(30, 60), (1, 45), (-40.5, -3.5), (0.001, 1e6)])
def test_steps_beyond_one_are_whole_numbers(low, high, points):
    """What has decimals may have other words; they would be seen in between."""
    values = steps_between(low, high, points)
    assert (np.diff(values) > 0).all()
    assert low <= values[0] < values[-1] <= high
    beyond_one = values[np.abs(values) >= 1]
    assert (beyond_one % 1 == 0).all()
    assert len(beyond_one) > 10


def test_steps_within_one_have_decimals():
    values = steps_between(-2, 1e6, 480)
    assert np.count_nonzero(np.abs(values) < 1) > 20


def test_a_stretch_of_few_whole_numbers_has_decimal_steps_only():
    values = steps_between(3, 9, 480)
    assert len(values) == 480
    assert (values % 1 != 0).all()


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30, unique=True), st.integers(20, 90))
@settings(max_examples=50)
def test_densities_keep_the_mass_inside(values, bins):
    places = np.sort(values)
    low, high = float(unsquash(squash(places[0]) - 20)), float(unsquash(squash(places[-1]) + 20))
    density = density_on_line(places, np.ones(len(places)), low, high, bins)
    assert len(density) == bins
    assert density.sum() == pytest.approx(len(places), rel=1e-6)
    assert (density >= 0).all()


def test_the_central_range_leaves_out_the_ends():
    values, counts = np.arange(100.0), np.ones(100)
    assert central_range(values, counts, 0.05) == (4, 94)
    assert central_range(np.array([3.0]), np.ones(1), 0.05) == (3, 3)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (7.0, "7"),
        (1987.3, "1987.3"),
        (-0.123456, "-0.12346"),
        (8186447.4, "8,186,447"),
        (-8186447.4, "-8,186,447"),
        (99999.4, "99999"),
        (3.1e20, "3.1e+20"),
        (-3.12345e20, "-3.123e+20"),
    ],
)
def test_numbers_are_short(value, written):
    assert short_number(value) == written

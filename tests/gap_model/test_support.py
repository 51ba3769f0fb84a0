"""Points of the number line: laws for any counts, and groups by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.gap_model import support
from numberline.gap_model.support import support_of

COUNTED = st.dictionaries(st.floats(-1e9, 1e9), st.integers(1, 50), min_size=1, max_size=60)


@pytest.fixture(autouse=True, scope="module")
def few_points():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(support, "FREQUENT", 6)
        patch.setattr(support, "GROUPS", 4)
        yield


@given(COUNTED)
def test_points_hold_all_numerals(counted):
    values = np.array(sorted(counted))
    counts = np.array([counted[value] for value in values], float)
    points = support_of(values, counts)
    assert points.fractions.sum() == pytest.approx(1)
    assert (np.diff(points.values) > 0).all()
    assert len(points) <= 6 + 4
    assert points.members.shape == values.shape
    totals = np.bincount(points.members, counts, len(points))
    assert (totals > 0).all()
    assert points.fractions == pytest.approx(totals / counts.sum())
    assert set(points.values) <= set(values)
    assert (points.members[np.isin(values, points.values)] == np.arange(len(points))).all()


@given(COUNTED)
def test_frequent_numerals_are_points_of_their_own(counted):
    values = np.array(sorted(counted))
    counts = np.array([counted[value] for value in values], float)
    points = support_of(values, counts)
    for index in np.argsort(-counts, kind="stable")[:6]:
        assert points.values[points.members[index]] == values[index]
        assert (points.members == points.members[index]).sum() == 1


@given(COUNTED, st.integers(0, 99))
def test_means_are_weighted_by_counts(counted, seed):
    values = np.array(sorted(counted))
    counts = np.array([counted[value] for value in values], float)
    points = support_of(values, counts)
    rows = np.random.default_rng(seed).normal(size=(len(values), 3))
    means = points.means(rows, counts)
    for point in range(len(points)):
        members = points.members == point
        expected = np.average(rows[members], axis=0, weights=counts[members])
        assert means[point] == pytest.approx(expected, abs=1e-5)


def test_rare_numerals_are_grouped_with_their_neighbours():
    values = np.arange(14.0)
    counts = np.array([9, 9, 9, 1, 1, 1, 1, 9, 1, 1, 1, 1, 9, 9], float)
    points = support_of(values, counts)
    assert points.members.tolist() == [0, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 8, 9]
    assert points.values.tolist() == [0, 1, 2, 3, 5, 7, 8, 10, 12, 13]
    assert points.fractions * counts.sum() == pytest.approx([9, 9, 9, 2, 2, 9, 2, 2, 9, 9])

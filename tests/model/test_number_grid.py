"""Numbers that a person would write, between two ends or beside the best ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.model.number_grid import between_neighbours, round_numbers

FINITE = st.floats(-1e300, 1e300)
EVERYDAY = st.decimals(-10_000, 10_000, places=2).map(float)


@given(FINITE, FINITE)
def test_round_numbers_are_sorted_distinct_and_within_the_ends(first, second):
    ends = sorted([first, second])
    values = round_numbers(*ends)
    assert (np.diff(values) > 0).all()
    assert ((values >= ends[0]) & (values <= ends[1])).all()


def test_round_numbers():
    assert round_numbers(95, 130).tolist() == [95, 96, 97, 98, 99, 100, 110, 120, 130]
    assert round_numbers(-0.0011, 0.001).tolist() == [-0.0011, -0.001, 0, 0.001]
    assert round_numbers(5.01, 5.02).tolist() == []
    assert {0.15, 7, 12_000, 9.9e15} <= set(round_numbers(0, 1e300).tolist())


@given(st.lists(EVERYDAY | FINITE, min_size=1, max_size=20, unique=True), st.data())
def test_new_numbers_lie_beside_the_best(numbers, data):
    values = np.unique(numbers)
    best = np.array(data.draw(st.lists(st.sampled_from(values.tolist()), max_size=4)), np.float64)
    found = between_neighbours(values, best)
    assert (np.diff(found) > 0).all()
    assert np.isfinite(found).all()
    assert not np.isin(found, values).any()
    indices = np.searchsorted(values, best)
    below = values[np.maximum(indices - 1, 0)]
    above = values[np.minimum(indices + 1, len(values) - 1)]
    for number in found:
        assert ((below < number) & (number < above)).any()


@pytest.mark.parametrize(
    ("values", "best", "found"),
    [
        ([1, 2], [1], [1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9]),
        ([0, 100, 200], [0], [10, 20, 30, 40, 50, 60, 70, 80, 90]),
        ([0, 0.01], [0.01], [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009]),
        ([1e15, 1e15 + 0.125], [1e15], []),  # no double lies between
        ([5], [5], []),
        ([5, 6], [], []),
    ],
)
def test_gaps_are_divided_into_ten(values, best, found):
    assert between_neighbours(np.array(values, float), np.array(best, float)).tolist() == found

"""The positions of a text that become knots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.numerals.knots import (
    OUTLIER_FRACTION,
    frequent_knots,
    in_groups,
    most_frequent,
    without_outliers,
)


@given(
    st.dictionaries(st.floats(-1e308, 1e308), st.floats(1e-6, 1e15), min_size=1, max_size=50),
    st.data(),
)
def test_knots_are_distinct_positions_and_span_the_line(counted, data):
    positions = np.array(sorted(counted))
    counts = np.array([counted[position] for position in positions], float)
    size = data.draw(st.integers(1, len(positions)))
    knots = frequent_knots(positions, counts, size)
    assert len(knots) == size
    assert (knots[:-1] < knots[1:]).all()
    assert set(knots) <= set(positions)
    if size > 1:
        limit = OUTLIER_FRACTION * counts.sum() * (1 + 1e-9)
        assert counts[positions < knots[0]].sum() <= limit
        assert counts[positions > knots[-1]].sum() <= limit


def test_all_positions_are_knots_if_there_are_too_few():
    knots = frequent_knots(np.array([1.0, 2, 5]), np.array([3.0, 1, 2]), 9)
    assert knots.tolist() == [1, 2, 5]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([1, 2, 3, 2, 1, 1, 1, 2, 4, 3], [2, 8]),
        ([5, 1, 1, 1, 1, 1], [0, 2, 4]),  # the others are 2.5 each; of equals the middle one
        ([1] * 9, [1, 4, 7]),
        ([2**53, 1, 1], [0, 1, 2]),  # what is frequent does not swallow the rest
        ([1e12, 1e12, 1e12, 1], [0, 2]),  # the last lies on the border of what there is
        ([1, 1, 9, 1, 1], [2]),
        ([3, 1, 2], [0, 1, 2]),
        ([1, 2, 2, 2, 2, 2, 1], [0, 1, 2, 3, 4, 5]),  # a border is in the group behind it
        ([0.1, 0.2, 0.4, 0.2, 0.1], [0, 1, 2, 3]),  # so is one that rounding moves
    ],
)
def test_the_most_frequent_of_each_group_is_taken(counts, expected):
    assert most_frequent(np.array(counts, float), len(expected)).tolist() == expected


@given(st.lists(st.floats(1e-6, 1e15), min_size=1, max_size=50), st.data())
def test_a_position_that_fills_a_group_is_always_a_knot(counts, data):
    size = data.draw(st.integers(1, len(counts)))
    occurrences = np.array(counts)
    groups = in_groups(occurrences, size)
    assert groups.max() <= 1
    assert groups.sum() == pytest.approx(size)
    assert set(np.flatnonzero(groups == 1)) <= set(most_frequent(occurrences, size))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=50), st.data())
def test_no_group_is_empty_where_borders_are_met_exactly(counts, data):
    """Counts of tenths, which are no sums of powers of two."""
    size = data.draw(st.integers(1, len(counts)))
    assert len(most_frequent(np.array(counts) * 0.1, size)) == size


def test_knots_are_round_where_a_text_rounds():
    values = np.arange(1000, 10000.0, 10)
    counts = np.where(values % 1000, 1.0, 20.0)
    assert frequent_knots(values, counts, 10).tolist() == [*range(1000, 10000, 1000), 9990]


def test_outliers_are_counted_at_the_outermost_other_positions():
    positions = np.array([-1e9, -5, 1, 2, 3, 5, 2e80])
    counts = np.array([0.5, 1, 5000, 5000, 5000, 1, 0.5])
    kept, occurrences = without_outliers(positions, counts, 3)
    assert kept.tolist() == [1, 2, 3]
    assert occurrences.tolist() == [5001.5, 5000, 5001.5]


@pytest.mark.parametrize(
    ("counts", "size"),
    [
        ([1, 1, 1, 1, 1], 2),  # a fifth is no outlier
        ([1, 1, 9998, 1, 1], 5),  # all are asked for
        ([1, 1, 1e6, 1, 1], 2),  # one would be left
        ([1, 2, 3, 9993, 1], 2),  # a ten-thousandth at either end is none
    ],
)
def test_no_outliers_are_removed_if_too_few_positions_would_stay(counts, size):
    positions = np.array([-1e9, 1.0, 2, 3, 2e80])
    kept, occurrences = without_outliers(positions, np.array(counts, float), size)
    assert kept.tolist() == positions.tolist()
    assert occurrences.tolist() == counts


def test_rare_positions_become_knots_if_there_are_no_others():
    positions, counts = np.arange(1.0, 51), np.array([1e6] + [1.0] * 49)
    knots = frequent_knots(positions, counts, 7)
    assert len(knots) == 7
    assert knots[-1] == 50


def test_no_knot_is_an_outlier():
    positions, counts = np.array([0.0, 1, 2, 3, 1e9]), np.array([9e4, 9e4, 9e4, 9e4, 1])
    assert frequent_knots(positions, counts, 3).tolist() == [0, 1, 3]


def test_equal_positions_are_counted_together():
    positions, counts = np.array([0.0, 1, 2, 2, 3, 4]), np.array([1.0, 5, 3, 3, 1, 1])
    assert frequent_knots(positions, counts, 3).tolist() == [0, 2, 4]

"""Which of the places that a text has become knots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.encoders.knots import (
    even_places,
    evenly_of,
    frequent_knots,
    frequent_places,
    in_shares,
    quantile_knots,
    spanning,
)


@pytest.mark.parametrize("choose", [even_places, frequent_places])
@given(st.lists(st.floats(1e-6, 1e15), min_size=1, max_size=50), st.data())
def test_knots_are_distinct_and_span_the_line(choose, counts, data):
    size = data.draw(st.integers(1, len(counts)))
    found = spanning(np.array(counts, float), size, choose)
    assert len(found) == size
    assert (np.diff(found) > 0).all()
    assert 0 <= found[0] <= found[-1] < len(counts)
    assert size == 1 or (found[0] == 0 and found[-1] == len(counts) - 1)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([1] * 11, [0, 5, 10]),
        ([7] * 11, [0, 2, 5, 8, 10]),
        ([1, 1, 1, 1, 50, 1, 1, 1, 1], [0, 4, 8]),
        ([1, 100, 1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 3, 5, 7, 9]),  # the others share the rest
        ([9], [0]),
        ([1, 1, 9], [2]),
    ],
)
def test_quantiles_share_the_counts_evenly(counts, expected):
    assert spanning(np.array(counts, float), len(expected), even_places).tolist() == expected


def test_rounding_brings_no_two_quantiles_to_one_place():
    assert (np.diff(even_places(np.array([1, 2, 1, 2]) * 0.1, 3)) > 0).all()


def test_what_frequent_numerals_leave_is_shared_evenly():
    found = even_places(np.array([3.0] * 10 + [1.0] * 30), 30)
    assert found[:10].tolist() == list(range(10))
    assert np.abs(found[10:] - (9.5 + 1.5 * (np.arange(20) + 0.5))).max() <= 1


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
        ([1, 2, 2, 2, 2, 2, 1], [0, 1, 2, 3, 4, 5]),  # a border is in the share behind it
        ([0.1, 0.2, 0.4, 0.2, 0.1], [0, 1, 2, 3]),  # so is one that rounding moves
    ],
)
def test_the_most_frequent_of_each_share_is_taken(counts, expected):
    assert frequent_places(np.array(counts, float), len(expected)).tolist() == expected


@given(st.lists(st.floats(1e-6, 1e15), min_size=1, max_size=50), st.data())
def test_what_has_a_share_of_its_own_is_always_taken(counts, data):
    size = data.draw(st.integers(1, len(counts)))
    shares = in_shares(np.array(counts), size)
    assert shares.max() <= 1
    assert shares.sum() == pytest.approx(size)
    assert set(np.flatnonzero(shares == 1)) <= set(frequent_places(np.array(counts), size))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=50), st.data())
def test_no_share_is_without_a_place_where_borders_are_met_exactly(counts, data):
    """Counts of tenths, which are no sums of powers of two."""
    size = data.draw(st.integers(1, len(counts)))
    assert len(frequent_places(np.array(counts) * 0.1, size)) == size


def test_knots_are_round_where_a_text_rounds():
    values = np.arange(1000, 10000.0)
    counts = np.where(values % 1000, 1.0, 200.0)
    assert frequent_knots(values, counts, 10).tolist() == [*range(1000, 10000, 1000), 9999]


def test_places_that_meet_are_counted_together():
    places, counts = np.array([0.0, 1, 2, 2, 3, 4]), np.array([1.0, 5, 3, 3, 1, 1])
    assert frequent_knots(places, counts, 3).tolist() == [0, 2, 4]
    assert quantile_knots(places, counts, 3).tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    ("size", "expected"), [(1, [2]), (2, [0, 4]), (3, [0, 2, 4]), (9, range(5))]
)
def test_some_of_the_knots_are_taken_evenly(size, expected):
    assert evenly_of(np.arange(5.0), size).tolist() == list(expected)

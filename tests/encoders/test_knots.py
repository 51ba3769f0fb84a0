"""Which of the places that a text has become knots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.encoders.knots import even_places, frequent_knots, frequent_places, spanning


@pytest.mark.parametrize("chosen", [even_places, frequent_places])
@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=50), st.data())
def test_knots_are_distinct_and_span_the_line(chosen, counts, data):
    size = data.draw(st.integers(1, len(counts)))
    found = spanning(np.array(counts, float), size, chosen)
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
        ([5, 1, 1, 1, 1, 1], [0, 1, 3]),  # the other shares are 2.5 each; of equals the first
        ([1, 1, 9, 1, 1], [2]),
        ([3, 1, 2], [0, 1, 2]),
        ([1, 2, 2, 2, 2, 2, 1], [0, 1, 2, 3, 4, 5]),  # a border is in the share behind it
    ],
)
def test_the_most_frequent_of_each_share_is_taken(counts, expected):
    assert frequent_places(np.array(counts, float), len(expected)).tolist() == expected


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=50), st.data())
def test_what_is_as_frequent_as_a_share_is_always_taken(counts, data):
    size = data.draw(st.integers(1, len(counts)))
    found = frequent_places(np.array(counts, float), size)
    assert set(np.flatnonzero(np.array(counts) * size > sum(counts))) <= set(found)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=50), st.data())
def test_no_share_is_without_a_place_where_borders_are_met_exactly(counts, data):
    """Counts of tenths, which are no sums of powers of two."""
    size = data.draw(st.integers(1, len(counts)))
    assert len(frequent_places(np.array(counts) * 0.1, size)) == size


def test_knots_are_round_where_a_text_rounds():
    values = np.arange(1000, 10000.0)
    counts = np.where(values % 1000, 1.0, 200.0)
    assert frequent_knots(values, counts, 10).tolist() == [*range(1000, 10000, 1000), 9999]

"""Which of the places that a text has become knots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.encoders.knots import even_places, quantile_indices


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=50), st.data())
def test_quantile_indices_are_distinct_and_span_the_line(counts, data):
    size = data.draw(st.integers(1, len(counts)))
    found = quantile_indices(np.array(counts, float), size)
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
    assert quantile_indices(np.array(counts, float), len(expected)).tolist() == expected


def test_rounding_brings_no_two_quantiles_to_one_place():
    assert (np.diff(even_places(np.array([1, 2, 1, 2]) * 0.1, 3)) > 0).all()


def test_what_frequent_numerals_leave_is_shared_evenly():
    found = even_places(np.array([3.0] * 10 + [1.0] * 30), 30)
    assert found[:10].tolist() == list(range(10))
    assert np.abs(found[10:] - (9.5 + 1.5 * (np.arange(20) + 0.5))).max() <= 1

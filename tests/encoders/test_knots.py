"""Which of the places that a text has become knots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.encoders.knots import (
    OUTLYING,
    even_places,
    frequent_knots,
    frequent_of_knots,
    frequent_places,
    in_shares,
    parts_of_line,
    quantile_knots,
    without_outliers,
)


def frequent_knots_of_line(places, counts, size):
    return frequent_knots(places, counts, size, of_line=0.9)


WAYS = quantile_knots, frequent_knots, frequent_knots_of_line


@pytest.mark.parametrize("choose", WAYS)
@given(
    st.dictionaries(st.floats(-1e308, 1e308), st.floats(1e-6, 1e15), min_size=1, max_size=50),
    st.data(),
)
def test_knots_are_distinct_places_and_span_the_line(choose, counted, data):
    places = np.array(sorted(counted))
    counts = np.array([counted[place] for place in places], float)
    size = data.draw(st.integers(1, len(places)))
    found = choose(places, counts, size)
    assert len(found) == size
    assert (found[:-1] < found[1:]).all()
    assert set(found) <= set(places)
    if size > 1:
        few = OUTLYING * counts.sum() if choose != quantile_knots else 0
        assert counts[places < found[0]].sum() <= few * (1 + 1e-9)
        assert counts[places > found[-1]].sum() <= few * (1 + 1e-9)


def test_of_fewer_places_than_knots_all_are_taken():
    places = np.array([1.0, 2, 5])
    for choose in WAYS:
        assert choose(places, np.array([3.0, 1, 2]), 9).tolist() == [1, 2, 5]


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
    places = np.arange(len(counts), dtype=float)
    found = quantile_knots(places, np.array(counts, float), len(expected))
    assert found.tolist() == expected


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
    own = np.array(counts, float)
    assert frequent_places(own, own, len(expected)).tolist() == expected


@given(st.lists(st.floats(1e-6, 1e15), min_size=1, max_size=50), st.data())
def test_what_has_a_share_of_its_own_is_always_taken(counts, data):
    size = data.draw(st.integers(1, len(counts)))
    own = np.array(counts)
    shares = in_shares(own, size)
    assert shares.max() <= 1
    assert shares.sum() == pytest.approx(size)
    assert set(np.flatnonzero(shares == 1)) <= set(frequent_places(own, own, size))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=50), st.data())
def test_no_share_is_without_a_place_where_borders_are_met_exactly(counts, data):
    """Counts of tenths, which are no sums of powers of two."""
    size = data.draw(st.integers(1, len(counts)))
    own = np.array(counts) * 0.1
    assert len(frequent_places(own, own, size)) == size


def test_knots_are_round_where_a_text_rounds():
    values = np.arange(1000, 10000.0, 10)
    counts = np.where(values % 1000, 1.0, 20.0)
    assert frequent_knots(values, counts, 10).tolist() == [*range(1000, 10000, 1000), 9990]


def test_what_is_rare_has_knots_where_it_has_much_of_the_line():
    """Two in a thousand are beyond 1, where nine tenths of the line are."""
    places = np.concatenate([np.linspace(0, 1, 11), np.arange(2.0, 11)])
    counts = np.where(places <= 1, 10_000.0, 20.0)
    by_counts = frequent_knots(places, counts, 12)
    by_both = frequent_knots(places, counts, 12, of_line=0.3)
    assert by_counts[by_counts > 1].tolist() == [10]
    assert by_both[by_both > 1].tolist() == [2, 5, 8, 10]


def test_the_most_frequent_is_taken_where_the_line_is_shared():
    places = np.concatenate([np.arange(10.0), [50.0], np.arange(90.0, 100)])
    counts = np.ones(21)
    counts[[3, 17]] = 1.5  # too few for a share of their own
    assert frequent_knots(places, counts, 5, of_line=0.5).tolist() == [0, 3, 50, 96, 99]


def test_each_place_has_what_is_nearest_to_it_of_the_line():
    assert parts_of_line(np.array([0.0, 2, 6, 10])).tolist() == [0.1, 0.3, 0.4, 0.2]
    assert parts_of_line(np.array([-1.7e308, 0, 1.7e308])).tolist() == [0.25, 0.5, 0.25]
    assert parts_of_line(np.array([7.0])).tolist() == [0]


def test_outliers_are_counted_where_the_others_end():
    places = np.array([-1e9, -5, 1, 2, 3, 5, 2e80])
    counts = np.array([0.5, 1, 5000, 5000, 5000, 1, 0.5])
    kept, own = without_outliers(places, counts, 3)
    assert kept.tolist() == [1, 2, 3]
    assert own.tolist() == [5001.5, 5000, 5001.5]


@pytest.mark.parametrize(
    ("counts", "size"),
    [
        ([1, 1, 1, 1, 1], 2),  # a fifth is no outlier
        ([1, 1, 9998, 1, 1], 5),  # all are asked for
        ([1, 1, 1e6, 1, 1], 2),  # one would be left
        ([1, 2, 3, 9993, 1], 2),  # a ten-thousandth at either end is none
    ],
)
def test_nothing_is_left_out_where_there_are_too_few(counts, size):
    places = np.array([-1e9, 1.0, 2, 3, 2e80])
    kept, own = without_outliers(places, np.array(counts, float), size)
    assert kept.tolist() == places.tolist()
    assert own.tolist() == counts


def test_what_is_rarer_than_outliers_is_told_apart_if_there_is_nothing_else():
    places, counts = np.arange(1.0, 51), np.array([1e6] + [1.0] * 49)
    for choose in WAYS:
        found = choose(places, counts, 7)
        assert len(found) == 7
        assert found[-1] == 50


def test_no_frequent_knot_is_an_outlier():
    places, counts = np.array([0.0, 1, 2, 3, 1e9]), np.array([9e4, 9e4, 9e4, 9e4, 1])
    assert frequent_knots(places, counts, 3).tolist() == [0, 1, 3]
    assert quantile_knots(places, counts, 3).tolist() == [0, 2, 1e9]


def test_places_that_meet_are_counted_together():
    places, counts = np.array([0.0, 1, 2, 2, 3, 4]), np.array([1.0, 5, 3, 3, 1, 1])
    assert frequent_knots(places, counts, 3).tolist() == [0, 2, 4]
    assert quantile_knots(places, counts, 3).tolist() == [0, 2, 4]


def test_favoured_places_are_knots_however_rare_they_are():
    places, counts = np.arange(100.0), np.full(100, 1000.0)
    counts[[20, 21, 60]] = 1
    assert not {20, 21, 60} & set(frequent_knots(places, counts, 10))
    found = frequent_knots(places, counts, 10, favoured=np.array([20.0, 21, 60, 300]))
    assert {20, 21, 60} <= set(found)
    assert len(found) == 10


def test_of_more_favoured_places_than_knots_some_are_taken():
    places = np.arange(100.0)
    found = frequent_knots(places, np.ones(100), 10, favoured=np.arange(20.0, 80))
    assert len(found) == 10
    assert [found[0], found[-1]] == [0, 99]
    assert (np.diff(found[1:-1]) >= 7).all()


@pytest.mark.parametrize(
    ("size", "favoured", "expected"),
    [
        (1, [], [2]),
        (2, [], [0, 4]),
        (3, [], [0, 2, 4]),
        (4, [], [0, 1, 2, 4]),
        (4, [3], [0, 2, 3, 4]),
        (9, [], range(5)),
    ],
)
def test_of_even_shares_of_the_knots_the_most_frequent_are_taken(size, favoured, expected):
    """Of five that are a tenth of the places."""
    places = np.arange(0, 5, 0.1).round(1)
    counts = np.where(places == 2, 9.0, 5.0)
    found = frequent_of_knots(np.arange(5.0), places, counts, size, np.array(favoured, float))
    assert found.tolist() == list(expected)

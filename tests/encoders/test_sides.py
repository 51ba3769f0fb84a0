"""Two sides of vectors that change together."""

import numpy as np
import pytest

from numberline.encoders.sides import ROWS_AT_A_TIME, Lengths, axis_of, in_common, main_axes

RNG = np.random.default_rng(1)


def drawn(rows, dim=5, dtype=np.float32):
    return RNG.normal(size=(rows, dim)).astype(dtype)


def drawn_axes(number):
    return main_axes(drawn(9, dtype=float), number)


@pytest.mark.parametrize("factor", [0.03, 1, 7])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_stay(factor, dtype):
    inputs, outputs = drawn(ROWS_AT_A_TIME + 10, dtype=dtype), drawn(20, dtype=dtype)
    before = inputs @ outputs.T
    lengths = Lengths(5)
    lengths.multiply(drawn_axes(1), factor)
    lengths.multiply(drawn_axes(2), 1.4)  # not at right angles to the first
    lengths.apply([inputs], [outputs])
    assert inputs @ outputs.T == pytest.approx(before, abs=1e-4)


def test_all_tables_of_a_side_are_multiplied_along_the_axes_and_nowhere_else():
    tables = [drawn(2 * ROWS_AT_A_TIME + 1), drawn(3), drawn(4), drawn(1)]
    before = [table.copy() for table in tables]
    lengths = Lengths(5)
    lengths.multiply(np.eye(5)[[1, 3]], 0.25)
    lengths.apply(tables[:2], tables[2:])
    for table, old, times in zip(tables, before, (0.25, 0.25, 4, 4), strict=True):
        expected = old.copy()
        expected[:, [1, 3]] *= times
        assert table == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_what_is_multiplied_later_is_multiplied_in_the_space_of_before():
    """Along the second axis a vector has what the first one left of it."""
    axes, rows = [drawn_axes(1), drawn_axes(1)], drawn(7, dtype=float)
    expected = rows.copy()
    for axis in axes:
        expected += (3 - 1) * (expected @ axis.T) @ axis
    lengths = Lengths(5)
    for axis in axes:
        lengths.multiply(axis, 3)
    lengths.apply([rows], [])
    assert rows == pytest.approx(expected)


def test_without_an_axis_nothing_moves():
    inputs, outputs = drawn(3), drawn(3)
    before = inputs.copy(), outputs.copy()
    lengths = Lengths(5)
    lengths.multiply(axis_of(np.zeros(5), among=np.zeros((1, 5))), 0.1)
    lengths.apply([inputs], [outputs])
    assert (inputs == before[0]).all()
    assert (outputs == before[1]).all()


def test_an_axis_has_length_one_and_what_rounding_left_is_none():
    among = np.array([[3.0, 0, 0], [0, 4, 0]])
    assert axis_of(np.array([0.0, 2, 0]), among=among).tolist() == [[0, 1, 0]]
    assert axis_of(np.array([0.0, 1e-15, 0]), among=among).shape == (0, 3)


def test_main_axes_are_those_along_which_rows_differ_most_wherever_their_mean_lies():
    lengths = np.array([1, 9, 0.1, 5, 2])
    rows = drawn(200) * lengths + 50
    axes = main_axes(rows, 2)
    assert axes @ axes.T == pytest.approx(np.eye(2), abs=1e-5)
    assert abs(axes[0, 1]) > 0.99
    assert abs(axes[1, 3]) > 0.99


@pytest.mark.parametrize(
    ("rows", "number", "found"),
    [(drawn(3), 5, 2), (drawn(1), 5, 0), (np.full((300, 5), 0.1), 5, 0), (drawn(9), 0, 0)],
)
def test_there_are_no_more_axes_than_rows_differ_by(rows, number, found):
    assert main_axes(rows, number).shape == (found, 5)


def test_both_means_have_the_same_length_along_what_they_have_in_common():
    means = drawn(2, dtype=float) + 3
    common = in_common(*means)
    assert means @ common == pytest.approx([common @ common] * 2)


def test_a_mean_has_itself_in_common_with_itself_and_nothing_with_its_opposite():
    (mean,) = drawn(1, dtype=float)
    assert in_common(mean, mean) == pytest.approx(mean)
    means = np.array([mean, -2 * mean])
    assert axis_of(in_common(*means), among=means).shape == (0, 5)


def test_distances_are_suited_to_lengths_as_they_have_become():
    """In one step as in two, of which the first has changed the vectors."""
    words, numerals = drawn(40, dtype=float) + 2, drawn(9, dtype=float) * [9, 1, 2, 3, 1] + 1
    axes, choices = drawn_axes(2), (0.3, 1.4, 2)
    once = Lengths(5)
    once.multiply(axes, 0.05)
    once.suit_distances(words, numerals, *choices)
    expected = words.copy()
    first = Lengths(5)
    first.multiply(axes, 0.05)
    first.apply([expected, numerals], [])
    second = Lengths(5)
    second.suit_distances(expected, numerals, *choices)
    second.apply([expected], [])
    once.apply([words], [])
    assert words == pytest.approx(expected)

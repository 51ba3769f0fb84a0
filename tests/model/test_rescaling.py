"""Two sides of vectors that change together."""

from dataclasses import replace

import numpy as np
import pytest

from numberline.model.rescaling import (
    ROWS_AT_A_TIME,
    axis_of,
    common_part,
    main_axes,
    no_rescaling,
    rescale_after_training,
    rescale_axes,
    rescale_differences,
    rescale_tables,
)
from numberline.numerals.fourier import Fourier
from numberline.numerals.line import FittedLine, Line
from numberline.numerals.vectors import PrototypeVectors

RNG = np.random.default_rng(1)


def drawn(rows, dim=5, dtype=np.float32):
    return RNG.normal(size=(rows, dim)).astype(dtype)


def drawn_axes(count):
    return main_axes(drawn(9, dtype=float), count)


@pytest.mark.parametrize("factor", [0.03, 1, 7])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_stay(factor, dtype):
    inputs, outputs = drawn(ROWS_AT_A_TIME + 10, dtype=dtype), drawn(20, dtype=dtype)
    before = inputs @ outputs.T
    rescaling = rescale_axes(no_rescaling(5), drawn_axes(1), factor)
    rescaling = rescale_axes(rescaling, drawn_axes(2), 1.4)  # not at right angles to the first
    rescale_tables(rescaling, [inputs], [outputs])
    assert inputs @ outputs.T == pytest.approx(before, abs=1e-4)
    assert rescaling.inputs @ rescaling.outputs.T == pytest.approx(np.eye(5))


def test_all_tables_of_a_side_are_multiplied_along_the_axes_and_nowhere_else():
    tables = [drawn(2 * ROWS_AT_A_TIME + 1), drawn(3), drawn(4), drawn(1)]
    before = [table.copy() for table in tables]
    rescaling = rescale_axes(no_rescaling(5), np.eye(5)[[1, 3]], 0.25)
    rescale_tables(rescaling, tables[:2], tables[2:])
    for table, old, times in zip(tables, before, (0.25, 0.25, 4, 4), strict=True):
        expected = old.copy()
        expected[:, [1, 3]] *= times
        assert table == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_what_is_multiplied_later_is_multiplied_in_the_space_of_before():
    """Along the second axis a vector has what the first one left of it."""
    axes, rows = [drawn_axes(1), drawn_axes(1)], drawn(7, dtype=float)
    expected = rows.copy()
    rescaling = no_rescaling(5)
    for axis in axes:
        expected += (3 - 1) * (expected @ axis.T) @ axis
        rescaling = rescale_axes(rescaling, axis, 3)
    rescale_tables(rescaling, [rows], [])
    assert rows == pytest.approx(expected)


def test_without_an_axis_nothing_moves():
    inputs, outputs = drawn(3), drawn(3)
    before = inputs.copy(), outputs.copy()
    no_axis = axis_of(np.zeros(5), among=np.zeros((1, 5)))
    rescale_tables(rescale_axes(no_rescaling(5), no_axis, 0.1), [inputs], [outputs])
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
    ("rows", "count", "found"),
    [(drawn(3), 5, 2), (drawn(1), 5, 0), (np.full((300, 5), 0.1), 5, 0), (drawn(9), 0, 0)],
)
def test_there_are_no_more_axes_than_rows_differ_by(rows, count, found):
    assert main_axes(rows, count).shape == (found, 5)


def test_both_means_have_the_same_length_along_what_they_have_in_common():
    means = drawn(2, dtype=float) + 3
    common = common_part(*means)
    assert means @ common == pytest.approx([common @ common] * 2)


def test_a_mean_has_itself_in_common_with_itself_and_nothing_with_its_opposite():
    (mean,) = drawn(1, dtype=float)
    assert common_part(mean, mean) == pytest.approx(mean)
    means = np.array([mean, -2 * mean])
    assert axis_of(common_part(*means), among=means).shape == (0, 5)


def test_differences_are_those_of_vectors_as_they_have_become():
    """In one step as in two, of which the first has changed the vectors."""
    words, numerals = drawn(40, dtype=float) + 2, drawn(9, dtype=float) * [9, 1, 2, 3, 1] + 1
    first = rescale_axes(no_rescaling(5), drawn_axes(2), 0.05)
    once = rescale_differences(first, words, numerals, axes=2)
    expected = words.copy()
    rescale_tables(first, [expected, numerals], [])
    rescale_tables(rescale_differences(no_rescaling(5), expected, numerals, axes=2), [expected], [])
    rescale_tables(once, [words], [])
    assert words == pytest.approx(expected)


def planted_numerals(dim=20):
    """All have a large part in common with words, and differ along one axis."""
    knots = np.arange(8.0)
    inputs = np.outer(np.ones(8), np.eye(dim)[0]) + np.outer(knots / 8, np.eye(dim)[1])
    tables = inputs.astype(np.float32), drawn(8, dim)
    return PrototypeVectors(FittedLine(Line(log="none"), knots), *tables)


def test_after_training_numerals_differ_by_more_and_scores_stay():
    numerals, words = planted_numerals(), drawn(100, 20) / 50
    words[:, 0] += 1
    outputs = drawn(100, 20)
    before = numerals.vectors([1.5, 6]) @ outputs.T, words @ numerals.output.T
    apart = np.ptp(numerals.vectors([1.5, 6])[:, 1])
    rescale_after_training(words, outputs, numerals)
    rows = numerals.vectors([1.5, 6])
    assert np.ptp(rows[:, 1]) == pytest.approx(1.4 * apart, rel=0.02)
    assert rows[:, 0] == pytest.approx(0.3, rel=0.1)
    assert rows @ outputs.T == pytest.approx(before[0], abs=1e-4)
    assert words @ numerals.output.T == pytest.approx(before[1], abs=1e-4)


def test_vectors_that_stand_for_no_number_stay():
    values = np.arange(1.0, 9)
    fitted = Fourier().fit(values, np.ones(8), RNG)
    numerals = PrototypeVectors(fitted, drawn(fitted.size), drawn(fitted.size))
    before = replace(numerals, input=numerals.input.copy())
    rescale_after_training(drawn(10), drawn(10), numerals)
    assert (numerals.input == before.input).all()

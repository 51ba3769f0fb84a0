"""Two sides of vectors that change together."""

import numpy as np
import pytest

from numberline.encoders.sides import ROWS_AT_A_TIME, axis_of, in_common, main_axes, move_length

RNG = np.random.default_rng(1)


def drawn(rows, dim=5):
    return RNG.normal(size=(rows, dim)).astype(np.float32)


@pytest.mark.parametrize("factor", [0.03, 1, 7])
def test_products_stay(factor):
    inputs, outputs = drawn(ROWS_AT_A_TIME + 10), drawn(20)
    before = inputs @ outputs.T
    move_length(axis_of(drawn(1)[0]), factor, [inputs], [outputs])
    assert inputs @ outputs.T == pytest.approx(before, abs=1e-4)


def test_all_tables_of_a_side_are_multiplied_along_the_axes_and_nowhere_else():
    axes = np.eye(5, dtype=np.float32)[[1, 3]]
    tables = [drawn(2 * ROWS_AT_A_TIME + 1), drawn(3), drawn(4), drawn(1)]
    before = [table.copy() for table in tables]
    move_length(axes, 0.25, tables[:2], tables[2:])
    for table, old, times in zip(tables, before, (0.25, 0.25, 4, 4), strict=True):
        along, others = [1, 3], [0, 2, 4]
        assert table[:, along] == pytest.approx(times * old[:, along], rel=1e-5, abs=1e-6)
        assert (table[:, others] == old[:, others]).all()


def test_without_a_direction_nothing_moves():
    inputs, outputs = drawn(3), drawn(3)
    before = inputs.copy(), outputs.copy()
    move_length(axis_of(np.zeros(5, np.float32)), 0.1, [inputs], [outputs])
    assert (inputs == before[0]).all()
    assert (outputs == before[1]).all()


def test_main_axes_are_those_along_which_rows_differ_most_wherever_their_mean_lies():
    lengths = np.array([1, 9, 0.1, 5, 2], np.float32)
    rows = drawn(200) * lengths + 50
    axes = main_axes(rows, 2)
    assert axes @ axes.T == pytest.approx(np.eye(2), abs=1e-5)
    assert abs(axes[0, 1]) > 0.99
    assert abs(axes[1, 3]) > 0.99


@pytest.mark.parametrize(
    ("rows", "number", "found"),
    [(drawn(3), 5, 2), (drawn(1), 5, 0), (np.ones((7, 5), np.float32), 5, 0), (drawn(9), 0, 0)],
)
def test_there_are_no_more_axes_than_rows_differ_by(rows, number, found):
    assert main_axes(rows, number).shape == (found, 5)


def test_both_means_have_the_same_length_along_what_they_have_in_common():
    rows, others = drawn(9) + 3, drawn(4) - 1
    common = in_common(rows, others)
    lengths = [part.mean(axis=0) @ common for part in (rows, others)]
    assert lengths == pytest.approx([common @ common] * 2, rel=1e-4)


def test_one_mean_is_in_common_with_itself_and_nothing_with_nobody():
    rows = drawn(9)
    assert in_common(rows, rows) == pytest.approx(rows.mean(axis=0))
    assert (in_common(rows[:0], rows) == 0).all()

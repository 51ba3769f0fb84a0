"""Two sides of vectors that change together."""

import numpy as np
import pytest

from numberline.encoders.sides import ROWS_AT_A_TIME, move_length

RNG = np.random.default_rng(1)


def drawn(rows, dim=5):
    return RNG.normal(size=(rows, dim)).astype(np.float32)


@pytest.mark.parametrize("factor", [0.03, 1, 7])
def test_products_stay(factor):
    inputs, outputs = drawn(ROWS_AT_A_TIME + 10), drawn(20)
    before = inputs @ outputs.T
    move_length(drawn(1)[0], factor, [inputs], [outputs])
    assert inputs @ outputs.T == pytest.approx(before, abs=1e-4)


def test_all_tables_of_a_side_are_multiplied_along_the_direction_and_nowhere_else():
    direction = np.array([0, 3, 0, 0, 0], np.float32)
    tables = [drawn(2 * ROWS_AT_A_TIME + 1), drawn(3), drawn(4), drawn(1)]
    before = [table.copy() for table in tables]
    move_length(direction, 0.25, tables[:2], tables[2:])
    for table, old, times in zip(tables, before, (0.25, 0.25, 4, 4), strict=True):
        assert table[:, 1] == pytest.approx(times * old[:, 1], rel=1e-5, abs=1e-6)
        others = [0, 2, 3, 4]
        assert (table[:, others] == old[:, others]).all()


def test_without_a_direction_nothing_moves():
    inputs, outputs = drawn(3), drawn(3)
    before = inputs.copy(), outputs.copy()
    move_length(np.zeros(5, np.float32), 0.1, [inputs], [outputs])
    assert (inputs == before[0]).all()
    assert (outputs == before[1]).all()

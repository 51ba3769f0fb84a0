"""Projections keep the directions of the largest weighted squares."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from numberline.gap_model import projection
from numberline.gap_model.projection import fit_projection

ROWS = np.array([[3.0, 0, 0, 1], [-3, 0, 0, 1], [0, 2, 0, 0], [0, 0, 0.1, 0]])


def test_the_largest_directions_are_kept():
    kept = fit_projection(ROWS, np.ones(4), 2).matrix
    assert kept.shape == (4, 2)
    assert np.flatnonzero(abs(kept[:, 0]) > 1e-6).tolist() == [0]
    assert np.flatnonzero(abs(kept[:, 1]) > 1e-6).tolist() == [1]


def test_weights_choose_the_directions():
    kept = fit_projection(ROWS, np.array([1, 1, 1, 1e6]), 1).matrix
    assert np.flatnonzero(abs(kept[:, 0]) > 1e-4).tolist() == [2]


@given(
    arrays.arrays(float, (9, 5), elements=st.floats(-9, 9)),
    arrays.arrays(float, 9, elements=st.floats(0.1, 99)),
    st.integers(1, 7),
)
def test_projected_numbers_have_a_weighted_mean_square_of_1(rows, weights, size):
    projected = fit_projection(rows, weights, size)(rows)
    assert projected.shape == (9, min(size, 5))
    if np.abs(rows).max() > 1e-3:
        squares = (projected.astype(float) ** 2).mean(axis=1)
        assert np.average(squares, weights=weights) == pytest.approx(1, rel=1e-3)


def test_rows_that_say_nothing_stay_finite():
    assert np.isfinite(fit_projection(np.zeros((3, 2)), np.zeros(3), 2)(np.zeros((3, 2)))).all()


def test_all_rows_are_read_however_many_are_taken_at_a_time(monkeypatch):
    rows, weights = np.random.default_rng(1).normal(size=(10, 4)), np.arange(1.0, 11)
    whole = fit_projection(rows, weights, 3)
    monkeypatch.setattr(projection, "ROWS_AT_A_TIME", 3)
    parts = fit_projection(rows, weights, 3)
    assert abs(parts.matrix) == pytest.approx(abs(whole.matrix), abs=1e-5)
    assert parts(rows) == pytest.approx((rows @ parts.matrix).astype(np.float32), abs=1e-5)

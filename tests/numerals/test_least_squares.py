"""Least squares over sparse rows: NumPy's own as the oracle, and tables that are known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.numerals.least_squares import least_squares, transpose
from numberline.numerals.rows import rows_of_table


def random_rows(seed, numbers=40, prototypes=6):
    random = np.random.default_rng(seed)
    weights = random.normal(size=(numbers, prototypes))
    weights *= random.random(weights.shape) < 0.5
    return rows_of_table(weights.astype(np.float32))


@given(st.integers(0, 1000))
def test_the_table_is_that_of_numpy(seed):
    rows, random = random_rows(seed), np.random.default_rng(seed + 1)
    targets = random.normal(size=(40, 3)).astype(np.float32)
    counts = random.integers(1, 50, 40).astype(float)
    roots = np.sqrt(counts)[:, None]
    expected = np.linalg.lstsq(rows.dense() * roots, targets * roots, rcond=None)[0]
    assert least_squares(rows, targets, counts) == pytest.approx(expected, abs=1e-2)


@given(st.integers(0, 1000))
def test_transposed_rows_are_the_transposed_table(seed):
    rows = random_rows(seed)
    assert (transpose(rows).dense() == rows.dense().T).all()


def test_prototypes_that_no_row_uses_stay_zero():
    rows = rows_of_table(np.array([[1, 0, 0], [0.5, 0.5, 0]], np.float32))
    table = least_squares(rows, np.array([[1], [3]], np.float32), np.array([1.0, 1.0]))
    assert table == pytest.approx(np.array([[1], [5], [0]]), abs=1e-3)


def test_weights_that_are_rounding_errors_are_not_used():
    weights = np.array([[1, 3e-9], [1, -3e-9], [1, 2e-9]], np.float32)
    table = least_squares(
        rows_of_table(weights), np.array([[1.0], [2], [3]], np.float32), np.ones(3)
    )
    assert table[0, 0] == pytest.approx(2, rel=1e-3)
    assert table[1, 0] == 0

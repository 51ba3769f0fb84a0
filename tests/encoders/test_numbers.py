"""Digits after the point, against what Python's own decimal numbers say."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.encoders.numbers import digits_after_point


def digits(*numbers, most=2):
    return digits_after_point(np.array(numbers, float), most).tolist()


@given(st.integers(-(10**12), 10**12), st.integers(0, 6), st.integers(0, 4))
def test_written_numbers_have_as_many_digits_as_they_need(number, places, most):
    written = Decimal(number).scaleb(-places)
    needed = max(0, -written.normalize().as_tuple().exponent)
    assert digits(float(written), most=most) == [min(needed, most)]


@pytest.mark.parametrize("huge", [2.0**53, 1e15 + 2, -1e22, 1e300, np.finfo(float).max])
def test_numbers_beyond_all_fractions_are_whole(huge):
    assert digits(huge) == [0]


def test_computed_numbers_are_what_they_would_be_written_as():
    assert digits(0.1 + 0.2, 1.1 * 3, 4.35 * 100, 36.6 + 0.4) == [1, 1, 0, 0]


def test_small_and_endless_numbers_need_most():
    assert digits(1e-9, -1e-300, np.pi, 1 / 3, 2.0**40 + 0.25) == [2] * 5
    assert digits(0, -0.0) == [0, 0]
    assert digits() == []

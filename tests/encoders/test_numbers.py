"""Numbers with digits after the point, and those without."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.encoders.numbers import have_decimals


def has_decimals(number):
    (found,) = have_decimals(np.array([number], float))
    return found


@given(st.integers(-(10**12), 10**12), st.integers(0, 3))
def test_written_numbers_have_decimals_if_their_last_digits_are_not_zeros(number, places):
    written = Decimal(number).scaleb(-places)
    assert has_decimals(float(written)) == (written != int(written))


@pytest.mark.parametrize("whole", [0, -0.0, 36.6 + 0.4, 4.35 * 100, 2.0**53, -1e22, 1e300])
def test_whole_numbers_have_none_though_they_are_large_or_computed(whole):
    assert not has_decimals(whole)


@pytest.mark.parametrize("number", [0.1 + 0.2, 1e-9, -1e-300, np.pi, 2.0**40 + 0.5])
def test_small_and_endless_numbers_have_them(number):
    assert has_decimals(number)


def test_of_no_numbers_none_have_them():
    assert have_decimals(np.array([])).tolist() == []

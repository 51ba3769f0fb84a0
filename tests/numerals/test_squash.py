"""The squashed number line: laws of Eq. 2 of the paper, for every number there is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.numerals.squash import squash, unsquash

numbers = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("value", "position"),
    [(0, 0), (0.5, 0.5), (-1, -1), (np.e, 2), (-np.e, -2), (1e300, 300 * np.log(10) + 1)],
)
def test_values_of_the_paper(value, position):
    assert squash(value) == pytest.approx(position, rel=1e-15)


@given(numbers)
def test_unsquash_is_the_inverse(value):
    assert unsquash(squash(value)) == pytest.approx(value, rel=1e-12, abs=0)


@given(numbers, numbers)
def test_order_is_kept(a, b):
    low, high = sorted((a, b))
    assert squash(low) <= squash(high)


@given(numbers)
def test_mirrored_at_zero(value):
    assert squash(-value) == -squash(value)


@pytest.mark.parametrize("value", [0.0, -0.0, 5e-324, -5e-324, 1.0, 1.7976931348623157e308])
def test_ends_of_the_line(value):
    assert np.isfinite(squash(value))
    assert unsquash(squash(value)) == pytest.approx(value, rel=1e-12, abs=0)


def test_beyond_the_line():
    assert unsquash(1e4) == np.inf

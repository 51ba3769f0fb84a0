"""The native sums of probabilities equal their definition, on every instruction set."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from numberline import _native as native
from numberline.gap_model.sums import SupportSums, defined_sums, log_sums, support_sums


@pytest.fixture(params=native.instruction_sets(), scope="module")
def instruction_set(request):
    before = native.instruction_set()
    native.use_instruction_set(request.param)
    yield
    native.use_instruction_set(before)


def arguments(contexts, points, spread, seed):
    random = np.random.default_rng(seed)
    fractions = random.gamma(0.3, size=points).astype(np.float32) + np.float32(1e-6)
    return {
        "scores": random.normal(0, spread, (contexts, points)).astype(np.float32),
        "fractions": fractions / fractions.sum(),
        "limits": random.normal(0, spread, contexts).astype(np.float32),
        "ends": random.integers(0, points + 1, (contexts, 4)),
        "bounds": np.concatenate([[0, 1], random.random(2)]),
    }


@given(
    st.integers(0, 4), st.integers(1, 300), st.sampled_from([0.1, 5, 200]), st.integers(0, 2**32)
)
@example(3, 2048, 5, 1)
@example(2, 64, 5, 1)
@pytest.mark.usefixtures("instruction_set")
def test_native_sums_equal_the_definition(contexts, points, spread, seed):
    asked = arguments(contexts, points, spread, seed)
    found, expected = support_sums(**asked), defined_sums(**asked)
    assert [one.shape for one in found] == [one.shape for one in expected]
    assert found.log_sum == pytest.approx(expected.log_sum, rel=1e-6, abs=1e-5)
    assert log_sums(asked["scores"], asked["fractions"]) == pytest.approx(
        expected.log_sum, rel=1e-6, abs=1e-5
    )
    assert found.below == pytest.approx(expected.below, abs=1e-6)
    assert found.before == pytest.approx(expected.before, abs=1e-6)
    assert_counts(asked, found)


def assert_counts(asked, found: SupportSums):
    """Points up to a count sum up to less than the bound, those up to the next do not."""
    points = asked["scores"].shape[1]
    up_to = defined_sums(**asked | {"ends": found.counts}).before
    assert (up_to <= asked["bounds"] + 1e-6).all()
    beyond = defined_sums(**asked | {"ends": np.minimum(found.counts + 1, points)}).before
    assert ((beyond >= asked["bounds"] - 1e-6) | (found.counts == points)).all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"fractions": np.ones(6, np.float32)}, "one fraction per point"),
        ({"limits": np.ones(4, np.float32)}, "one limit and one row of ends"),
        ({"ends": np.zeros((2, 4), np.int64)}, "one limit and one row of ends"),
        ({"ends": np.full((3, 4), 8)}, "from 0 to the number of points"),
        ({"ends": np.full((3, 4), -1)}, "from 0 to the number of points"),
    ],
    ids=str,
)
def test_arrays_that_do_not_fit_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        native.support_sums(**arguments(3, 7, 1, 0) | changed)

"""Several scales of knots at once: what each adds, and what is left of them in small corpora."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.config import EncoderConfig
from numberline.encoders.explained import explain
from numberline.encoders.multiscale import SCALES
from numberline.encoders.registry import encoder_from_state, fit_encoder
from numberline.encoders.squash import squash
from numberline.errors import EncoderStateError

COARSE, MIDDLE, FINE = range(3)


def fit(values, counts=None, **settings):
    counts = np.ones(len(values)) if counts is None else counts
    config = EncoderConfig(encoder="multiscale", **settings)
    return fit_encoder(config, np.array(values, float), counts, np.random.default_rng(1))


def knots_of(encoder, scale):
    return encoder.knots[encoder.scales == scale]


HUNDREDS = fit(np.arange(900), prototypes=30)


def test_shares_are_those_of_an_average_and_fall_as_scales_get_finer():
    shares, sizes = [scale.share for scale in SCALES], [scale.knots for scale in SCALES]
    assert sum(shares) == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)
    assert sizes == sorted(sizes)
    assert SCALES[MIDDLE].knots == 1


@pytest.mark.parametrize(
    ("distinct", "settings", "sizes"),
    [
        (900, {"prototypes": 30}, [10, 30, 100]),
        (900, {}, [15, 46, 153]),  # (ln 900)² = 46.3
        (40, {}, [5, 14, 40]),  # no more knots than there are numerals
        (5, {}, [1, 3, 5]),
        (2, {}, [1, 1, 2]),
        (1, {}, [1, 1, 1]),
        (5, {"prototypes": 5}, [2, 5, 5]),
    ],
)
def test_each_scale_has_its_number_of_distinct_knots(distinct, settings, sizes):
    encoder = fit(np.arange(distinct), **settings)
    assert [len(knots_of(encoder, scale)) for scale in range(3)] == sizes
    for scale in range(3):
        assert (np.diff(knots_of(encoder, scale)) > 0).all()
    assert (np.diff(encoder.knots) >= 0).all()
    assert encoder.basis_size == sum(sizes)
    table = encoder.weights(np.arange(-3, distinct + 3)).dense()
    for scale, (_, share) in enumerate(SCALES):
        assert table[:, encoder.scales == scale].sum(axis=1) == pytest.approx(share, abs=1e-6)


def test_numerals_that_meet_on_the_squashed_line_have_one_knot_per_scale():
    encoder = fit([1, 1e308, np.nextafter(1e308, np.inf)], prototypes=3)
    for scale, size in ((COARSE, 1), (MIDDLE, 2), (FINE, 2)):
        assert len(knots_of(encoder, scale)) == size


@given(st.floats(-100, 1e6), st.sampled_from(["dataset", "none"]))
def test_a_vector_is_the_weighted_sum_of_interpolations(value, log):
    """NumPy interpolates each dimension of each scale on its own."""
    encoder = cached(log)
    place = squash(value) if log == "dataset" else value
    basis = encoder.bases["input"]
    expected = sum(
        share * np.array([np.interp(place, knots_of(encoder, scale), column) for column in columns])
        for scale, (_, share) in enumerate(SCALES)
        for columns in [basis[encoder.scales == scale].T]
    )
    assert encoder.compose([value])[0] == pytest.approx(expected, rel=1e-4, abs=1e-6)


_fitted = {}


def cached(log):
    if log not in _fitted:
        encoder = fit(np.arange(900) ** 1.5, prototypes=30, log=log)
        _fitted[log] = encoder.start(4, np.random.default_rng(3), np.float64)
    return _fitted[log]


@given(st.floats(-1e9, 1e9))
def test_it_interpolates_on_the_squashed_line(value):
    weights = HUNDREDS.weights([value])
    assert len(weights.shares) == 2 * len(SCALES)
    place = np.clip(squash(value), HUNDREDS.knots[0], HUNDREDS.knots[-1])
    assert weights.dense()[0] @ HUNDREDS.knots == pytest.approx(place, rel=1e-5, abs=1e-5)


def test_what_is_learnt_of_a_numeral_fades_with_distance_in_steps():
    """All scales carry it to the nearest, only the coarse one to those far away."""
    encoder = fit(np.arange(900), prototypes=30, log="none")
    at = knots_of(encoder, COARSE)[4]
    fine, middle = (np.median(np.diff(knots_of(encoder, scale))) for scale in (FINE, MIDDLE))
    values = [at, at + 0.5 * fine, at + 2.5 * fine, at + 2.5 * middle, at + 300]
    table = encoder.weights(values).dense()
    moved = table @ table[0]
    assert (np.diff(moved) < 0).all()
    assert moved[-1] == 0
    reach = [np.flatnonzero(table[row] * table[0]) for row in range(4)]
    assert [len(set(encoder.scales[columns])) for columns in reach] == [3, 3, 2, 1]


def test_equal_knots_of_several_scales_are_one_prototype_to_those_who_look():
    config = EncoderConfig(encoder="multiscale", log="none", prototypes=3)
    values, counts = np.array([0.0, 5, 10, 20]), np.array([2.0, 4, 10, 4])
    found = explain(config, values, counts, np.random.default_rng(1))
    coarse = np.array([0, 0, 1, 0])  # one knot, at 10
    middle = np.array([4, 0, 12, 4]) / 20  # of the four of 5, half go to each side
    fine = counts / 20
    assert found.values.tolist() == [0, 5, 10, 20]
    shares = np.array([scale.share for scale in SCALES])
    assert found.shares == pytest.approx(shares @ [coarse, middle, fine])


SCALES_OF_FOUR = [0, 0, 1, 1]
SHARES_OF_FOUR = [0.7, 0.7, 0.3, 0.3]


def from_arrays(scales, shares):
    state = {"knots": np.arange(4.0), "scales": np.array(scales, float)}
    state["shares"] = np.array(shares, float)
    return encoder_from_state(EncoderConfig(encoder="multiscale"), state)


@pytest.mark.parametrize("broken", [[0, 0, 2, 2], [1, 1, 2, 2], [0, 1, 1.5, 2], [np.nan, 0, 1, 2]])
def test_scales_with_a_gap_are_refused(broken):
    with pytest.raises(EncoderStateError, match="without a gap"):
        from_arrays(broken, SHARES_OF_FOUR)


@pytest.mark.parametrize(
    "broken", [[0.7, 0.6, 0.3, 0.3], [0.7, 0.7, 0.2, 0.2], [1.2, 1.2, -0.2, -0.2], [np.nan] * 4]
)
def test_shares_that_are_no_average_are_refused(broken):
    with pytest.raises(EncoderStateError, match="one of each scale"):
        from_arrays(SCALES_OF_FOUR, broken)


def test_a_state_says_its_own_shares():
    """Other scales than ours, as an earlier or later version may have."""
    table = from_arrays(SCALES_OF_FOUR, SHARES_OF_FOUR).weights([0.0]).dense()
    assert table.tolist() == [pytest.approx([0.7, 0, 0.3, 0])]

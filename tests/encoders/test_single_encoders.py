"""What each encoder promises of its own; what all promise is in tests/conformance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.config import EncoderConfig
from numberline.encoders.fourier import decimals
from numberline.encoders.gmm_fit import fit_gmm
from numberline.encoders.gmm_start import even_floor, relative_floor, starting_mixture
from numberline.encoders.lstm import SYMBOLS
from numberline.encoders.mixture import posterior
from numberline.encoders.registry import encoder_from_state, fit_encoder
from numberline.encoders.som_fit import fit_som, fit_som_unsquashed
from numberline.encoders.squash import squash
from numberline.text.numerals import plain_number

VALUES = np.array([-3.0, 0, 1, 2, 3, 5, 8, 13, 100, 1900, 1950, 2000, 1e6])
COUNTS = np.array([1.0, 9, 50, 40, 30, 20, 9, 8, 20, 7, 9, 30, 2])


def fit(values=VALUES, counts=COUNTS, **settings):
    return fit_encoder(EncoderConfig(**settings), values, counts, np.random.default_rng(1))


@pytest.mark.parametrize("beta", [1.0, 1.5, 50.0])
def test_som_weights_are_the_similarity_of_the_paper(beta):
    encoder = fit(encoder="som", prototypes=5, beta=beta)
    values = np.array([4.0, 77, 1975, -2, 3e9])
    distance = np.abs(squash(values)[:, None] - encoder.places)
    similarity = distance**-beta
    expected = similarity / similarity.sum(axis=1, keepdims=True)
    assert encoder.weights(values).dense() == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_a_numeral_on_a_som_prototype_gets_that_prototype():
    encoder = fit(encoder="som", prototypes=5)
    table = encoder.weights(encoder.prototype_values).dense()
    assert (np.diag(table) > 0.99).all()


def test_som_distances_are_floored():
    config = EncoderConfig(encoder="som")
    encoder = encoder_from_state(config, {"places": np.array([0.25, 0.75])})
    table = encoder.weights([0.25, 0.25 + 1e-5, 0.25 + 2e-4]).dense()
    expected = [1 / (1 + floored / 0.5) for floored in (1e-4, 1e-4, 2e-4)]
    assert table[:, 0] == pytest.approx(expected, abs=1e-6)


def test_som_stages_of_the_logarithm():
    before, within = (
        fit(encoder="som", prototypes=4),
        fit(encoder="som", prototypes=4, log="similarity"),
    )
    assert np.median(before.prototype_values) < 100 < np.median(within.prototype_values) + 2000
    assert within.prototype_values[-1] > 1e5 > before.prototype_values[-2]


def test_gmm_posterior_prefers_the_nearest_cluster():
    encoder = fit(encoder="gmm", prototypes=6)
    order = np.argmax(encoder.weights([1, 100, 1985]).dense(), axis=1)
    assert (np.diff(order) > 0).all()
    assert (np.diff(encoder.prototype_values) > 0).all()


@pytest.mark.parametrize("em", ["soft", "hard"])
@pytest.mark.parametrize("start", ["som", "kmeans", "random"])
@pytest.mark.parametrize("log", ["dataset", "none"])
def test_gmm_is_fitted_as_its_settings_say(em, start, log):
    encoder = fit(encoder="gmm", prototypes=5, em=em, em_start=start, log=log)
    places = squash(VALUES) if log == "dataset" else VALUES
    fit_map, floor = fit_som, even_floor(places, COUNTS)
    if log == "none":
        fit_map, floor = fit_som_unsquashed, relative_floor(places, COUNTS)
    began = starting_mixture(start, places, COUNTS, 5, np.random.default_rng(1), fit_map, floor)
    expected = fit_gmm(places, COUNTS, began, em, floor=floor)
    assert encoder.shares == pytest.approx(expected.shares)
    assert encoder.means == pytest.approx(expected.means)
    assert encoder.deviations == pytest.approx(expected.deviations)
    values = np.array([-3.0, 0, 4, 1987, 1e7])
    table = posterior(squash(values) if log == "dataset" else values, expected)
    assert encoder.weights(values).dense() == pytest.approx(table, abs=1e-6)


@pytest.mark.parametrize("scale", [2.0**-300, 2.0**200])
@pytest.mark.parametrize("start", ["kmeans", "random"])  # som starts on the squashed line
def test_plain_gmm_knows_no_unit(scale, start):
    settings = {"encoder": "gmm", "log": "none", "prototypes": 5, "em_start": start}
    expected = fit(**settings)
    scaled = fit(values=VALUES * scale, **settings)
    assert scaled.prototype_values / scale == pytest.approx(expected.prototype_values)
    assert scaled.weights(VALUES * scale).dense() == pytest.approx(
        expected.weights(VALUES).dense(), abs=1e-6
    )


def test_gmm_of_numerals_whose_squares_vanish():
    encoder = fit(np.arange(4) * 1e-160, np.ones(4), encoder="gmm", log="none", prototypes=3)
    assert encoder.weights([0, 1e-160, 1, 1e300]).dense().sum(axis=1) == pytest.approx(1)


def test_token_gives_rare_and_unseen_numerals_one_vector():
    encoder = fit(encoder="token", numeral_min_count=20)
    assert encoder.frequent.tolist() == [1, 2, 3, 5, 100, 2000]
    table = encoder.weights([1, 2000, 8, 777]).dense()
    assert table.argmax(axis=1).tolist() == [0, 5, 6, 6]
    assert fit(encoder="token", prototypes=2).frequent.tolist() == [1, 2]
    encoder = fit([1, 2, 3], [1, 5, 9], encoder="token", prototypes=2)
    assert encoder.weights([1, 2, 3, 4]).dense().argmax(axis=1).tolist() == [2, 0, 1, 2]


def test_fixed_is_the_formula_of_the_paper():
    encoder = fit(encoder="fixed").start(4, np.random.default_rng(1), np.float64)
    assert encoder.compose([math.e]).tolist() == [[2 / 8, 1 / 8, 1 / 8, 1 / 8]]
    for side in ("input", "output"):
        encoder.absorb([math.e], np.ones((1, 4)), side)
        assert encoder.compose([math.e], side).tolist() == [[2 / 8, 1 / 8, 1 / 8, 1 / 8]]


@given(st.floats(-1e9, 1e9), st.integers(2, 13))
def test_piecewise_interpolates_on_the_squashed_line(value, size):
    encoder = fit(encoder="piecewise", prototypes=size)
    assert len(encoder.knots) == size
    table = encoder.weights([value]).dense()[0]
    place = np.clip(squash(value), encoder.knots[0], encoder.knots[-1])
    assert np.count_nonzero(table) in (1, 2)
    assert np.ptp(np.flatnonzero(table)) <= 1
    assert table @ encoder.knots == pytest.approx(place, rel=1e-5, abs=1e-5)


def test_piecewise_has_knots_at_quantiles():
    """Though 1 occurs most often between 0 and 4."""
    counts = np.array([1.0, 4, 3, 3, 1])
    encoder = fit(np.arange(5.0), counts, encoder="piecewise", prototypes=3, log="none")
    assert encoder.knots.tolist() == [0, 2, 4]


def test_piecewise_has_no_two_knots_in_one_place():
    values = np.array([1, 1e308, np.nextafter(1e308, np.inf)])
    assert len(set(squash(values))) == 2
    encoder = fit(values, np.ones(3), encoder="piecewise", prototypes=3)
    assert encoder.knots.tolist() == squash([1, 1e308]).tolist()


def test_fourier_tells_digits():
    encoder = fit(encoder="fourier")
    tens = 1 + np.flatnonzero(encoder.periods == 10)[0]
    table = encoder.weights([3, 13, 1003, 4]).dense()
    assert table[0, tens] == table[1, tens] == table[2, tens] != table[3, tens]
    mean = COUNTS @ encoder.weights(VALUES).dense() / COUNTS.sum()
    assert mean[1:] == pytest.approx(0, abs=1e-6)
    assert mean[0] == pytest.approx(len(encoder.periods) ** -0.5)


def test_fourier_goes_round_once_in_a_period():
    encoder = fit([0.0, 5.0], [1, 1], encoder="fourier")
    table = encoder.weights([0, 2.5, 5, 7.5, 10, -2.5]).dense() * 2**0.5
    assert encoder.periods.tolist() == [10, 100]
    assert table[:, 0] == pytest.approx(1)
    assert table[:, 1] == pytest.approx([1, 0, -1, 0, 1, 0], abs=1e-6)
    assert table[:, 3] == pytest.approx([0, 1, 0, -1, 0, -1], abs=1e-6)


@pytest.mark.parametrize(
    ("values", "counts", "first_power", "last_power"),
    [
        ([3, 13, 999], [1, 1, 1], 1, 4),
        ([-3, -13, -999], [1, 1, 1], 1, 4),
        ([1, 1000], [1, 1], 1, 5),
        ([0], [1], 1, 1),
        ([0.25, 1.5, 3.75], [1, 1, 1], -1, 2),
        ([0.5, 1e-9], [1, 1], -3, 1),
        ([5e-324], [1], 1, 1),
        ([1e300], [1], 1, 16),
        ([1, 0.123, 1e9], [9998, 1, 1], 1, 2),  # too rare for a period
        ([1, 0.123, 1e9], [98, 1, 1], -2, 11),
        ([0.123, 1, 1e9], [1, 98, 9901], 1, 11),
    ],
)
def test_fourier_periods_reach_from_the_last_decimal_to_the_first_digit(
    values, counts, first_power, last_power
):
    powers = np.arange(first_power, last_power + 1)
    assert fit(values, counts, encoder="fourier").periods == pytest.approx(10.0**powers)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(5.0, 0), (-0.25, 2), (100.5, 1), (1e-7, 7), (1.5e-7, 8), (1e22, 0), (1.25e20, 0)],
)
def test_decimals(value, expected):
    assert decimals(value) == expected


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_lstm_reads_every_number_as_it_is_written(value):
    written = plain_number(value)
    assert set(written) <= set(SYMBOLS)
    assert float(written) == value


def test_lstm_tells_symbols_apart():
    pytest.importorskip("torch")
    encoder = fit(encoder="lstm").start(8, np.random.default_rng(2), np.float64)
    values = [1.5, 105, -5, 25, 1e20, 1120, 1e-20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    rows = encoder.compose(values)
    apart = np.abs(rows[:, None] - rows).max(axis=2) + np.eye(len(values))
    assert apart.min() > 1e-6
    reach = [np.abs(array).max() * 8**0.5 for array in encoder.state().values()]
    assert max(reach) <= 1
    assert min(reach) > 0.8


def test_lstm_reads_to_the_last_digit_and_no_further():
    pytest.importorskip("torch")
    encoder = fit(encoder="lstm").start(8, np.random.default_rng(2), np.float64)
    rows = encoder.compose([12, 123, 1e-9, 12])
    alone = encoder.compose([12])
    assert rows[0] == pytest.approx(alone[0], rel=1e-12)
    assert (rows[0] == rows[3]).all()
    assert np.abs(rows[0] - rows[1]).max() > 1e-3

"""The behaviour of single encoders; test_every_encoder.py has what all have in common."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.numerals.fixed import Fixed
from numberline.numerals.fourier import Fourier, decimals
from numberline.numerals.gmm import Gmm
from numberline.numerals.gmm_fit import fit_gmm
from numberline.numerals.gmm_start import even_floor, relative_floor, starting_mixture
from numberline.numerals.line import FittedLine, Line
from numberline.numerals.mixture import posterior
from numberline.numerals.som import FittedSom, Som
from numberline.numerals.som_fit import fit_som, fit_som_unsquashed
from numberline.numerals.squash import squash
from numberline.numerals.token import NumeralTokens
from numberline.numerals.vectors import PrototypeVectors

VALUES = np.array([-3.0, 0, 1, 2, 3, 5, 8, 13, 100, 1900, 1950, 2000, 1e6])
COUNTS = np.array([1.0, 9, 50, 40, 30, 20, 9, 8, 20, 7, 9, 30, 2])


def fit(encoder, values=VALUES, counts=COUNTS):
    return encoder.fit(np.array(values, float), np.array(counts, float), np.random.default_rng(1))


@pytest.mark.parametrize("beta", [1.0, 1.5, 50.0])
def test_som_weights_are_the_similarity_of_the_paper(beta):
    fitted = fit(Som(5, beta=beta))
    values = np.array([4.0, 77, 1975, -2, 3e9])
    distance = np.abs(squash(values)[:, None] - fitted.positions)
    similarity = distance**-beta
    expected = similarity / similarity.sum(axis=1, keepdims=True)
    assert fitted.weights(values).dense() == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_a_numeral_on_a_som_prototype_gets_that_prototype():
    fitted = fit(Som(5))
    assert (np.diag(fitted.weights(fitted.labels).dense()) > 0.99).all()


def test_som_distances_are_floored():
    fitted = FittedSom(Som(), np.array([0.25, 0.75]))
    table = fitted.weights([0.25, 0.25 + 1e-5, 0.25 + 2e-4]).dense()
    expected = [1 / (1 + floored / 0.5) for floored in (1e-4, 1e-4, 2e-4)]
    assert table[:, 0] == pytest.approx(expected, abs=1e-6)


def test_a_som_fitted_to_plain_values_has_larger_prototypes():
    before, within = fit(Som(4)).labels, fit(Som(4, log="similarity")).labels
    assert np.median(before) < 100 < np.median(within) + 2000
    assert within[-1] > 1e5 > before[-2]


def test_gmm_posterior_prefers_the_nearest_cluster():
    fitted = fit(Gmm(6))
    order = np.argmax(fitted.weights([1, 100, 1985]).dense(), axis=1)
    assert (np.diff(order) > 0).all()
    assert (np.diff(fitted.labels) > 0).all()


@pytest.mark.parametrize("em", ["soft", "hard"])
@pytest.mark.parametrize("start", ["som", "kmeans", "random"])
@pytest.mark.parametrize("log", ["dataset", "none"])
def test_gmm_is_fitted_as_its_settings_say(em, start, log):
    fitted = fit(Gmm(5, log=log, em=em, em_start=start))
    positions = squash(VALUES) if log == "dataset" else VALUES
    fit_map, floor = fit_som, even_floor(positions, COUNTS)
    if log == "none":
        fit_map, floor = fit_som_unsquashed, relative_floor(positions, COUNTS)
    rng = np.random.default_rng(1)
    began = starting_mixture(start, positions, COUNTS, 5, rng, fit_map, floor)
    expected = fit_gmm(positions, COUNTS, began, em, floor)
    assert fitted.priors == pytest.approx(expected.priors)
    assert fitted.means == pytest.approx(expected.means)
    assert fitted.deviations == pytest.approx(expected.deviations)
    values = np.array([-3.0, 0, 4, 1987, 1e7])
    table = posterior(squash(values) if log == "dataset" else values, expected)
    assert fitted.weights(values).dense() == pytest.approx(table, abs=1e-6)


@pytest.mark.parametrize("scale", [2.0**-300, 2.0**200])
@pytest.mark.parametrize("start", ["kmeans", "random"])  # som starts on the squashed line
def test_a_gmm_without_log_does_not_depend_on_the_unit(scale, start):
    encoder = Gmm(5, log="none", em_start=start)
    expected, scaled = fit(encoder), fit(encoder, VALUES * scale)
    assert scaled.labels / scale == pytest.approx(expected.labels)
    assert scaled.weights(VALUES * scale).dense() == pytest.approx(
        expected.weights(VALUES).dense(), abs=1e-6
    )


def test_a_gmm_is_fitted_to_numerals_whose_squares_vanish():
    fitted = fit(Gmm(3, log="none"), np.arange(4) * 1e-160, np.ones(4))
    assert fitted.weights([0, 1e-160, 1, 1e300]).dense().sum(axis=1) == pytest.approx(1)


def test_rare_and_unseen_numerals_share_one_vector():
    fitted = fit(NumeralTokens(min_count=20))
    assert fitted.frequent.tolist() == [1, 2, 3, 5, 100, 2000]
    table = fitted.weights([1, 2000, 8, 777]).dense()
    assert table.argmax(axis=1).tolist() == [0, 5, 6, 6]
    assert fit(NumeralTokens(2)).frequent.tolist() == [1, 2]
    fitted = fit(NumeralTokens(2), [1, 2, 3], [1, 5, 9])
    assert fitted.weights([1, 2, 3, 4]).dense().argmax(axis=1).tolist() == [2, 0, 1, 2]


def fixed_vectors(dim):
    fitted = fit(Fixed())
    return PrototypeVectors(fitted, *fitted.starting_tables(dim, np.random.default_rng(1)))


def test_fixed_vectors_follow_the_formula_of_the_paper():
    for side in ("input", "output"):
        rows = fixed_vectors(4).vectors([math.e], side)
        assert rows == pytest.approx(np.array([[2 / 8, 1 / 8, 1 / 8, 1 / 8]]), rel=1e-7)


@given(st.floats(1, 1e300))
def test_fixed_vectors_of_large_neighbours_differ_in_double_precision(value):
    larger = value * (1 + 1e-9)
    rows = fixed_vectors(4).in_double().vectors([value, larger])
    expected = (squash(larger) - squash(value)) / 8
    assert rows[1, 0] - rows[0, 0] == pytest.approx(expected, rel=1e-2)


@given(st.floats(-1e9, 1e9), st.integers(2, 13))
def test_the_line_interpolates_between_two_knots(value, size):
    fitted = fit(Line(size))
    assert len(fitted.knots) == size
    table = fitted.weights([value]).dense()[0, :size]
    position = np.clip(squash(value), fitted.knots[0], fitted.knots[-1])
    assert fitted.weights([value]).dense().sum() == pytest.approx(1)
    assert np.count_nonzero(table) in (1, 2)
    assert np.ptp(np.flatnonzero(table)) <= 1
    assert table @ fitted.knots == pytest.approx(position, rel=1e-5, abs=1e-5)


def test_the_line_has_knots_at_frequent_numerals():
    counts = np.array([1.0, 2, 9, 4, 3, 8, 3, 1])
    fitted = fit(Line(4, log="none"), np.arange(8.0), counts)
    assert fitted.knots.tolist() == [0, 2, 5, 7]
    assert fitted.fine_knots.tolist() == list(range(8))
    assert fitted.labels[:4].tolist() == [0, 2, 5, 7]
    assert np.isnan(fitted.labels[4:]).all()


def test_the_line_has_distinct_knots():
    values = np.array([1, 1e308, np.nextafter(1e308, np.inf)])
    assert len(set(squash(values))) == 2
    fitted = fit(Line(3), values, np.ones(3))
    assert fitted.knots.tolist() == squash([1, 1e308]).tolist()


def test_a_line_of_one_knot_has_one_vector():
    fitted = FittedLine(Line(), np.array([3.0]), np.array([1.0, 4.0]))
    assert fitted.weights([-9, 0, 3, 1e9]).dense().tolist() == [[1, 0, 0]] * 4


def test_output_vectors_of_the_line_add_fine_knots():
    fitted = FittedLine(Line(log="none"), np.array([0.0, 8.0]), np.array([0.0, 2.0, 4.0, 8.0]))
    assert fitted.weights([3.0, 3.5], "output").dense() == pytest.approx(
        np.array(
            [
                [5 / 16, 3 / 16, 0, 1 / 4, 1 / 4, 0],
                [9 / 32, 7 / 32, 0, 1 / 8, 3 / 8, 0],
            ]
        )
    )
    inputs = fitted.weights([3.5, 0.1 + 0.2]).dense()
    assert not inputs[:, 2:].any()
    assert not fitted.starting_tables(5, np.random.default_rng(1))[0][2:].any()


def test_a_som_may_weigh_only_the_nearest_prototypes():
    all_nine = fit(Som(9, nearest=None))
    only_three = fit(Som(9, nearest=3))
    assert np.array_equal(all_nine.positions, only_three.positions)
    table, cut = (one.weights([-5, 0.3, 77, 1e9]).dense() for one in (all_nine, only_three))
    for row, row_of_three in zip(table, cut, strict=True):
        kept = np.argsort(-row)[:3]
        assert sorted(np.flatnonzero(row_of_three)) == sorted(kept)
        assert row_of_three[kept] == pytest.approx(row[kept] / row[kept].sum(), rel=1e-5)


def test_numerals_with_the_same_last_digit_have_the_same_fourier_features():
    fitted = fit(Fourier())
    tens = 1 + np.flatnonzero(fitted.periods == 10)[0]
    table = fitted.weights([3, 13, 1003, 4]).dense()
    assert table[0, tens] == table[1, tens] == table[2, tens] != table[3, tens]
    mean = COUNTS @ fitted.weights(VALUES).dense() / COUNTS.sum()
    assert mean[1:] == pytest.approx(0, abs=1e-6)
    assert mean[0] == pytest.approx(len(fitted.periods) ** -0.5)


def test_fourier_features_repeat_after_a_period():
    fitted = fit(Fourier(), [0.0, 5.0], [1, 1])
    table = fitted.weights([0, 2.5, 5, 7.5, 10, -2.5]).dense() * 2**0.5
    assert fitted.periods.tolist() == [10, 100]
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
    assert fit(Fourier(), values, counts).periods == pytest.approx(10.0**powers)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(5.0, 0), (-0.25, 2), (100.5, 1), (1e-7, 7), (1.5e-7, 8), (1e22, 0), (1.25e20, 0)],
)
def test_decimals_are_counted_as_written(value, expected):
    assert decimals(value) == expected

"""Calibration: planted sharpness, coverage and wrongness are recovered."""

import numpy as np
import pytest

from numberline.gap_model.calibration import (
    EVIDENCE,
    LEVELS,
    SHARPNESSES,
    UNCALIBRATED,
    Calibration,
    best_sharpness,
    columns_of,
    coverage_of,
    fit_wrongness,
    needed_fractions,
)


def softmax(scores, fractions):
    likelihoods = fractions * np.exp(scores - scores.max(axis=1, keepdims=True))
    return likelihoods / likelihoods.sum(axis=1, keepdims=True)


def drawn(probabilities, rng):
    """Draw one index from each row."""
    return (probabilities.cumsum(axis=1) < rng.random((len(probabilities), 1))).sum(axis=1)


@pytest.mark.parametrize("sharpness", [0.6, 1.0, 1.4])
def test_a_planted_sharpness_is_recovered(sharpness):
    rng = np.random.default_rng(1)
    scores, fractions = 2 * rng.normal(size=(20_000, 30)), rng.dirichlet(np.ones(30))
    right = drawn(softmax(sharpness * scores, fractions), rng)
    own = scores[np.arange(len(scores)), right]
    single = own.astype(np.float32), scores.astype(np.float32)
    assert best_sharpness(*single, fractions) == pytest.approx(sharpness, abs=0.05)


def test_the_best_sharpness_has_the_smallest_loss():
    rng = np.random.default_rng(5)
    scores, fractions = rng.normal(size=(200, 30)), rng.dirichlet(np.ones(30))
    for spread in (0.5, 1, 2, 4):
        own = spread * scores[:, 3]
        likelihoods = (fractions * np.exp(one * spread * scores) for one in SHARPNESSES)
        losses = [np.log(one.sum(axis=1)).mean() for one in likelihoods] - SHARPNESSES * own.mean()
        best = SHARPNESSES[np.argmin(losses)]
        assert best_sharpness(own, spread * scores, fractions) == pytest.approx(best)


def test_large_scores_do_not_overflow():
    """A scale of 100 spreads scores over 200, whose exponentials no single can hold."""
    scores = np.tile(np.array([100, -100, 0], np.float32), (50, 1))
    own = np.array([100] * 45 + [-100] * 5, np.float32)  # one in ten is at odds with its scores
    assert best_sharpness(own, scores, np.full(3, 1 / 3)) == pytest.approx(0.4)
    assert best_sharpness(-own, scores, np.full(3, 1 / 3)) == pytest.approx(0.4)


@pytest.mark.parametrize("fraction", [0.5, 0.9])
def test_an_interval_holds_the_fraction_that_is_wanted(fraction):
    """The numbers are spread more widely than the distributions say."""
    rng = np.random.default_rng(2)
    points = np.linspace(-1, 1, 200)
    centres = rng.normal(0, 0.2, (8000, 1))
    believed = softmax(-200 * (points - centres) ** 2, np.ones(200))
    right = drawn(softmax(-50 * (points - centres) ** 2, np.ones(200)), rng)
    sums, rows = believed.cumsum(axis=1), np.arange(len(right))
    below, up_to = sums[rows, right] - believed[rows, right], sums[rows, right]

    def held(nominal, part):
        bounds = (1 - nominal) / 2, (1 + nominal) / 2
        ends = [np.minimum((sums[part] < bound).sum(axis=1), 199) for bound in bounds]
        return ((ends[0] <= right[part]) & (right[part] <= ends[1])).mean()

    first, second = slice(0, 4000), slice(4000, None)
    coverage = coverage_of(needed_fractions(below[first], up_to[first]))
    calibration = Calibration(1.0, coverage, np.zeros(EVIDENCE))
    assert held(fraction, second) < fraction - 0.1
    assert held(calibration.nominal(fraction), second) == pytest.approx(fraction, abs=0.02)


def test_coverage_ascends_from_nothing_to_the_whole_line():
    coverage = coverage_of(np.array([0.3, 0.4, 0.6, 0.7]))
    assert (coverage[0], coverage[-1]) == (0, 1)
    assert (np.diff(coverage) >= 0).all()
    assert coverage[len(LEVELS) // 2] == pytest.approx(0.5)
    assert [UNCALIBRATED.nominal(one) for one in (0, 0.31, 1)] == pytest.approx([0, 0.31, 1])


def test_needed_fractions_by_hand():
    below, up_to = np.array([0.0, 0.1, 0.4, 0.9]), np.array([0.1, 0.4, 0.9, 1.0])
    assert needed_fractions(below, up_to) == pytest.approx([0.8, 0.2, 0, 0.8])


def planted_wrongness(count, rng, offset=0.0):
    probabilities = rng.uniform(0.01, 1, (3, count))
    columns = columns_of(rng.normal(0, 2, count), *probabilities)
    weights = np.array([offset, -1.0, -0.5, 0.2, -0.3])
    is_wrong = rng.random(count) < 1 / (1 + np.exp(-columns @ weights))
    return columns, is_wrong.astype(float), weights


def test_planted_weights_are_recovered():
    columns, is_wrong, weights = planted_wrongness(200_000, np.random.default_rng(3))
    even = np.log(is_wrong.sum() / (1 - is_wrong).sum())
    found = fit_wrongness(columns, is_wrong) + np.array([even, 0, 0, 0, 0])
    assert found == pytest.approx(weights, abs=0.03)


def test_weights_equal_those_of_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    columns, is_wrong, _ = planted_wrongness(3000, np.random.default_rng(4))
    theirs = linear_model.LogisticRegression(fit_intercept=False, C=1000, tol=1e-10)
    theirs.fit(columns, is_wrong)
    even = np.log((is_wrong.sum() + 1) / ((1 - is_wrong).sum() + 1))
    found = fit_wrongness(columns, is_wrong) + np.array([even, 0, 0, 0, 0])
    assert found == pytest.approx(theirs.coef_[0], abs=1e-4)


def test_log_odds_suppose_as_many_wrong_as_right():
    """If most held-out numerals were right, odds are the same as if half of them were."""
    rng = np.random.default_rng(5)
    columns, is_wrong, _ = planted_wrongness(100_000, rng)
    is_kept = (is_wrong == 0) | (rng.random(len(is_wrong)) < 0.2)
    all_of_them = fit_wrongness(columns, is_wrong)
    fewer = fit_wrongness(columns[is_kept], is_wrong[is_kept])
    assert fewer == pytest.approx(all_of_them, abs=0.1)


@pytest.mark.parametrize("is_wrong", [0.0, 1.0])
def test_one_kind_alone_stays_finite(is_wrong):
    columns = columns_of(np.zeros(50), *np.full((3, 50), 0.5))
    assert np.isfinite(fit_wrongness(columns, np.full(50, is_wrong))).all()


def test_columns_by_hand():
    probabilities = np.exp([[-3.0], [-1.0], [-2.0]])
    columns = columns_of(np.array([2.0]), *probabilities)
    assert columns == pytest.approx(np.array([[1, 2, -3, -1, -2]]))
    nothing = np.zeros(1)
    assert np.isfinite(columns_of(np.array([-9.0]), nothing, nothing, nothing)).all()


def test_a_stored_calibration_is_the_same():
    calibration = Calibration(0.8, LEVELS**2, np.arange(float(EVIDENCE)))
    again = Calibration.from_state(calibration.state())
    assert again.sharpness == 0.8
    assert (again.coverage == LEVELS**2).all()
    assert again.wrongness.tolist() == [*range(EVIDENCE)]

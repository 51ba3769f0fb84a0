"""Lifts, probabilities around and intervals, by hand on a tiny model; laws on a trained one."""

from dataclasses import replace

import numpy as np
import pytest

from numberline.gap_model import scorer
from numberline.model.judged import ids_around
from numberline.model.prediction import gaps_of_contexts
from numberline.numerals.squash import squash
from tests.gap_model.planted_gaps import LEFT, RIGHT, ordered_model


@pytest.fixture(scope="module")
def ours():
    return ordered_model().gap_scorer


@pytest.fixture(scope="module")
def contexts(ours):
    texts = [LEFT, RIGHT, "box ___", "___", "9 box ___ 9", "fillerab 3001 ___"]
    gaps = gaps_of_contexts(ordered_model(), texts)
    return ours.contexts(ids_around(gaps), gaps.tokens.values, gaps.tokens.kinds)


def test_lifts_by_hand(monkeypatch, ours):
    tiny = scorer.GapScorer(ours.model, ours.word_input, ours.numerals, ours.vocabulary)
    vectors = np.array([[1, 0], [0, 1], [-1, 0]], np.float32)
    fractions = np.array([0.5, 0.25, 0.25])
    support = scorer.Support(np.array([1.0, 2, 5]), fractions, np.arange(3))
    vars(tiny).update(support=support, support_vectors=vectors)  # instead of computing them
    monkeypatch.setattr(type(tiny), "vectors_of", lambda self, values: vectors)
    context = np.log(np.array([[2, 4]], np.float32))
    # Times 2, 4 and 1/2; their mean by fractions is 1 + 1 + 1/8.
    lifts = np.array([2, 4, 0.5]) / 2.125
    assert np.exp(tiny.log_lifts(context, vectors))[0] == pytest.approx(lifts)
    assert next(tiny.distributions(context)) == pytest.approx(fractions * lifts)
    fits = tiny.fits(np.repeat(context, 3, axis=0), np.array([1.0, 2, 6]))
    assert np.exp(fits.log_lift) == pytest.approx(lifts)
    assert fits.percentile == pytest.approx([0.25, 0.75, 0])
    # Probabilities of 1, 2 and 5 here; 5 is within the factor of 6, 1 and 2 are near nothing else.
    first, second, third = fractions * lifts
    assert fits.beyond == pytest.approx([2 * first, 2 * (second + third), 0], abs=1e-6)
    assert fits.near == pytest.approx([first, second, third], abs=1e-6)
    assert fits.near_in_general == pytest.approx(fractions)


def test_a_calibrated_sharpness_multiplies_contexts(ours, contexts):
    calibration = replace(ours.model.calibration, sharpness=2 * ours.model.calibration.sharpness)
    model = replace(ours.model, calibration=calibration)
    sharp = scorer.GapScorer(model, ours.word_input, ours.numerals, ours.vocabulary)
    gaps = gaps_of_contexts(ordered_model(), [LEFT, RIGHT])
    found = sharp.contexts(ids_around(gaps), gaps.tokens.values, gaps.tokens.kinds)
    assert found == pytest.approx(2 * contexts[:2], rel=1e-4, abs=1e-4)


def test_fractions_times_lifts_are_a_distribution(ours, contexts):
    lifts = np.exp(ours.log_lifts(contexts, ours.support_vectors))
    assert lifts @ ours.support.fractions == pytest.approx(np.ones(len(contexts)), rel=1e-5)
    for of_context, probabilities in zip(lifts, ours.distributions(contexts), strict=True):
        assert probabilities == pytest.approx(of_context * ours.support.fractions, rel=1e-3)


def test_fits_are_those_of_single_evaluations(ours, contexts):
    values = np.array([7.0, 7, 3001, 40, 1e300, -0.25])
    together = ours.fits(contexts, values)
    lifts = ours.log_lifts(contexts, ours.vectors_of(values))
    for index in range(len(contexts)):
        part = slice(index, index + 1)
        alone = ours.fits(contexts[part], values[part])
        assert alone.log_lift[0] == pytest.approx(together.log_lift[index], abs=1e-4)
        assert alone.log_lift[0] == pytest.approx(lifts[index, index], abs=1e-4)
        assert alone.beyond[0] == pytest.approx(together.beyond[index], abs=1e-4)
        assert alone.near[0] == pytest.approx(together.near[index], abs=1e-4)
        assert alone.percentile[0] == pytest.approx(together.percentile[index], abs=1e-4)
        assert alone.interval[0].tolist() == together.interval[index].tolist()


def test_the_best_numeral_does_not_fit_less_well_than_itself(ours, contexts, monkeypatch):
    """Its score and that of its point are computed apart, and differ by rounding."""
    best = (contexts @ ours.support_vectors.T).argmax(axis=1)
    rows = ours.support_vectors[best]
    for nudge in (1, 1 - 1e-6, 1 + 1e-6):
        monkeypatch.setattr(type(ours), "vectors_of", lambda self, _, near=nudge * rows: near)
        fits = ours.fits(contexts, ours.support.values[best])
        assert (fits.percentile < 1).all()


def test_a_number_that_fits_better_than_all_others_has_the_percentile_one(monkeypatch, ours):
    tiny = scorer.GapScorer(ours.model, ours.word_input, ours.numerals, ours.vocabulary)
    support = scorer.Support(np.array([1.0, 2]), np.array([0.5, 0.5000001]), np.arange(2))
    vars(tiny).update(support=support, support_vectors=np.eye(2, dtype=np.float32))
    monkeypatch.setattr(type(tiny), "vectors_of", lambda self, _: np.full((1, 2), 9, np.float32))
    assert tiny.fits(np.ones((1, 2), np.float32), np.array([3.0])).percentile == [1]


def test_probabilities_around_a_number_are_sums(ours, contexts):
    values = np.array([7.0, 3001, 40, 1e300, -0.25, 8])
    found, points = ours.fits(contexts, values), ours.support.values
    for index, probabilities in enumerate(ours.distributions(contexts)):
        value = values[index]
        is_near = np.abs(squash(points) - squash(value)) <= scorer.NEAR_BY
        sides = probabilities[points <= value].sum(), probabilities[points >= value].sum()
        assert found.near[index] == pytest.approx(probabilities[is_near].sum(), abs=1e-5)
        assert found.beyond[index] == pytest.approx(2 * min(sides), abs=1e-5)
        general = ours.support.fractions[is_near].sum()
        assert found.near_in_general[index] == pytest.approx(general, abs=1e-5)


def test_contexts_do_not_depend_on_how_many_are_taken_at_a_time(ours, contexts, monkeypatch):
    monkeypatch.setattr(scorer, "CONTEXTS_AT_A_TIME", 2)
    numbers = ours.vectors_of(np.array([7.0, 3001]))
    few = ours.log_lifts(contexts, numbers)
    monkeypatch.undo()
    assert few == pytest.approx(ours.log_lifts(contexts, numbers), abs=1e-4)
    assert ours.log_lifts(contexts[:0], numbers).shape == (0, 2)


def test_an_interval_is_that_of_the_distribution(ours, contexts):
    fits = ours.fits(contexts, np.full(len(contexts), 7.0))
    low, high = (1 + np.array([-1, 1]) * ours.model.calibration.nominal(0.9)) / 2
    for probabilities, (first, last) in zip(
        ours.distributions(contexts), fits.interval, strict=True
    ):
        sums = probabilities.cumsum()
        assert first == ours.support.values[np.searchsorted(sums, low)]
        assert last == ours.support.values[min(np.searchsorted(sums, high), len(sums) - 1)]

"""Scores equal the formulas, computed term by term; distributions obey their laws."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, ContextError, NumberlineWarning, TokensError
from numberline.model import scores
from numberline.model.distribution import (
    SHARPNESS,
    CorpusScores,
    NumeralDistribution,
    smoothed_density,
)
from numberline.model.scores import SCORES
from numberline.numerals.squash import squash

TEXT = "small box holds ___ pens"
CONTEXT = {"small": 0.6, "box": 0.8, "holds": 1.0, "pens": 1.0}  # window 5, nothing thinned out


def defined_scores(model, values):
    """Compute the scores from the formulas, one dot product at a time."""
    v = {token: model.vector(token).astype(float) for token in (*CONTEXT, *values)}
    o = {token: model.vector(token, "output").astype(float) for token in (*CONTEXT, *values)}
    all_words = model.word_output.astype(float)
    counts = model.vocabulary.word_counts.astype(float)  # nothing thinned out
    noise, context = counts**0.75 / (counts**0.75).sum(), counts / counts.sum()
    scores = {name: [] for name in SCORES}
    for n in values:
        log_z = np.log(sum(np.exp(v[n] @ row) for row in all_words))
        s_a = sum(w * (v[n] @ o[c] - log_z) for c, w in CONTEXT.items())
        s_b = sum(w * (o[n] @ v[c]) for c, w in CONTEXT.items())
        scores["s0"].append(sum(w * (v[n] @ o[c]) for c, w in CONTEXT.items()))
        scores["S_A"].append(s_a)
        scores["S_B"].append(s_b)
        scores["joint"].append(s_a + s_b)
        told = np.log(sum(q * np.exp(v[n] @ row) for q, row in zip(noise, all_words, strict=True)))
        telling = np.log(
            sum(p * np.exp(o[n] @ row) for p, row in zip(context, model.word_input, strict=True))
        )
        s_0, weight = scores["s0"][-1], sum(CONTEXT.values())
        scores["lift"].append((s_0 - weight * told + s_b - weight * telling) / 2)
    return scores


@pytest.fixture(scope="module")
def expected(planted_model):
    return planted_model.predict(TEXT)


@pytest.mark.parametrize("score", SCORES)
def test_scores_are_as_defined(planted_model, score):
    values = [7.0, 5000.0, -3.5, 19.0]
    by_definition = dict(zip(values, defined_scores(planted_model, values)[score], strict=True))
    ranked = planted_model.predict(TEXT, values, score)
    assert [numeral.value for numeral in ranked] == sorted(
        by_definition, key=by_definition.get, reverse=True
    )
    for numeral in ranked:
        assert numeral.score == pytest.approx(by_definition[numeral.value], rel=1e-4, abs=1e-4)


@pytest.fixture(scope="module")
def corpus_scores(planted_model):
    return defined_scores(planted_model, planted_model.vocabulary.numeral_values.tolist())


@pytest.mark.parametrize("score", SCORES)
def test_probabilities_are_as_defined(planted_model, corpus_scores, score):
    values = planted_model.vocabulary.numeral_values
    drawn = planted_model.vocabulary.numeral_counts.astype(float) ** 0.75
    scores = SHARPNESS * np.array(corpus_scores[score])
    by_definition = drawn * np.exp(scores) / (drawn * np.exp(scores)).sum()
    found = planted_model.predict(TEXT, score=score)
    assert found.values is values
    assert found.probabilities == pytest.approx(by_definition, rel=1e-3, abs=1e-9)


def test_sums_over_words_do_not_depend_on_how_many_are_taken_at_a_time(planted_model, monkeypatch):
    values = np.linspace(0, 9000, 50)
    whole = scores.Candidates.of_numerals(planted_model, values).log_normaliser
    monkeypatch.setattr(scores, "SCORES_AT_A_TIME", 3 * len(planted_model))
    parts = scores.Candidates.of_numerals(planted_model, values).log_normaliser
    assert parts == pytest.approx(whole, rel=1e-6)
    monkeypatch.setattr(scores, "SCORES_AT_A_TIME", 1)
    rows = scores.Candidates.of_numerals(planted_model, values).log_normaliser
    assert rows == pytest.approx(whole, rel=1e-6)


def test_candidates_in_any_format(planted_model):
    found = planted_model.predict(TEXT, ["7", "1,250", 3, np.float32(0.5), "−2", "½", "7.0"])
    assert sorted(numeral.value for numeral in found) == [-2, 0.5, 0.5, 3, 7, 7, 1250]
    scores = [numeral.score for numeral in found]
    assert scores == sorted(scores, reverse=True)
    assert planted_model.predict(TEXT, iter(["7", "5000"]))[0].value == 7


@pytest.mark.parametrize("score", SCORES)
def test_no_candidates(planted_model, score):
    assert planted_model.predict(TEXT, [], score) == []


@pytest.mark.parametrize("candidate", ["few", "lots", "", "7 8", float("nan"), 10**400])
def test_candidates_that_are_no_numbers(planted_model, candidate):
    with pytest.raises(TokensError, match="is not a number"):
        planted_model.predict(TEXT, ["7", candidate])


def test_candidates_that_are_no_list(planted_model):
    with pytest.raises(ConfigError, match="candidates='12'"):
        planted_model.predict(TEXT, "12")
    with pytest.raises(TokensError, match="neither a word nor a number"):
        planted_model.predict(TEXT, [None])


def test_small_and_large_are_told_apart(planted_model, expected):
    large = planted_model.predict("big hall seats ___ people")
    assert 1 <= expected.median < 20 < 2000 <= large.median <= 9000
    assert planted_model.predict(TEXT, ["19.5", "4321.5"])[0].value == 19.5


def test_a_distribution(expected):
    assert expected.probabilities.sum() == pytest.approx(1)
    assert (expected.probabilities >= 0).all()
    assert (np.diff(expected.values) > 0).all()
    low, high = expected.interval(0.5)
    assert low == expected.quantile(0.25) <= expected.median <= expected.quantile(0.75) == high
    assert expected.interval(0) == (expected.median, expected.median)
    assert expected.interval(1) == (expected.values[0], expected.values[-1])


def test_quantiles_by_hand():
    probabilities = np.array([0.25, 0.25, 0.5])
    found = NumeralDistribution(np.array([1.0, 2.0, 5.0]), probabilities, np.full(3, 1 / 3))
    fractions = (0, 0.25, 0.26, 0.5, 0.51, 1)
    assert [found.quantile(fraction) for fraction in fractions] == [1, 1, 2, 2, 5, 5]
    assert found.median == 2
    assert found.interval(0.5) == (1, 5)


def test_calibrated_quantiles_are_further_out():
    values = np.arange(1.0, 102)
    uniform = np.full(101, 1 / 101)
    wide = NumeralDistribution(values, uniform, uniform, lambda fraction: min(1, 1.5 * fraction))
    assert wide.median == 51
    assert wide.interval(0.4) == (wide.quantile(0.3), wide.quantile(0.7)) == (21, 81)
    assert wide.quantile(0.05) == 1


@pytest.mark.parametrize("fraction", [-0.1, 1.1, 90, float("nan"), "x", None])
def test_fractions_are_from_0_to_1(expected, fraction):
    with pytest.raises(ConfigError, match="fraction="):
        expected.quantile(fraction)
    with pytest.raises(ConfigError, match="fraction="):
        expected.interval(fraction)


@pytest.mark.parametrize("ends", [(0.2, 0.9), (100, 300), (-50, 50), (1, 1e6)])
def test_a_density_integrates_to_one(ends):
    places = np.linspace(*squash(ends), 4000)
    values = np.where(abs(places) <= 1, places, np.copysign(np.exp(abs(places) - 1), places))
    bump = np.exp(-0.5 * ((places - places.mean()) / np.ptp(places) * 8) ** 2)
    density = smoothed_density(values, bump / bump.sum())
    between = (density[1:] + density[:-1]) / 2
    assert between @ np.diff(values) == pytest.approx(1, abs=0.01)


def test_density_is_per_unit_of_value(expected):
    assert expected.density.shape == expected.values.shape
    assert (expected.density >= 0).all()
    doubled = smoothed_density(np.array([10.0, 1000.0]), np.array([0.5, 0.5]))
    assert doubled[0] / doubled[1] == pytest.approx(100, rel=0.05)


def test_one_value():
    assert np.isfinite(smoothed_density(np.array([5.0]), np.array([1.0]))).all()
    model = nl.train(["a b 5 c d"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    with pytest.warns(NumberlineWarning, match="has no gap model"):
        found = model.predict("b ___ c")
    assert found.interval() == (5, 5)
    assert found.density[0] > 0


def test_lift_and_percentile_by_hand():
    scores = np.log([1.0, 2.0, 4.0]) / SHARPNESS
    fits = CorpusScores(np.arange(3.0), np.array([0.5, 0.25, 0.25]), scores)
    # The mean of the likelihoods 1, 2 and 4, weighted by probability, is 2.
    log_lifts = fits.log_lift(np.array([scores[2], np.log(0.2) / SHARPNESS]))
    assert np.exp(log_lifts) == pytest.approx([2, 0.1])
    for rounding in (0, 1e-7, -1e-7):  # of one numeral, scored twice
        assert fits.percentile(scores[1] + rounding) == pytest.approx(0.5 + 0.25 / 2)
    assert fits.percentile(9.0) == pytest.approx(1)
    assert fits.percentile(-9.0) == 0
    assert fits.distribution().probabilities == pytest.approx([0.25, 0.25, 0.5])


def test_questions_that_cannot_be_answered(planted_model):
    with pytest.raises(ContextError, match="no word around the gap of 'unheard ___ of'"):
        planted_model.predict("unheard ___ of")
    with pytest.raises(ContextError, match="no word around"):
        planted_model.predict(([], []))
    with pytest.raises(ConfigError, match=r"score='S_C'.*s0, S_A, S_B, joint"):
        planted_model.predict(TEXT, score="S_C")


@pytest.mark.filterwarnings("ignore:the corpus holds no numerals")
def test_a_model_that_learnt_no_numerals():
    model = nl.train(["few pens", "many people"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    for ask in (model.predict, model.check):
        with pytest.raises(ContextError, match="learnt no numerals"):
            ask("few ___ pens")


@pytest.mark.filterwarnings("ignore:no word occurs")
@pytest.mark.parametrize("score", SCORES)
def test_a_model_that_learnt_no_words(score):
    model = nl.train(["5 6 7"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    assert model.predict("5 ___ 7", score=score).median in {5, 6, 7}

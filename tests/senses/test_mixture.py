"""Senses of numerals in a planted corpus; laws of EM; the state of a mixture."""

import numpy as np
import pytest

from numberline.errors import NumberlineError
from numberline.reading.kinds import KIND_INDEX, KINDS, PLAIN_INDEX
from numberline.reading.vocabulary import Numerals
from numberline.senses import assign, mixture_from_state, texts_of, with_senses
from numberline.senses.bins import BINS, bins_of
from numberline.senses.evidence import SILENT, Evidence, neighbour_count
from numberline.senses.fit import (
    BIN_SMOOTHING,
    FRACTION_SMOOTHING,
    NEIGHBOUR_SMOOTHING,
    Examples,
    MixtureSteps,
    fit_senses,
    without_telling,
)
from numberline.senses.mixture import NEIGHBOUR_WEIGHT
from tests.senses.planted import BESIDE, COUNT, UNSEEN, WORDS, YEAR, planted_corpus

CORPUS, TRUTH = planted_corpus()
NUMERALS = CORPUS.vocabulary.numerals
TEXTS = texts_of(CORPUS.ids, CORPUS.sentence_offsets, len(WORDS), NUMERALS)
TOKENS = np.flatnonzero(CORPUS.ids >= len(WORDS))
OBSERVED = NUMERALS.kinds[CORPUS.ids[TOKENS] - len(WORDS)]
EVIDENCE = TEXTS.evidence(TOKENS)
SIZE = neighbour_count(len(WORDS))
MIXTURE = fit_senses(EVIDENCE, OBSERVED, SIZE, np.random.default_rng(1))


def sense_of(kind):
    return MIXTURE.kinds.tolist().index(kind)


def evidence_in(words, value):
    """Return the evidence on a number between the third of some words and the others."""
    ids = np.insert([WORDS.index(word) for word in words], 3, len(WORDS))
    numerals = Numerals(np.array([value]), np.array([PLAIN_INDEX], np.int32), np.array([1]))
    texts = texts_of(ids, np.array([0, len(ids)]), len(WORDS), numerals)
    return texts.evidence(np.array([3]))


@pytest.mark.parametrize("kind", [YEAR, COUNT])
@pytest.mark.parametrize("value", [2001.0, UNSEEN])
def test_words_tell_the_sense_of_a_number_seen_or_unseen(kind, value):
    first, second, third, _ = BESIDE[kind]
    evidence = evidence_in([first, second, "and", "and", third, "the"], value)
    probabilities = MIXTURE.probabilities(evidence)[0]
    other = COUNT if kind == YEAR else YEAR
    assert probabilities[sense_of(kind)] > 2 * probabilities[sense_of(other)]


def test_bare_numerals_get_the_kind_that_was_planted():
    corpus, mixture = with_senses(CORPUS, seed=1)
    assert mixture is not None
    found = corpus.vocabulary.numerals.kinds[corpus.ids[TOKENS] - len(WORDS)]
    is_told = OBSERVED != PLAIN_INDEX
    np.testing.assert_array_equal(found[is_told], OBSERVED[is_told])
    is_named = found < len(KINDS)
    assert (found == TRUTH)[is_named].mean() > 0.95
    for kind in (YEAR, COUNT):  # a nameless sense holds numerals of one kind
        nameless = found[~is_named & (kind == TRUTH)]
        other = found[~is_named & (kind != TRUTH)]
        assert not len(np.intersect1d(nameless, other)) or len(nameless) + len(other) < 300


def test_values_words_and_counts_stay():
    corpus, _ = with_senses(CORPUS, seed=1)
    numerals = corpus.vocabulary.numerals
    values = numerals.values[corpus.ids[TOKENS] - len(WORDS)]
    np.testing.assert_array_equal(values, NUMERALS.values[CORPUS.ids[TOKENS] - len(WORDS)])
    is_word = CORPUS.ids < len(WORDS)
    np.testing.assert_array_equal(corpus.ids[is_word], CORPUS.ids[is_word])
    counts = np.bincount(corpus.ids[TOKENS] - len(WORDS), minlength=len(numerals))
    np.testing.assert_array_equal(counts, numerals.counts)
    order = np.lexsort((numerals.values, numerals.kinds))
    np.testing.assert_array_equal(order, np.arange(len(numerals)))
    assert not (numerals.kinds == PLAIN_INDEX).any()


def test_threads_and_sizes_of_parts_change_nothing(monkeypatch):
    one, _ = with_senses(CORPUS, seed=1)
    monkeypatch.setattr(assign, "NUMERALS_AT_A_TIME", 100)
    monkeypatch.setattr(assign, "TOKENS_AT_A_TIME", 1001)
    monkeypatch.setattr(assign, "IN_MEMORY_BYTES", 0)
    three, _ = with_senses(CORPUS, seed=1, threads=3)
    np.testing.assert_array_equal(one.ids, three.ids)


def test_few_bare_or_few_told_numerals_stay_as_they_are(monkeypatch):
    for limit in ("FEWEST_BARE", "FEWEST_TOLD"):
        with monkeypatch.context() as patch:
            patch.setattr(assign, limit, len(TOKENS))
            corpus, mixture = with_senses(CORPUS, seed=1)
            assert corpus is CORPUS
            assert mixture is None


def test_words_that_tell_the_kind_are_hidden():
    is_told = OBSERVED != PLAIN_INDEX
    hidden = without_telling(EVIDENCE, is_told, SIZE).neighbours
    assert not np.isin(hidden[:, 3:7], [WORDS.index("in"), WORDS.index("people")]).any()
    kept = hidden[:, 3:7] != SILENT
    np.testing.assert_array_equal(hidden[:, 3:7][kept], EVIDENCE.neighbours[:, 3:7][kept])
    assert (hidden[:, 3:7] == WORDS.index("king")).any()


def test_the_likelihood_never_falls():
    """EM may not lower the likelihood, with the terms of smoothing, in any round."""
    named = np.array([YEAR, COUNT], np.int32)
    is_bare = OBSERVED == PLAIN_INDEX
    senses = (OBSERVED[~is_bare] == COUNT).astype(np.intp)
    examples = Examples(EVIDENCE[~is_bare], senses, EVIDENCE[is_bare], SIZE)
    kinds = np.append(named, len(KINDS) + np.arange(2, dtype=np.int32))
    shares = examples.first_shares(len(kinds), np.random.default_rng(2))
    steps = MixtureSteps(examples, kinds)
    likelihoods = []
    for _ in range(10):
        mixture = steps.maximised(shares)
        likelihoods.append(likelihood(mixture, examples, steps))
        shares = mixture.probabilities(examples.bare)
    rises = np.diff(likelihoods)
    assert (rises > -1e-3).all()  # in single precision, of a sum of thousands
    assert rises[0] > 10


def likelihood(mixture, examples, steps):
    scores = mixture.log_scores(examples.bare).astype(np.float64)
    bare = np.logaddexp.reduce(scores, axis=1).sum()
    of_told = mixture.log_scores(examples.told).astype(np.float64)
    told = of_told[np.arange(len(of_told)), examples.senses].sum()
    smoothing = BIN_SMOOTHING * (steps._bins.overall @ mixture.bins.astype(np.float64)).sum()
    for counts, ratios in zip(steps._groups, mixture.neighbours.astype(np.float64), strict=True):
        smoothing += NEIGHBOUR_WEIGHT * NEIGHBOUR_SMOOTHING * (counts.overall @ ratios).sum()
    smoothing += FRACTION_SMOOTHING * np.log(mixture.bare_fractions).sum()
    prior_of_told = np.log(mixture.bare_fractions)[examples.senses].sum()
    return bare + told - prior_of_told + smoothing


def test_what_can_be_seen_has_probability_1_in_all():
    np.testing.assert_allclose(np.exp(MIXTURE.bins).sum(axis=0), 1, rtol=1e-4)
    np.testing.assert_allclose(MIXTURE.probabilities(EVIDENCE[:50]).sum(axis=1), 1)
    np.testing.assert_allclose(MIXTURE.of_numbers(np.array([7.0, -3.5])).sum(axis=1), 1)
    assert MIXTURE.bare_fractions.sum() == pytest.approx(1)


def test_numerals_of_any_text_are_of_kinds_as_frequent_as_in_all():
    nothing = Evidence(EVIDENCE.bins[:20], np.full((20, 10), SILENT, np.int32))
    values = NUMERALS.values[CORPUS.ids[TOKENS[:20]] - len(WORDS)]
    any_text = MIXTURE.probabilities(nothing, are_bare=False)
    np.testing.assert_allclose(any_text, MIXTURE.of_numbers(values), rtol=1e-4)
    count = sense_of(COUNT)
    assert (MIXTURE.probabilities(nothing)[:, count] > 1.2 * any_text[:, count]).all()


def test_a_mixture_is_its_state():
    restored = mixture_from_state(MIXTURE.state() | {"other": np.zeros(1)}, len(WORDS))
    np.testing.assert_array_equal(
        restored.log_scores(EVIDENCE[:100]), MIXTURE.log_scores(EVIDENCE[:100])
    )
    assert mixture_from_state({}, len(WORDS)) is None


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("kinds", np.array([0.5] * len(MIXTURE))),
        ("bare_fractions", np.zeros(len(MIXTURE))),
        ("bins", np.zeros((3, len(MIXTURE)))),
        ("more", np.zeros(1)),
    ],
)
def test_other_states_are_refused(name, array):
    with pytest.raises((ValueError, NumberlineError)):
        mixture_from_state(MIXTURE.state() | {f"senses.{name}": array}, len(WORDS))


def test_bins_tell_size_and_form_apart():
    values = np.array([5, 50, 5.5, 5.25, 2019, 2010, 2000, 1985, 2500, 0, 1e30, -5, 1e-9])
    bins = bins_of(values)
    assert len(set(bins[:10].tolist())) == 10
    assert bins[11] == bins[0]
    assert ((bins >= 0) & (bins < BINS)).all()
    assert bins_of(np.array([2011.0])) == bins_of(np.array([2019.0]))


def test_neighbours_are_words_kinds_and_bins():
    ids = np.array([0, len(WORDS), 3, len(WORDS) + 1, len(WORDS) + 2])
    kinds = np.array([PLAIN_INDEX, KIND_INDEX["money"], PLAIN_INDEX], np.int32)
    numerals = Numerals(np.array([7.0, 3.0, 8.0]), kinds, np.ones(3, np.int64))
    evidence = texts_of(ids, np.array([0, 4, 5]), len(WORDS), numerals).evidence(np.array([1, 4]))
    first = len(WORDS)
    assert evidence.neighbours[0].tolist() == [
        *[SILENT, SILENT, SILENT, SILENT, 0, 3],
        *[first + KIND_INDEX["money"], SILENT, SILENT, SILENT],
    ]
    assert (evidence.neighbours[1] == SILENT).all()
    assert isinstance(evidence, Evidence)

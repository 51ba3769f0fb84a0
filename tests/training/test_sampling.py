"""The distributions that training draws from, exactly and as frequencies of draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberline.training.plan import draw
from numberline.training.random import epoch_key, random_bits, random_fraction, random_index
from numberline.training.sampling import (
    FULL_THRESHOLD,
    alias_table,
    keep_probabilities,
    negative_probabilities,
    numeral_negatives,
)
from numberline.training.tables import ROWS_AT_A_TIME, starting_tables

counts = st.lists(st.integers(1, 10**6), min_size=1, max_size=40).map(np.array)


def probabilities_of(table):
    """Return the probability with which each index is drawn from an alias table."""
    kept = (
        table.thresholds.astype(np.float64) + (table.thresholds == FULL_THRESHOLD - 1)
    ) / FULL_THRESHOLD
    probabilities = kept.copy()
    np.add.at(probabilities, table.others, 1 - kept)
    return probabilities / len(probabilities)


@given(counts, counts)
def test_words_and_numerals_are_drawn_in_their_ratio_each_by_counts_to_the_power(words, numerals):
    drawn = negative_probabilities(words, numerals)
    drawn_words, drawn_numerals = drawn[: len(words)], drawn[len(words) :]
    assert drawn.sum() == pytest.approx(1)
    fraction = numerals.sum() / (words.sum() + numerals.sum())
    assert drawn_numerals.sum() == pytest.approx(fraction)
    assert drawn_words / drawn_words[0] == pytest.approx((words / words[0]) ** 0.75)
    assert drawn_numerals / drawn_numerals[0] == pytest.approx((numerals / numerals[0]) ** 0.75)


def test_words_alone_or_numerals_alone_are_drawn():
    assert negative_probabilities(np.array([1, 16]), np.array([])) == pytest.approx([1 / 9, 8 / 9])
    assert negative_probabilities(np.array([]), np.array([1, 16])) == pytest.approx([1 / 9, 8 / 9])


@given(counts)
def test_an_alias_table_draws_with_its_probabilities(weights):
    probabilities = weights / weights.sum()
    table = alias_table(probabilities)
    assert probabilities_of(table) == pytest.approx(probabilities, abs=1e-8)


def test_an_alias_table_may_be_empty_or_uniform():
    assert len(alias_table(np.zeros(0)).others) == 0
    for count in (1, 3, 7, 49):
        uniform = np.full(count, 1 / count)
        assert probabilities_of(alias_table(uniform)) == pytest.approx(uniform)


def test_frequencies_of_draws_are_the_probabilities():
    probabilities = negative_probabilities(np.array([1000, 100, 10]), np.array([300, 5]))
    drawn = draw(alias_table(probabilities), random_bits(7, np.arange(200_000)))
    frequencies = np.bincount(drawn, minlength=5) / 200_000
    assert frequencies == pytest.approx(probabilities, abs=4 * np.sqrt(0.25 / 200_000))


@pytest.mark.parametrize(("negatives", "numerals"), [(1, 0), (3, 1), (5, 2), (10, 4)])
def test_two_of_five_negatives_of_a_numeral_are_numerals(negatives, numerals):
    assert numeral_negatives(negatives) == numerals


def test_keep_probabilities_are_those_of_word2vec():
    frequency = np.array([0.1, 0.01, 1e-4, 1e-6])
    kept = keep_probabilities(frequency * 1e8, 10**8, 1e-4)
    expected = np.minimum((np.sqrt(frequency / 1e-4) + 1) * 1e-4 / frequency, 1)
    assert kept == pytest.approx(expected, rel=1e-6)
    assert (keep_probabilities(np.array([5, 9]), 14, 0) == 1).all()


def test_random_numbers_are_uniform_and_differ_by_key():
    bits = random_bits(epoch_key(1, 0), np.arange(100_000))
    assert np.bincount(random_index(bits, 7)) / 100_000 == pytest.approx(1 / 7, abs=0.005)
    assert random_fraction(bits).mean() == pytest.approx(0.5, abs=0.005)
    assert 0 <= random_fraction(bits).min() <= random_fraction(bits).max() < 1
    assert len({epoch_key(seed, epoch) for seed in range(30) for epoch in range(30)}) == 900


def test_random_numbers_never_change():
    """Training resumed from a checkpoint of an older version has the same draws."""
    assert random_bits(1, [0, 1]).tolist() == [10451216379200822465, 13757245211066428519]


def test_starting_vectors_are_small_and_the_same_for_the_same_seed():
    """Several threads fill them, a few rows at a time."""
    words, dim = 2 * ROWS_AT_A_TIME + 9, 3
    one, same = (starting_tables(words, None, dim, np.random.default_rng(1)) for _ in range(2))
    assert np.array_equal(one.padded_input, same.padded_input)
    assert len(np.unique(one.word_input)) > 0.99 * words * dim
    assert np.abs(one.word_input).max() <= 1 / dim
    assert one.word_input.mean() == pytest.approx(0, abs=0.01)
    assert one.word_input.std() == pytest.approx(1 / dim / np.sqrt(3), rel=0.02)
    assert not one.padded_input[:, dim:].any()
    assert not one.padded_output.any()

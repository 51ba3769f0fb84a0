"""Ranges: all tokens once, cut at sentence ends, in an order that the seed tells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.settings import Settings
from numberline.training import schedule as schedules
from numberline.training.schedule import Schedule, range_bounds
from tests.training.small_corpora import random_corpus


@pytest.fixture
def short_ranges(monkeypatch):
    monkeypatch.setattr(schedules, "MOST_RANGE_TOKENS", 20)


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=60))
def test_bounds(lengths):
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    bounds = range_bounds(offsets)
    size = max(schedules.LEAST_RANGE_TOKENS, offsets[-1] // schedules.LEAST_RANGES)
    assert bounds[0] == 0
    assert bounds[-1] == offsets[-1]
    assert (np.diff(bounds) > 0).all()
    assert (np.diff(bounds) <= size).all()
    for cut in set(bounds.tolist()) - set(offsets.tolist()):
        sentence = np.searchsorted(offsets, cut, side="right") - 1
        assert lengths[sentence] > size


def test_ranges_are_as_large_as_they_may_be(short_ranges):
    assert range_bounds(np.arange(0, 101, 7)).tolist() == [*range(0, 99, 14)]
    assert range_bounds(np.array([0, 5, 50])).tolist() == [0, 5, 20, 35, 50]


def test_a_large_text_has_many_ranges_of_a_bounded_size():
    offsets = np.arange(0, 100_000_001, 1000)
    bounds = range_bounds(offsets)
    assert np.diff(bounds).max() == 16_000
    assert len(range_bounds(offsets[:1001])) > schedules.LEAST_RANGES


@pytest.mark.parametrize("shuffle", [False, True])
def test_learning_rate_falls_in_a_straight_line(shuffle, short_ranges):
    corpus = random_corpus(1)
    config = Settings(epochs=3, learning_rate=0.08, shuffle=shuffle)
    schedule = Schedule(corpus, config, seed=1)
    ranges = [schedule[number] for number in range(schedule.ranges)]
    assert [one.epoch for one in ranges] == sorted(len(ranges) // 3 * [0, 1, 2])
    rates = np.array([schedule.learning_rate(one.done) for one in ranges])
    begun = np.cumsum([0, *(one.tokens for one in ranges)])
    assert rates == pytest.approx(0.08 * (1 - begun[:-1] / begun[-1]))
    assert begun[-1] == schedule.tokens == 3 * len(corpus.ids)
    assert schedule.learning_rate(schedule.done_before(schedule.ranges)) == pytest.approx(8e-6)
    for one in ranges:
        assert corpus.sentence_offsets[one.first_sentence] <= one.first_token
        assert corpus.sentence_offsets[one.last_sentence] >= one.last_token


def test_in_the_order_of_the_text(short_ranges):
    schedule = Schedule(random_corpus(1), Settings(epochs=2, shuffle=False), seed=1)
    first_tokens = [schedule[number].first_token for number in range(schedule.ranges)]
    assert first_tokens == 2 * schedule.bounds[:-1].tolist()


def test_shuffled_ranges(short_ranges):
    """Every epoch has all of them, in an order of its own that the seed tells."""
    corpus = random_corpus(1, sentences=200)
    config = Settings(epochs=3, shuffle=True)

    def orders(seed):
        schedule = Schedule(corpus, config, seed)
        ranges = [schedule[number] for number in range(schedule.ranges)]
        return np.array([one.first_token for one in ranges]).reshape(3, -1)

    found = orders(seed=1)
    for order in found:
        assert sorted(order) == Schedule(corpus, config, 1).bounds[:-1].tolist()
        assert abs(np.corrcoef(order, np.arange(len(order)))[0, 1]) < 0.5
    assert len({tuple(order) for order in [*found, *orders(seed=2)]}) == 6
    assert np.array_equal(orders(seed=1), found)


@pytest.mark.parametrize("shuffle", [False, True])
def test_several_ranges_are_what_each_of_them_is(shuffle, monkeypatch):
    monkeypatch.setattr(schedules, "MOST_RANGE_TOKENS", 50)
    schedule = Schedule(
        random_corpus(4, sentences=150), Settings(epochs=2, shuffle=shuffle), seed=3
    )
    first = schedule.ranges_per_epoch + 2  # in the second epoch
    last = schedule.reach(first, 200)
    ranges = [schedule[number] for number in range(first, last)]
    assert len(ranges) > 2
    assert sum(one.tokens for one in ranges) <= 200
    assert sum(schedule[number].tokens for number in range(first, last + 1)) > 200
    tokens = schedule.token_ranges(first, last)
    assert tokens.first.tolist() == [one.first_token for one in ranges]
    assert tokens.last.tolist() == [one.last_token for one in ranges]
    assert np.diff(tokens.starts).tolist() == [one.tokens for one in ranges]


def test_a_sentence_longer_than_a_range_is_cut_evenly(short_ranges):
    corpus = nl.encode([" ".join(["word", "5", "more", "7"] * 100)], min_count=1)
    schedule = Schedule(corpus, Settings(epochs=1), seed=1)
    assert {schedule[number].tokens for number in range(schedule.ranges)} == {20}

"""Blocks hold all tokens once, end with sentences and come in an order that the seed decides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.settings import Settings
from numberline.training import schedule as schedules
from numberline.training.schedule import Schedule, block_bounds
from tests.training.small_corpora import random_corpus


@pytest.fixture
def short_blocks(monkeypatch):
    monkeypatch.setattr(schedules, "MAX_BLOCK_TOKENS", 20)


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=60))
def test_blocks_cover_the_text_and_cut_only_sentences_longer_than_a_block(lengths):
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    bounds = block_bounds(offsets)
    size = max(schedules.MIN_BLOCK_TOKENS, offsets[-1] // schedules.MIN_BLOCKS)
    assert bounds[0] == 0
    assert bounds[-1] == offsets[-1]
    assert (np.diff(bounds) > 0).all()
    assert (np.diff(bounds) <= size).all()
    for cut in set(bounds.tolist()) - set(offsets.tolist()):
        sentence = np.searchsorted(offsets, cut, side="right") - 1
        assert lengths[sentence] > size


def test_blocks_are_as_large_as_allowed(short_blocks):
    assert block_bounds(np.arange(0, 101, 7)).tolist() == [*range(0, 99, 14)]
    assert block_bounds(np.array([0, 5, 50])).tolist() == [0, 5, 20, 35, 50]


def test_a_large_text_has_many_blocks_of_a_bounded_size():
    offsets = np.arange(0, 100_000_001, 1000)
    bounds = block_bounds(offsets)
    assert np.diff(bounds).max() == 16_000
    assert len(block_bounds(offsets[:1001])) > schedules.MIN_BLOCKS


def test_the_learning_rate_falls_linearly(short_blocks):
    corpus = random_corpus(1)
    schedule = Schedule(corpus, Settings(epochs=3, learning_rate=0.08))
    blocks = [schedule[number] for number in range(schedule.block_count)]
    assert [block.epoch for block in blocks] == sorted(len(blocks) // 3 * [0, 1, 2])
    rates = np.array([schedule.learning_rate(block.done) for block in blocks])
    done = np.cumsum([0, *(block.tokens for block in blocks)])
    assert rates == pytest.approx(0.08 * (1 - done[:-1] / done[-1]))
    assert done[-1] == schedule.tokens == 3 * len(corpus.ids)
    end = schedule.done_before(schedule.block_count)
    assert schedule.learning_rate(end) == pytest.approx(8e-6)


def test_every_epoch_has_all_blocks_in_an_order_that_the_seed_decides(short_blocks):
    corpus = random_corpus(1, sentences=200)

    def orders(seed):
        schedule = Schedule(corpus, Settings(epochs=3, seed=seed))
        blocks = [schedule[number] for number in range(schedule.block_count)]
        return np.array([block.first_token for block in blocks]).reshape(3, -1)

    first_seed = orders(seed=1)
    for order in first_seed:
        assert sorted(order) == Schedule(corpus, Settings()).bounds[:-1].tolist()
        assert abs(np.corrcoef(order, np.arange(len(order)))[0, 1]) < 0.5
    assert len({tuple(order) for order in [*first_seed, *orders(seed=2)]}) == 6
    assert np.array_equal(orders(seed=1), first_seed)


def test_a_launch_holds_as_many_blocks_as_fit(monkeypatch):
    monkeypatch.setattr(schedules, "MAX_BLOCK_TOKENS", 50)
    schedule = Schedule(random_corpus(4, sentences=150), Settings(epochs=2, seed=3))
    first = schedule.blocks_per_epoch + 2  # in the second epoch
    last = schedule.end_of_launch(first, 200)
    blocks = [schedule[number] for number in range(first, last)]
    assert len(blocks) > 2
    assert sum(block.tokens for block in blocks) <= 200
    assert sum(schedule[number].tokens for number in range(first, last + 1)) > 200
    bounds = schedule.bounds_of(first, last)
    assert bounds.first.tolist() == [block.first_token for block in blocks]
    assert bounds.last.tolist() == [block.last_token for block in blocks]
    assert np.diff(bounds.starts).tolist() == [block.tokens for block in blocks]


def test_a_launch_holds_at_least_one_block_and_ends_with_the_epoch(short_blocks):
    schedule = Schedule(random_corpus(4), Settings(epochs=2))
    assert schedule.end_of_launch(3, 1) == 4
    assert schedule.end_of_launch(3, 10**9) == schedule.blocks_per_epoch


def test_a_sentence_longer_than_a_block_is_cut_evenly(short_blocks):
    corpus = nl.encode([" ".join(["word", "5", "more", "7"] * 100)], min_count=1)
    schedule = Schedule(corpus, Settings(epochs=1))
    assert {schedule[number].tokens for number in range(schedule.block_count)} == {20}

"""Blocks: all tokens once, cut at sentence ends, within their limits."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.config import TrainingConfig
from numberline.training.schedule import Schedule, block_bounds, numerals_of_sentences
from tests.training.small_corpora import random_corpus

sentences = st.lists(
    st.integers(1, 30).flatmap(lambda length: st.tuples(st.just(length), st.integers(0, length))),
    min_size=1,
    max_size=40,
)


@given(sentences, st.integers(1, 50), st.integers(1, 20))
def test_bounds(lengths_and_numerals, most_tokens, most_numerals):
    lengths, numerals = (np.array(part) for part in zip(*lengths_and_numerals, strict=True))
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    bounds = block_bounds(offsets, numerals, most_tokens, most_numerals)
    assert bounds[0] == 0
    assert bounds[-1] == offsets[-1]
    assert (np.diff(bounds) > 0).all()
    assert (np.diff(bounds) <= most_tokens).all()
    reached = np.concatenate([[0], np.cumsum(numerals)])
    for first, last in pairwise(bounds):
        start, end = np.searchsorted(offsets, [first, last])
        if offsets[start] == first and offsets[end] == last:
            held = reached[end] - reached[start]
            assert end - start == 1 or held <= most_numerals
        else:  # within a sentence, which must have been too long
            sentence = np.searchsorted(offsets, first, side="right") - 1
            assert lengths[sentence] > most_tokens or numerals[sentence] > most_numerals


def test_blocks_are_as_large_as_they_may_be():
    offsets = np.arange(0, 101, 10)
    assert block_bounds(offsets, np.zeros(10, int), 30, 5).tolist() == [0, 30, 60, 90, 100]
    assert block_bounds(offsets, np.full(10, 2), 30, 5).tolist() == list(range(0, 101, 20))


def test_numerals_are_counted(monkeypatch):
    from numberline.training import schedule

    corpus = random_corpus(2)
    words = len(corpus.vocabulary.words)
    expected = [int((sentence >= words).sum()) for sentence in corpus]
    assert numerals_of_sentences(corpus).tolist() == expected
    for tokens in (1, 7, len(corpus.ids) - 1, len(corpus.ids)):
        monkeypatch.setattr(schedule, "TOKENS_AT_A_TIME", tokens)
        assert numerals_of_sentences(corpus).tolist() == expected


@pytest.mark.parametrize("shuffle", [False, True])
def test_learning_rate_falls_in_a_straight_line(shuffle):
    corpus = random_corpus(1)
    config = TrainingConfig(epochs=3, block_tokens=20, learning_rate=0.08, shuffle=shuffle)
    schedule = Schedule(corpus, config, seed=1)
    blocks = [schedule[number] for number in range(schedule.blocks)]
    assert [block.epoch for block in blocks] == sorted(len(blocks) // 3 * [0, 1, 2])
    rates = np.array([schedule.learning_rate(block) for block in blocks])
    begun = np.cumsum([0, *(block.tokens for block in blocks)])
    assert rates == pytest.approx(0.08 * (1 - begun[:-1] / begun[-1]))
    assert begun[-1] == schedule.tokens == 3 * len(corpus.ids)
    for block in blocks:
        assert corpus.sentence_offsets[block.first_sentence] <= block.first_token
        assert corpus.sentence_offsets[block.last_sentence] >= block.last_token


def test_in_the_order_of_the_text():
    corpus = random_corpus(1)
    config = TrainingConfig(epochs=2, block_tokens=20, shuffle=False)
    schedule = Schedule(corpus, config, seed=1)
    first_tokens = [schedule[number].first_token for number in range(schedule.blocks)]
    assert first_tokens == 2 * schedule.bounds[:-1].tolist()


def test_shuffled_blocks():
    """Every epoch has all of them, in an order of its own that the seed tells."""
    corpus = random_corpus(1, sentences=200)
    config = TrainingConfig(epochs=3, block_tokens=20, shuffle=True)

    def orders(seed):
        schedule = Schedule(corpus, config, seed)
        blocks = [schedule[number] for number in range(schedule.blocks)]
        return np.array([block.first_token for block in blocks]).reshape(3, -1)

    found = orders(seed=1)
    for order in found:
        assert sorted(order) == Schedule(corpus, config, 1).bounds[:-1].tolist()
        assert abs(np.corrcoef(order, np.arange(len(order)))[0, 1]) < 0.5
    assert len({tuple(order) for order in [*found, *orders(seed=2)]}) == 6
    assert np.array_equal(orders(seed=1), found)


@pytest.mark.parametrize("shuffle", [False, True])
def test_several_blocks_are_what_each_of_them_is(shuffle):
    corpus = random_corpus(4, sentences=150)
    config = TrainingConfig(epochs=2, block_tokens=50, shuffle=shuffle)
    schedule = Schedule(corpus, config, seed=3)
    is_numeral = corpus.ids >= len(corpus.vocabulary.words)
    first = schedule.blocks_per_epoch + 2  # in the second epoch
    last = schedule.reach(first, 200)
    blocks = [schedule[number] for number in range(first, last)]
    assert len(blocks) > 2
    assert sum(block.tokens for block in blocks) <= 200
    assert sum(schedule[number].tokens for number in range(first, last + 1)) > 200
    ranges, summary = schedule.ranges(first, last), schedule.summary(first, last)
    assert ranges.first.tolist() == [block.first_token for block in blocks]
    assert ranges.last.tolist() == [block.last_token for block in blocks]
    assert np.diff(ranges.starts).tolist() == [block.tokens for block in blocks]
    assert summary.tokens.tolist() == [block.tokens for block in blocks]
    held = [is_numeral[block.first_token : block.last_token].sum() for block in blocks]
    assert summary.numerals == pytest.approx(held)
    assert summary.rates == pytest.approx([schedule.learning_rate(block) for block in blocks])


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("most_numerals", [1, 2.5, 40, 1000])
def test_parts_of_a_block(most_numerals, shuffle):
    """They follow each other, end with sentences where some end, and hold their share."""
    corpus = random_corpus(5, sentences=200)
    config = TrainingConfig(block_tokens=300, epochs=2, shuffle=shuffle)
    schedule = Schedule(corpus, config, seed=1)
    ends = set(corpus.sentence_offsets.tolist())
    words, cut = len(corpus.vocabulary.words), 0
    for number in range(schedule.blocks):
        block = schedule[number]
        parts = schedule.parts(block, most_numerals)
        assert [part.part for part in parts] == list(range(len(parts)))
        bounds = [parts[0].first_token, *(part.last_token for part in parts)]
        assert bounds[0] == block.first_token
        assert bounds[-1] == block.last_token
        assert [part.first_token for part in parts[1:]] == bounds[1:-1]
        assert all(part.tokens > 0 and part.number == number for part in parts)
        done = [part.done_share for part in parts]
        before = np.array(bounds[:-1]) - block.first_token
        assert done == pytest.approx(block.done_share + before / schedule.tokens)
        numerals = int((corpus.ids[block.first_token : block.last_token] >= words).sum())
        assert len(parts) <= max(1, np.ceil(numerals / most_numerals))
        if most_numerals == 1000:
            assert parts == [block]
        cut += sum(bound not in ends for bound in bounds)
    if most_numerals >= 40:
        assert cut == 0


def test_parts_of_a_sentence_longer_than_a_block():
    corpus = nl.encode([" ".join(["word", "5", "more", "7"] * 100)], min_count=1)
    schedule = Schedule(corpus, TrainingConfig(epochs=1), seed=1)
    parts = schedule.parts(schedule[0], 10)
    assert [part.tokens for part in parts] == [20] * 20

"""How many numerals a block may hold, and all threads together."""

import itertools

import numpy as np
import pytest

import numberline as nl
from numberline.config import EncoderConfig, TrainingConfig
from numberline.demo.conversation import chat
from numberline.errors import NumberlineWarning
from numberline.numerals.registry import fit_encoder
from numberline.training.numerals import (
    PART_TOKENS,
    BlockNumerals,
    growth_of_pull,
    numeral_share,
)
from numberline.training.plan import CENTRES_PER_DRAW, Sampling, plan_windows
from tests.training.small_corpora import random_corpus


def pulls(corpus, config):
    """How often numerals are told from others, counted in a plan."""
    vocabulary, tokens = corpus.vocabulary, len(corpus.ids)
    groups = np.arange(len(vocabulary.numeral_values), dtype=np.int32)
    sampling = Sampling.of(vocabulary, tokens, groups, config)
    plan = plan_windows(corpus.ids, [tokens], 0, tokens, sampling, 3)
    told = sum(row < 0 for row in plan.output_rows)
    for place in range(len(plan.output_rows)):
        told += sum(row < 0 for row in plan.negative_rows[place // CENTRES_PER_DRAW])
    return told


@pytest.mark.parametrize("share", [0.05, 0.5])
@pytest.mark.parametrize("numeral_negatives", [2, 5])
def test_numerals_pull_about_as_often_as_a_plan_says(share, numeral_negatives):
    random = np.random.default_rng(1)
    kinds = random.random(10_000) < share
    numbers, letters = random.integers(0, 30, (2, len(kinds)))
    said = [
        str(number) if is_numeral else f"word{chr(97 + letter % 26)}"
        for is_numeral, number, letter in zip(kinds, numbers, letters, strict=True)
    ]
    corpus = nl.encode([said], min_count=1)
    some, none = (
        TrainingConfig(sample=0, numeral_negatives=count) for count in (numeral_negatives, 0)
    )
    found = pulls(corpus, some) / pulls(corpus, none)
    growth = growth_of_pull(some, corpus.vocabulary)
    # Some of those would have been numerals anyway.
    assert found < growth * 1.03
    assert found > growth * (1 - share) * 0.97


def numerals_of(vocabulary, encoder_name, **settings):
    counts = vocabulary.numeral_counts.astype(float)
    config, rng = EncoderConfig(encoder=encoder_name), np.random.default_rng(1)
    encoder = fit_encoder(config, vocabulary.numeral_values, counts, rng)
    return BlockNumerals(encoder, vocabulary, TrainingConfig(**settings))


def test_blocks_hold_fewer_numerals_where_those_pull_more():
    vocabulary = random_corpus(3).vocabulary
    most = {
        count: numerals_of(vocabulary, "gmm", numeral_negatives=count, block_load=10).most_per_block
        for count in (0, 2)
    }
    growth = growth_of_pull(TrainingConfig(numeral_negatives=2), vocabulary)
    assert growth > 1.3
    assert most[0] / most[2] == pytest.approx(growth, rel=0.02)


@pytest.mark.parametrize(("encoder_name", "is_kept"), [("multiscale", True), ("som", False)])
def test_what_is_known_of_many_numerals_is_kept_if_it_is_little(encoder_name, is_kept):
    """multiscale has a thousand prototypes and few weights each, som 112, and a weight for each."""
    lines = [f"{number * 7} of {number * 3.5}" for number in range(200_000)]
    if encoder_name == "multiscale":
        lines = lines[:20_000]
    numerals = numerals_of(nl.encode(lines, min_count=1).vocabulary, encoder_name)
    kept = [isinstance(one, np.ndarray) for one in numerals.prepared.values()]
    assert kept == [not is_kept, not is_kept]


def test_a_text_without_numerals():
    with pytest.warns(NumberlineWarning, match="no numerals"):
        corpus = nl.encode(["no numbers here at all"], min_count=1)
    assert growth_of_pull(TrainingConfig(), corpus.vocabulary) == 1


def test_threads_share_what_one_might_hold():
    numerals = numerals_of(random_corpus(3).vocabulary, "gmm")
    alone = numerals.most_at_once(1)
    assert round(alone) == numerals.most_per_block
    # What moves a numeral itself counts too, in other threads: a little less than half, and so on.
    for threads in (2, 5, 40):
        assert 0.3 * alone / threads < numerals.most_at_once(threads) < alone / threads


def test_a_numeral_alone_is_held_by_several_threads():
    """Nothing is shared between numerals as words, but each of them between threads."""
    numerals = numerals_of(random_corpus(3).vocabulary, "token")
    assert numerals.most_per_block is None
    assert numerals.most_at_once(1) == np.inf
    assert numerals.most_at_once(2) == pytest.approx(2 * numerals.most_at_once(3))


def test_text_full_of_numbers_is_trained_by_few_threads():
    vocabulary = random_corpus(3).vocabulary
    assert numerals_of(vocabulary, "gmm").worthwhile_threads(64) == 1
    assert numerals_of(vocabulary, "gmm", learning_rate=1e-4).worthwhile_threads(64) > 8
    for rate in (1e-4, 1e-3):
        numerals = numerals_of(vocabulary, "gmm", learning_rate=rate)
        few = numerals.worthwhile_threads(1000)
        part, more = (
            numerals.most_at_once(count) / numeral_share(vocabulary) for count in (few, few + 1)
        )
        assert part >= PART_TOKENS * few
        assert more < PART_TOKENS * (few + 1)
    assert numerals_of(vocabulary, "fixed").worthwhile_threads(64) == 64


@pytest.mark.parametrize("encoder_name", ["gmm", "token"])
def test_many_threads_learn_as_well_as_one(encoder_name):
    """Blocks of numerals in many threads at once would overshoot, or diverge."""
    lines = [message.text for message in itertools.islice(chat(1), 30_000)]
    corpus = nl.encode(lines, min_count=5)
    settings = {"dim": 32, "epochs": 3, "learning_rate": 0.07, "encoder": encoder_name}
    for seed in (1, 2, 3):
        alone, many = (
            nl.train(corpus, seed=seed, threads=threads, **settings).training["loss"]
            for threads in (1, 16)
        )
        assert many < 1.02 * alone

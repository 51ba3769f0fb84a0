"""How many numerals a block may hold."""

import numpy as np
import pytest

import numberline as nl
from numberline.config import EncoderConfig, TrainingConfig
from numberline.encoders.registry import fit_encoder
from numberline.errors import NumberlineWarning
from numberline.training.numerals import BlockNumerals, growth_of_pull
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


def test_blocks_hold_fewer_numerals_where_those_pull_more():
    corpus = random_corpus(3)
    vocabulary = corpus.vocabulary
    counts = vocabulary.numeral_counts.astype(float)
    rng = np.random.default_rng(1)
    encoder = fit_encoder(EncoderConfig(encoder="gmm"), vocabulary.numeral_values, counts, rng)
    most = {}
    for count in (0, 2):
        config = TrainingConfig(numeral_negatives=count, block_load=10)
        most[count] = BlockNumerals(encoder, vocabulary, config).most_per_block
    growth = growth_of_pull(TrainingConfig(numeral_negatives=2), vocabulary)
    assert growth > 1.3
    assert most[0] / most[2] == pytest.approx(growth, rel=0.02)


def test_a_text_without_numerals():
    with pytest.warns(NumberlineWarning, match="no numerals"):
        corpus = nl.encode(["no numbers here at all"], min_count=1)
    assert growth_of_pull(TrainingConfig(), corpus.vocabulary) == 1

"""Gaps: which numerals become one, which tokens are kept around it, and how texts are sampled."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import EvaluationDataError
from numberline.evaluation.gaps import (
    REACH,
    Gap,
    gap_at,
    gaps_of,
    lonely_numerals,
    sample_gaps,
)
from numberline.reading.corpus import open_corpus
from numberline.settings import TextSettings


def sampled(lines, count, seed=1, alone_within=5):
    random = np.random.default_rng(seed)
    return sample_gaps(open_corpus(lines), count, random, TextSettings(), alone_within)


def texts_of(gap):
    left, right = ([token.text for token in side] for side in gap[:2])
    return left, right, gap.value


def test_a_gap_keeps_the_tokens_around_it():
    tokens = nl.tokenize("It cost $5 in 1990")
    assert gap_at(tokens, 3) == Gap(tokens[:3], tokens[4:], 5.0)
    far = nl.tokenize("a " * 100 + "7" + " b" * 100)
    assert gap_at(far, 100) == Gap(far[100 - REACH : 100], far[101 : 101 + REACH], 7.0)


@given(st.lists(st.sampled_from(["a", "7"]), max_size=30), st.integers(0, 8))
def test_a_lonely_numeral_has_no_other_one_near(words, alone_within):
    def is_lonely(index):
        near = words[max(0, index - alone_within) : index + alone_within + 1]
        return words[index] == "7" and near.count("7") == 1

    lonely = lonely_numerals(nl.tokenize(" ".join(words)), alone_within)
    assert lonely == [index for index in range(len(words)) if is_lonely(index)]


def test_every_sentence_is_equally_likely():
    lines = [f"{number} cats" for number in range(10)] + ["no numeral", "1 or 2", "covid-19"] * 20
    drawn = [gap.value for seed in range(200) for gap in sampled(lines, 3, seed)]
    assert np.bincount(np.array(drawn, int), minlength=10) == pytest.approx(60, abs=25)


def test_a_smaller_sample_is_the_start_of_a_larger_one():
    lines = [f"a {number} b" for number in range(500)]
    assert sampled(lines, 9) == sampled(lines, 30)[:9]
    assert len({gap.value for gap in sampled(lines, 500)}) == 500


def test_token_lists_are_sentences():
    lists = [["a", "1,000", "b"], [], ["c", "d"]]
    (gap,) = sampled(lists, 1)
    assert texts_of(gap) == (["a"], ["b"], 1000.0)


def test_a_text_with_too_few_numerals_is_refused():
    with pytest.raises(EvaluationDataError, match=r"has 1 sentences .* but 2 are needed"):
        sampled(["just 1", "from 2 to 3"], 2)


def test_numerals_are_read_with_the_settings_of_the_text():
    text = TextSettings(decimal_comma=True)
    (gap,) = gaps_of(["um 1.234,5 Euro", "nichts"], np.random.default_rng(1), text)
    assert texts_of(gap) == (["um"], ["euro"], 1234.5)

"""Gaps: which numerals become one, what is kept around them, and samples that any text gives."""

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


def test_a_gap_keeps_what_is_around_it():
    tokens = nl.tokenize("It cost $5 in 1990")
    assert gap_at(tokens, 3) == Gap(["it", "cost", "$"], ["in", 1990.0], 5.0)
    far = nl.tokenize("a " * 100 + "7" + " b" * 100)
    assert gap_at(far, 100) == Gap(["a"] * REACH, ["b"] * REACH, 7.0)


@given(st.lists(st.sampled_from(["a", "7"]), max_size=30), st.integers(0, 8))
def test_a_lonely_numeral_has_no_other_one_near(words, alone_within):
    def is_lonely(place):
        near = words[max(0, place - alone_within) : place + alone_within + 1]
        return words[place] == "7" and near.count("7") == 1

    found = lonely_numerals(nl.tokenize(" ".join(words)), alone_within)
    assert found == [place for place in range(len(words)) if is_lonely(place)]


def test_every_sentence_is_as_likely():
    lines = [f"{number} cats" for number in range(10)] + ["no numeral", "1 or 2", "covid-19"] * 20
    drawn = [gap.value for seed in range(200) for gap in sampled(lines, 3, seed)]
    assert np.bincount(np.array(drawn, int), minlength=10) == pytest.approx(60, abs=25)


def test_fewer_gaps_of_a_seed_are_the_first_of_more():
    lines = [f"a {number} b" for number in range(500)]
    assert sampled(lines, 9) == sampled(lines, 30)[:9]
    assert len({gap.value for gap in sampled(lines, 500)}) == 500


def test_token_lists_are_sentences_too():
    lists = [["a", "1,000", "b"], [], ["c", "d"]]
    assert sampled(lists, 1) == [Gap(["a"], ["b"], 1000.0)]


def test_a_text_with_too_few_numerals_is_refused():
    with pytest.raises(EvaluationDataError, match=r"has 1 sentences .* but 2 are asked for"):
        sampled(["just 1", "from 2 to 3"], 2)


def test_other_texts_other_numerals():
    text = TextSettings(decimal_comma=True)
    gaps = gaps_of(["um 1.234,5 Euro", "nichts"], np.random.default_rng(1), text)
    assert list(gaps) == [Gap(["um"], ["euro"], 1234.5)]

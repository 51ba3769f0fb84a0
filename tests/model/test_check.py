"""Odd numerals are flagged and fitting ones are not, whether the corpus had them or not."""

import math

import numpy as np
import pytest

from numberline.errors import ConfigError, ContextError
from numberline.model.contexts import context_rows, contexts_of
from numberline.model.distribution import NumeralDistribution
from numberline.model.gaps import gaps_between

SMALL, LARGE = "small box holds {} pens", "big hall seats {} people"


@pytest.mark.parametrize(
    ("text", "numeral", "is_odd"),
    [
        (SMALL, "7", False),
        (SMALL, "7.25", False),
        (SMALL, "5000", True),
        (SMALL, "4,321.5", True),
        (LARGE, "5000", False),
        (LARGE, "4,321.5", False),
        (LARGE, "7", True),
        (LARGE, "7.25", True),
    ],
)
def test_a_number_that_does_not_fit_is_odd(planted_model, text, numeral, is_odd):
    (found,) = planted_model.check(text.format(numeral))
    assert found.is_odd is is_odd
    assert (found.lift < 0.1) is is_odd
    assert bool(found.better) is is_odd


def test_a_fitting_number_has_the_higher_lift_and_percentile(planted_model):
    for text in (SMALL, LARGE):
        (small,), (large,) = (planted_model.check(text.format(value)) for value in (7.25, 4321.5))
        assert (small.lift > large.lift) is (text == SMALL)
        assert (small.percentile > large.percentile) is (text == SMALL)


def test_better_values_are_likely_here(planted_model):
    (found,) = planted_model.check(SMALL.format(5000))
    assert len(found.better) == 3
    assert all(value < 20 for value in found.better)
    (found,) = planted_model.check(LARGE.format(7))
    assert all(2000 <= value <= 9000 for value in found.better)
    assert found.interval[0] >= 1
    assert found.interval[1] <= 9000


def test_words_go_with_the_number_and_its_context(planted_model):
    model = planted_model
    text = "small 7.25 pens"
    (found,) = model.check(text)
    gaps = gaps_between(model.lookup, [(["small"], ["pens"])])
    rows = context_rows(model, contexts_of(model, gaps))
    told = model.vector(7.25) + rows.input[0]
    counts = dict(zip(model.words, model.vocabulary.word_counts, strict=True))
    others = [word for word in model.words if word not in ("small", "pens")]
    others.sort(key=lambda w: -(model.vector(w, "output") @ told + 0.5 * np.log(counts[w])))
    assert found.words == others[: len(found.words)]
    assert len(found.words) == 6


def test_likely_values_are_apart():
    values = np.array([100.0, 101.0, 102.0, 200.0, 300.0, 400.0])
    found = NumeralDistribution(values, np.array([0.2, 0.3, 0.25, 0.1, 0.15, 0.0]))
    assert found.likely() == [101, 300, 200]
    assert NumeralDistribution(values[:3], np.array([0.3, 0.4, 0.3])).likely() == [101]
    with pytest.raises(ConfigError, match="count='x'"):
        found.likely("x")


def test_numerals_are_found_with_their_characters(planted_model):
    text = "  Small box: holds 4,321.5 pens; big hall seats −7½ people (12%)\n"
    found = planted_model.check(text)
    assert [numeral.text for numeral in found] == ["4,321.5", "−7½", "12"]
    assert [text[numeral.start : numeral.end] for numeral in found] == ["4,321.5", "−7½", "12"]
    assert [numeral.value for numeral in found] == [4321.5, -7.5, 12]


def test_a_numeral_is_no_context_of_its_own(planted_model):
    (alone,) = planted_model.check("7")
    assert math.isnan(alone.lift)
    beside = planted_model.check("7 7")
    assert not math.isnan(beside[0].lift)


def test_a_numeral_among_unknown_words_has_no_verdict(planted_model):
    (found,) = planted_model.check("unheard 7 unseen")
    assert math.isnan(found.lift)
    assert math.isnan(found.percentile)
    assert (found.is_odd, found.better, found.interval, found.words) == (False, [], None, [])


@pytest.mark.parametrize("text", ["", " \n", "small box", "___"])
def test_a_text_without_numerals_has_nothing_to_check(planted_model, text):
    assert planted_model.check(text) == []


def test_odd_below_is_the_limit_of_lift(planted_model):
    (found,) = planted_model.check(SMALL.format(7))
    assert planted_model.check(SMALL.format(7), found.lift * 1.01)[0].is_odd
    assert not planted_model.check(SMALL.format(7), found.lift)[0].is_odd
    assert not planted_model.check(SMALL.format(5000), 0)[0].is_odd
    for limit in (-1, math.nan, "x", True, [0.3]):
        with pytest.raises(ConfigError, match=r"odd_below=.* it must be a number 0 or more"):
            planted_model.check("7", limit)


def test_numerals_of_a_long_text_are_checked_like_those_of_a_short_one(planted_model):
    alone = planted_model.check("fillerab " * 8 + SMALL.format(5000) + " fillerab" * 8)
    found = planted_model.check((SMALL.format(5000) + " fillerab" * 8 + " unheard ") * 50)
    assert len(found) == 50
    assert [numeral.lift for numeral in found[1:]] == pytest.approx([alone[0].lift] * 49)


def test_anything_but_a_string_is_refused(planted_model):
    with pytest.raises(ContextError, match="check reads a string, not 5"):
        planted_model.check(5)

"""Odd numerals are flagged and fitting ones are not, whether the corpus had them or not."""

import math
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import ConfigError, ContextError, NumberlineWarning
from numberline.model import check
from numberline.model.check import ODD_ABOVE, scaled, with_one_hidden, words_around
from numberline.model.distribution import NumeralDistribution
from numberline.model.gaps import numerals_as_gaps
from numberline.model.judged import Verdicts, ids_around
from tests.training.small_corpora import planted

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
    assert (found.probability_wrong > ODD_ABOVE) is is_odd
    assert bool(found.better) is is_odd
    assert bool(found.against) is is_odd


def test_a_fitting_number_has_the_higher_lift_and_percentile(planted_model):
    for text in (SMALL, LARGE):
        (small,), (large,) = (planted_model.check(text.format(value)) for value in (7.25, 4321.5))
        assert (small.lift > large.lift) is (text == SMALL)
        assert (small.percentile > large.percentile) is (text == SMALL)


def test_words_against_are_the_same_however_many_numbers_are_judged_at_once(
    planted_model, monkeypatch
):
    text = " ".join([SMALL.format(5000), LARGE.format(7)] * 3)
    at_once = [one.against for one in planted_model.check(text)]
    assert all(at_once)
    for count in (1, 2):
        monkeypatch.setattr(check, "ODD_AT_A_TIME", count)
        assert [one.against for one in planted_model.check(text)] == at_once


def test_better_values_are_likely_here(planted_model):
    (found,) = planted_model.check(SMALL.format(5000))
    assert len(found.better) == 3
    assert all(value < 20 for value, _ in found.better)
    assert found.interval[0] >= 1
    assert found.interval[1] < 2000
    (found,) = planted_model.check(LARGE.format(7))
    assert all(2000 <= value <= 9000 for value, _ in found.better)
    assert found.interval[0] >= 2000
    assert found.interval[1] <= 9000


def test_better_values_and_the_interval_are_those_of_a_gap(planted_model):
    (found,) = planted_model.check(SMALL.format(5000))
    expected = planted_model.predict(SMALL.format("___"))
    assert [value for value, _ in found.better] == expected.likely()
    likely = [probability for _, probability in expected.likely_numbers()]
    assert [probability for _, probability in found.better] == pytest.approx(likely)
    assert found.interval == expected.interval()


def test_words_that_tell_the_size_speak_against_a_wrong_one(planted_model):
    for text, words in ((SMALL, "small box holds pens"), (LARGE, "big hall seats people")):
        wrong = 5000 if text == SMALL else 7
        (found,) = planted_model.check("fillerab " + text.format(wrong) + " fillercd")
        assert found.against[0] in words.split()


def test_likely_values_are_apart():
    values = np.array([100.0, 101.0, 102.0, 200.0, 300.0, 400.0])
    in_general = np.array([0.1, 0.1, 0.2, 0.2, 0.2, 0.2])
    found = NumeralDistribution(values, np.array([0.2, 0.3, 0.25, 0.1, 0.15, 0.0]), in_general)
    assert found.likely() == [101, 300, 200]
    assert found.likely_numbers() == [(101, 0.75), (300, 0.15), (200, 0.1)]
    assert found.mode == 101
    assert found.lifts == pytest.approx([2, 3, 1.25, 0.5, 0.75, 0])
    three = NumeralDistribution(values[:3], np.array([0.3, 0.4, 0.3]), np.full(3, 1 / 3))
    assert three.likely() == [101]
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
    assert math.isnan(found.probability_wrong)
    assert (found.is_odd, found.better, found.interval, found.against) == (False, [], None, [])


@pytest.mark.parametrize("text", ["", " \n", "small box", "___"])
def test_a_text_without_numerals_has_nothing_to_check(planted_model, text):
    assert planted_model.check(text) == []


def test_odd_above_is_the_limit_of_the_probability_that_a_number_is_wrong(planted_model):
    (found,) = planted_model.check(SMALL.format(7))
    assert planted_model.check(SMALL.format(7), found.probability_wrong * 0.99)[0].is_odd
    assert not planted_model.check(SMALL.format(7), found.probability_wrong * 1.01)[0].is_odd
    assert not planted_model.check(SMALL.format(5000), 1)[0].is_odd
    assert planted_model.check(SMALL.format(7), 0)[0].is_odd
    for limit in (-0.1, 1.1, math.nan, "x", True, [0.3]):
        with pytest.raises(
            ConfigError, match=r"odd_above=.* it must be a number 0 or more, at most 1"
        ):
            planted_model.check("7", limit)


def test_numerals_of_a_long_text_are_checked_like_those_of_a_short_one(planted_model):
    alone = planted_model.check("fillerab " * 30 + SMALL.format(5000) + " fillerab" * 30)
    found = planted_model.check((SMALL.format(5000) + " fillerab" * 30 + " unheard ") * 50)
    assert len(found) == 50
    for kind in ("lift", "probability_wrong", "percentile"):
        expected = [getattr(alone[0], kind)] * 48
        assert [getattr(numeral, kind) for numeral in found[1:-1]] == pytest.approx(
            expected, rel=1e-4
        )
    for numeral in found[1:-1]:
        assert [one.value for one in numeral.better] == [one.value for one in alone[0].better]
        chances = [one.probability for one in alone[0].better]
        assert [one.probability for one in numeral.better] == pytest.approx(chances, rel=1e-4)


def test_anything_but_a_string_is_refused(planted_model):
    with pytest.raises(ContextError, match="check reads a string, not 5"):
        planted_model.check(5)


def test_many_texts_are_checked_like_each_alone(planted_model):
    texts = [SMALL.format(7), "", "no number", "x 5", LARGE.format(7), SMALL.format("9 or 5000")]
    together = planted_model.check_all(iter(texts))
    assert [len(of_text) for of_text in together] == [1, 0, 0, 1, 1, 2]
    for text, of_text in zip(texts, together, strict=True):
        for found, alone in zip(of_text, planted_model.check(text), strict=True):
            for name, value in found._asdict().items():
                expected = getattr(alone, name)
                if isinstance(value, float):
                    assert value == pytest.approx(expected, rel=1e-4, abs=1e-6, nan_ok=True)
                elif name == "better":
                    assert [one.value for one in value] == [one.value for one in expected]
                else:
                    assert value == expected
    assert planted_model.check_all([]) == []


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        ("3 million", "3"),
        ("2.3 million", "2.3"),
        ("5k", "5"),
        ("3½ thousand", "3½"),
        ("−7 hundred", "−7"),
        ("4 lakh", "4"),
    ],
)
def test_a_magnitude_belongs_to_its_numeral(planted_model, written, bare):
    text = f"small box holds {written} pens"
    (found,) = planted_model.check(text, odd_above=0)
    assert found.text == written == text[found.start : found.end]
    assert found.value == nl.parse_numeral(written, magnitudes=True)
    factor = round(found.value / nl.parse_numeral(bare))
    (as_bare,) = planted_model.check(f"small box holds {bare} pens", odd_above=0)
    assert found.interval == pytest.approx([end * factor for end in as_bare.interval])
    values = [one.value * factor for one in as_bare.better]
    assert [one.value for one in found.better] == pytest.approx(values)


def test_metres_are_no_millions(planted_model):
    (found,) = planted_model.check("small box holds 3 m of pens")
    assert (found.text, found.value) == ("3", 3)


def test_magnitudes_are_read_as_the_model_reads_numerals(planted_model):
    settings = replace(planted_model.settings, decimal_comma=True)
    (found,) = replace(planted_model, settings=settings).check("small box holds 1,5 million pens")
    assert (found.text, found.value) == ("1,5 million", 1_500_000)


def test_points_move_without_rounding():
    assert scaled(2.3, 6) == 2_300_000
    assert scaled(0.07, 2) == 7
    assert scaled(1e308, 0) == 1e308
    assert scaled(-1e305, 6) == -sys.float_info.max


def planted_verdicts(log_odds):
    """Return a judge of planted log odds: value -> beside another visible number, and alone."""

    def judge(_, gaps, values, is_hidden):
        odds = np.empty(len(values))
        for gap, value in enumerate(values.tolist()):
            others = gaps.tokens.is_numeral & ~is_hidden
            others[gaps.starts[gap]] = False
            beside = others[gaps.text_starts[gap] : gaps.text_ends[gap]].any()
            odds[gap] = log_odds[value][0 if beside else 1]
        return Verdicts(-odds, odds, odds, np.tile([1.0, 2], (len(odds), 1)))

    return judge


def odd_numbers(model, texts):
    """Return the odd numbers of each text and all lifts; what is odd agrees with what is wrong."""
    found = model.check_all(texts)
    for one in (one for of_text in found for one in of_text):
        assert one.is_odd is (one.probability_wrong > ODD_ABOVE)
    odd = [[one.value for one in of_text if one.is_odd] for of_text in found]
    return odd, [[one.lift for one in of_text] for of_text in found]


def test_a_wrong_number_does_not_take_its_right_neighbour_with_it(planted_model, monkeypatch):
    judge = planted_verdicts({7: (4, -4), 5000: (5, 6)})
    monkeypatch.setattr("numberline.model.check.verdicts", judge)
    odd, lifts = odd_numbers(planted_model, [SMALL.format("7 and 5000"), SMALL.format(7)])
    assert odd == [[5000], []]
    assert lifts[0] == pytest.approx(np.exp([4, -6]))


def test_of_numbers_that_contradict_each_other_the_worse_is_odd(planted_model, monkeypatch):
    judge = planted_verdicts({7: (4, -4), 5000: (5, -3), 9: (4, 4)})
    monkeypatch.setattr("numberline.model.check.verdicts", judge)
    texts = [SMALL.format(one) for one in ("7 and 5000", "5000 and 7", "9 and 5000", "7, 7")]
    odd, lifts = odd_numbers(planted_model, texts)
    assert odd == [[5000], [5000], [9], [7]]
    assert lifts[0] == pytest.approx(np.exp([4, -5]))


def test_better_values_do_not_depend_on_other_suspects(planted_model, monkeypatch):
    judge = planted_verdicts(dict.fromkeys((3, 5000, 8000), (4, 4)))
    monkeypatch.setattr("numberline.model.check.verdicts", judge)
    beside = [SMALL.format(f"{other} 5000") for other in (3, 8000)]
    small, large = (of_text[1] for of_text in planted_model.check_all(beside))
    assert small.is_odd
    assert small.better == large.better


texts = st.lists(st.lists(st.sampled_from(["small", "box", "unheard", 7.0, 8.5]), max_size=7))


@given(texts=texts, data=st.data())
def test_a_copied_text_with_a_hidden_token_reads_like_the_original(planted_model, texts, data):
    read = planted_model.lookup.read_tokens(chain.from_iterable(texts))
    gaps = numerals_as_gaps(read, np.cumsum([0, *map(len, texts)]))
    is_hidden = np.array([data.draw(st.booleans()) for _ in range(len(read))], bool)
    pairs = words_around(gaps, np.arange(len(gaps)))
    chosen, tokens = np.array(pairs, np.int64).reshape(-1, 2).T
    copies, is_hidden_there = with_one_hidden(gaps, is_hidden, chosen, tokens)
    around = ids_around(copies, is_hidden_there)
    assert len(copies) == len(pairs)
    for copy, (gap, token) in enumerate(pairs):
        assert gaps.text_starts[gap] <= token < gaps.text_ends[gap]
        one_more = is_hidden.copy()
        one_more[token] = True
        assert (around[copy] == ids_around(gaps[np.array([gap])], one_more)[0]).all()


def test_numbers_of_other_texts_are_no_company(planted_model, monkeypatch):
    judge = planted_verdicts({7: (4, 4), 5000: (4, 3)})
    monkeypatch.setattr("numberline.model.check.verdicts", judge)
    odd, _ = odd_numbers(planted_model, [SMALL.format(7), SMALL.format(5000)])
    assert odd == [[7], [5000]]


def test_numbers_alone_are_odd_if_they_are_probably_wrong(planted_model):
    for found in planted_model.check_all(["7 5000", "5000 3 8000", "3 3"], odd_above=0.1):
        for one in found:
            assert one.is_odd is (one.probability_wrong > 0.1)


def test_without_a_gap_model_words_are_a_bag_and_one_warning_says_so():
    settings = {"dim": 12, "epochs": 6, "threads": 1, "min_count": 1, "sample": 0}
    model = nl.train(planted(2500), encoder="gmm", learning_rate=0.1, **settings)
    assert model.gap_model is None
    text, gap = SMALL.format(5000), SMALL.format("___")
    answers = []
    for ask in (
        lambda: model.check(text)[0],
        lambda: model.check_all([LARGE.format(7), text])[1][0],
        lambda: model.predict(gap),
        lambda: model.predict(gap, [7]),
        lambda: model.score_gaps([gap] * 3, [7, 5000]),
    ):
        with pytest.warns(NumberlineWarning, match="has no gap model") as warned:
            answers.append(ask())
        assert [Path(one.filename).name for one in warned] == ["test_check.py"]
    checked, again, expected, ranked, lifts = answers
    assert checked.is_odd
    assert checked.better == expected.likely_numbers()
    assert checked.interval == pytest.approx(expected.interval())
    assert max(expected.likely()) < 20
    assert again.lift == pytest.approx(checked.lift)
    assert lifts == pytest.approx(np.array([[ranked[0].score, checked.lift]] * 3), rel=1e-4)
    assert model.check("no number") == model.check("") == []
    assert model.predict(gap, [7], "lift")

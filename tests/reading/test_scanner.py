"""Text is split into words."""

import pytest

from numberline import tokenize
from numberline.reading.kinds import KIND_INDEX
from numberline.reading.scanner import read_tokens


def words(text, **settings):
    return [token.text for token in tokenize(text, **settings)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jeff is tall", ["jeff", "is", "tall"]),
        ("don't", ["don't"]),
        ("don\u2019t", ["don't"]),
        ("'tis the dogs' bowl", ["tis", "the", "dogs", "bowl"]),
        ("well-known", ["well", "known"]),
        ("covid-19-related", ["covid-19", "related"]),
        ("non-covid-19", ["non", "covid-19"]),
        ("covid\u201119", ["covid-19"]),
        ("new_york _x_ ___", ["new_york", "x"]),
        ("Straße ÉCOLE Ωμέγα", ["straße", "école", "ωμέγα"]),
        ("İstanbul", ["istanbul"]),
        ("cafe\u0301", ["cafe\u0301"]),
        ("❤\ufe0f yes", ["yes"]),
        ("km² co₂", ["km²", "co₂"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("a\u200bb", ["a", "b"]),
        ("e.g. U.S.", ["e", "g", "u", "s"]),
        ("and/or", ["and", "or"]),
        ("", []),
        (" \t\r\n", []),
    ],
)
def test_text_is_split_into_words(text, expected):
    assert words(text) == expected


def test_case_is_kept_if_the_setting_says_so():
    assert words("Jeff Don\u2019t", lowercase=False) == ["Jeff", "Don't"]


def test_punctuation_is_left_out():
    assert words("well-known, (yes!) 5%.") == ["well", "known", "yes", "5", "%"]


def test_tokens_have_the_start_and_end_of_their_text():
    text = "Jeff is 2,000 years old"
    jeff, _, years = tokenize(text)[:3]
    assert jeff == ("jeff", None, 0, 4, 0)
    assert years == ("2,000", 2000.0, 8, 13, KIND_INDEX["age"])


def test_no_numeral_goes_on_in_the_next_line():
    assert [token.value for token in tokenize("3\n1/2")] == [3, 0.5]


def test_tokens_split_elsewhere_stay_whole():
    tokens = read_tokens(["New York", "2,000", "-5", "5kg", "ABC"])
    assert [(token.text, token.value) for token in tokens] == [
        ("new york", None),
        ("2,000", 2000.0),
        ("-5", -5.0),
        ("5kg", None),
        ("abc", None),
    ]


def test_lone_surrogates_are_signs():
    assert words("a\ud800b") == ["a", "b"]

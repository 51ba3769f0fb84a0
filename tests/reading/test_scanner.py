"""How words are read."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numberline import tokenize
from numberline.reading.blocks import safe_cut
from numberline.reading.scanner import read_tokens
from numberline.reading.scanner import tokenize as tokenize_with
from numberline.settings import TextSettings


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
def test_words(text, expected):
    assert words(text) == expected


def test_case_is_kept_on_request():
    assert words("Jeff Don\u2019t", lowercase=False) == ["Jeff", "Don't"]


def test_punctuation_is_left_out():
    assert words("well-known, (yes!) 5%.") == ["well", "known", "yes", "5", "%"]


def test_tokens_know_where_they_stand():
    text = "Jeff is 2,000 years old"
    jeff, _, years = tokenize(text)[:3]
    assert jeff == ("jeff", None, 0, 4)
    assert years == ("2,000", 2000.0, 8, 13)


def test_lines_are_read_apart():
    assert [token.value for token in tokenize("3\n1/2")] == [3, 0.5]


def test_tokens_split_elsewhere_stay_whole():
    tokens = read_tokens(["New York", "2,000", "-5", "5kg", "ABC"])
    assert [(token.text, token.value) for token in tokens] == [
        *[("new york", None), ("2,000", 2000.0), ("-5", -5.0), ("5kg", None), ("abc", None)]
    ]


def test_lone_surrogates_are_signs():
    assert words("a\ud800b") == ["a", "b"]


# Pieces between which rules look back and forth, to make cuts dangerous.
PIECES = (
    "3 1/2 million|twenty|five|and|a|hundred| |-|-2|word|covid-|19|½|$|%|x|.|,|'|\"|中文|۳|−5|é|"
    "8 |1/2|1⁄2|⁄3|lakh|crore|bn|EUR|Kr5,000|_five|3a|\u00a0|234|；|#|\t|T12:30"
).split("|")


@given(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.sampled_from(["", "magnitudes", "number_words"]),
    st.integers(0, 10),
    st.integers(0, 10),
)
@settings(max_examples=2000)
@example("Chinese, 中文字 and no blank", "", 10, 0)
@example("of size 8 1⁄2", "", 0, 2)
@example("it is 3 lakh crore", "magnitudes", 0, 0)
def test_a_safe_cut_changes_no_token(text, option, before, after):
    """The tail of a line may begin and end anywhere, also within a character."""
    config = TextSettings(**({option: True} if option else {}))
    data = text.encode()
    cut = safe_cut(data[before : max(before, len(data) - after)])
    if cut is None:
        return
    left, right = data[: before + cut].decode(), data[before + cut :].decode()
    whole = [(token.text, token.value) for token in tokenize_with(text, config)]
    halves = [
        (token.text, token.value) for half in (left, right) for token in tokenize_with(half, config)
    ]
    assert halves == whole
    assert left
    assert right


def test_a_safe_cut_is_found_in_ordinary_text():
    text = "the quick brown fox costs 3 million bn"
    assert safe_cut(text.encode()) == len("the quick brown fox costs ")
    assert safe_cut(b"11 22 33 44 55") == len("11 22 33 ")
    assert safe_cut(b"11 22 33 1/2 44/55") == len("11 22 ")
    assert safe_cut(b"1.5, 2.5, 3.5.") == len("1.5, 2.5, ")
    assert safe_cut("中文字，文中字，中文字。文中".encode()) == len("中文字，文中字，".encode())
    assert safe_cut(b"1,2,3,4,5,6,7,8,9,10") is None

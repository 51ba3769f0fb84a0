"""What a token is: the short way to plain numbers, repeats, words before numerals, refusals."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import ConfigError, TokensError, UnknownWordError
from numberline.model.lookup import NUMERAL, UNKNOWN, Lookup
from numberline.reading.scanner import parse_numeral
from numberline.settings import TextSettings

WAYS_TO_READ = [
    TextSettings(lowercase, False, magnitudes, number_words, decimal_comma)
    for lowercase, magnitudes, number_words, decimal_comma in product([True, False], repeat=4)
]
DIGITS = st.text("0123456789", min_size=1, max_size=20)
NUMBER_LIKE = st.one_of(
    DIGITS,
    st.builds("{}.{}".format, DIGITS, DIGITS),
    st.from_regex(r"[0-9]{1,4}([.,' ][0-9]{1,4}){1,2}", fullmatch=True),
    st.text("0123456789.,- eE+½٣\n", max_size=20),
)


def lookup(words=(), text=WAYS_TO_READ[0], has_numerals=True):
    ids = {word: id for id, word in enumerate(words)}
    return Lookup(list(words), ids, text, has_numerals)


@given(NUMBER_LIKE, st.sampled_from(WAYS_TO_READ))
def test_plain_numbers_are_read_as_defined(token, text):
    assert lookup(text=text).value_of(token) == parse_numeral(token, text)


@pytest.mark.parametrize(
    ("token", "text", "value"),
    [
        ("007", TextSettings(), 7),
        ("0.50", TextSettings(), 0.5),
        ("1.234", TextSettings(), 1.234),
        ("1,234", TextSettings(), 1234),
        ("1.234", TextSettings(decimal_comma=True), 1234),
        ("1.5", TextSettings(decimal_comma=True), 1.5),
        ("1,5", TextSettings(decimal_comma=True), 1.5),
        ("9" * 15, TextSettings(), float("9" * 15)),
        ("9" * 400, TextSettings(), None),
        ("5\n", TextSettings(), 5),
        ("٣", TextSettings(), 3),
        ("Twenty-five", TextSettings(number_words=True), 25),
        ("twenty-five", TextSettings(), None),
        ("5k", TextSettings(magnitudes=True), 5000),
    ],
)
def test_some_values(token, text, value):
    assert lookup(text=text).value_of(token) == value


def test_a_word_is_found_before_a_numeral():
    words = lookup(["five", "5"])
    assert words.read("5") == (1, 0.0)
    assert words.read(5) == (NUMERAL, 5.0)
    assert words.find(["5", 5, "05"]).ids.tolist() == [1, NUMERAL, NUMERAL]


def test_case():
    words = ["us", "US"]
    assert lookup(words).find(["us", "US", "Us"]).ids.tolist() == [0, 1, 0]
    cased = lookup(words, TextSettings(lowercase=False))
    assert cased.find(["us", "US", "Us"]).ids.tolist() == [0, 1, UNKNOWN]


@given(st.lists(st.one_of(st.sampled_from(["few", "Few", "5", "5.0", "?"]), st.floats())))
def test_a_batch_is_its_tokens_one_by_one(tokens):
    words = lookup(["few", "many"])
    found, values = words.find(tokens), []
    for token, id in zip(tokens, found.ids.tolist(), strict=True):
        own_id, value = words.read(token)
        assert id == own_id
        if id == NUMERAL:
            values.append(value)
    assert found.values.tolist() == values


def test_every_distinct_token_is_read_once(monkeypatch):
    read = []
    monkeypatch.setattr(Lookup, "read", lambda _, token: read.append(token) or (UNKNOWN, 0.0))
    lookup().find(["5", "x", "5", 5, 5.0, "x"] * 3)
    assert read == ["5", "x", 5]


def test_equal_numbers_are_one(planted_model):
    one = [
        1,
        1.0,
        True,
        np.int8(1),
        np.float32(1),
        np.float64(1),
        Decimal(1),
        Fraction(1),
        "1",
        "１",
    ]
    rows = planted_model.vectors(one)
    assert (rows == rows[0]).all()
    assert (rows[0] != planted_model[2]).any()


@pytest.mark.parametrize("token", [None, b"5", 1j, ["few"], ("few",), np.zeros(12)])
def test_neither_word_nor_number(planted_model, token):
    with pytest.raises(TokensError, match="neither a word nor a number"):
        planted_model.vectors(["few", token])
    assert token not in planted_model


@pytest.mark.parametrize("token", [10**400, -(10**400), float("nan"), float("inf")])
def test_numbers_that_are_not_finite(planted_model, token):
    with pytest.raises(UnknownWordError, match="it is no finite number"):
        planted_model[token]
    assert token not in planted_model


def test_unknown_words_among_known_ones(planted_model):
    tokens = ["unheard", "few", "7", "unheard"]
    for side in ("input", "output"):
        known = planted_model.vectors(["few", "7"], side)
        zero = planted_model.vectors(tokens, side, "zero")
        mean = planted_model.vectors(tokens, side, "mean")
        table = planted_model.word_table(side)
        assert (zero[[0, 3]] == 0).all()
        assert (mean[[0, 3]] == table.mean(axis=0)).all()
        assert (zero[[1, 2]] == known).all()
        assert (mean[[1, 2]] == known).all()
    with pytest.raises(UnknownWordError, match="'unheard'"):
        planted_model.vectors(tokens)


def test_arguments(planted_model):
    with pytest.raises(ConfigError, match=r"side='left'.*input, output"):
        planted_model.vector("few", "left")
    with pytest.raises(ConfigError, match=r"unknown='skip'.*error, zero, mean"):
        planted_model.vector("few", unknown="skip")
    with pytest.raises(ConfigError, match=r"tokens='few'.*list"):
        planted_model.vectors("few")
    with pytest.raises(ConfigError, match=r"tokens=5.*list"):
        planted_model.vectors(5)
    assert planted_model.vectors(iter(["few"])).shape == (1, 12)


@pytest.mark.filterwarnings("ignore:the corpus holds no numerals")
def test_a_model_that_learnt_no_numerals():
    model = nl.train(["few pens", "many people"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    assert "5" not in model
    assert 5 not in model
    with pytest.raises(UnknownWordError, match="no numerals were learnt"):
        model[5]
    with pytest.raises(UnknownWordError, match="no numerals were learnt"):
        model["5"]


@pytest.mark.filterwarnings("ignore:no word occurs")
def test_a_model_that_learnt_no_words():
    model = nl.train(["5 6 7"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    assert (model.vectors(["x", "5"], unknown="mean") == [[0] * 4, model[5]]).all()

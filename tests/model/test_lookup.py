"""Tokens → ids: words before numerals, plain numbers, repeated tokens, refusals."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import ConfigError, TokensError, UnknownWordError
from numberline.model.lookup import UNKNOWN, Lookup, one_quantity
from numberline.reading.scanner import parse_numeral
from numberline.reading.tokenizer import tokenize
from numberline.settings import TextSettings

WAYS_TO_READ = [
    TextSettings(lowercase, magnitudes, number_words, decimal_comma)
    for lowercase, magnitudes, number_words, decimal_comma in product([True, False], repeat=4)
]
DIGITS = st.text("0123456789", min_size=1, max_size=20)
NUMBER_LIKE = st.one_of(
    DIGITS,
    st.builds("{}.{}".format, DIGITS, DIGITS),
    st.from_regex(r"[0-9]{1,4}([.,' ][0-9]{1,4}){1,2}", fullmatch=True),
    st.text("0123456789.,- eE+½٣\n", max_size=20),
)


def lookup(words=(), text=WAYS_TO_READ[0], has_numerals=True, kinds=0):
    ids = {word: id for id, word in enumerate(words)}
    return Lookup(list(words), ids, text, has_numerals, kinds)


def value_of(token, text):
    numeral = lookup(text=text).numeral_of(token)
    return None if numeral is None else numeral.value


@given(NUMBER_LIKE, st.sampled_from(WAYS_TO_READ))
def test_plain_numbers_are_read_as_defined(token, text):
    expected = parse_numeral(token, text)
    if expected is not None or one_quantity(token, text) is None:
        assert value_of(token, text) == expected


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
def test_values_of_numerals_in_several_formats(token, text, value):
    assert value_of(token, text) == value


def test_a_word_is_found_before_a_numeral():
    words = lookup(["five", "5"])
    read = words.read_tokens(["5", 5, "05", 6])
    assert read.ids.tolist() == [1, 2, 3, 4]
    assert read.values.tolist() == [5, 5, 6]


def test_case_counts_only_if_the_model_tells_it_apart():
    words = ["us", "US"]
    assert lookup(words).read_tokens(["us", "US", "Us"]).ids.tolist() == [0, 1, 0]
    cased = lookup(words, TextSettings(lowercase=False))
    assert cased.read_tokens(["us", "US", "Us"]).ids.tolist() == [0, 1, UNKNOWN]


@given(st.lists(st.one_of(st.sampled_from(["few", "Few", "5", "5.0", "?"]), st.floats())))
def test_a_batch_is_its_tokens_one_by_one(tokens):
    words = lookup(["few", "many"])
    read = words.read_tokens(tokens)
    alone = [words.read_tokens([token]) for token in tokens]
    for kind in ("is_word", "is_numeral", "is_known"):
        assert getattr(read, kind).tolist() == [bool(getattr(one, kind)[0]) for one in alone]
    assert read.ids[read.is_word].tolist() == [int(one.ids[0]) for one in alone if one.is_word[0]]
    assert read.numerals.tolist() == [float(one.values[0]) for one in alone if len(one.values)]


@given(st.text("few many 0123456789.,-\n"), st.sampled_from(WAYS_TO_READ))
def test_a_text_is_read_as_the_scanner_splits_it(text, settings):
    words = lookup(["few", "many"], settings)
    scanned = tokenize(text, settings)
    read = words.read_text(text)
    assert words.tokens(text) == scanned
    assert read.numerals.tolist() == [token.value for token in scanned if token.value is not None]
    ids = [words.word_ids.get(token.text, UNKNOWN) for token in scanned if token.value is None]
    assert read.ids[~read.is_numeral].tolist() == ids


@pytest.mark.parametrize("built", [True, False])
def test_texts_are_read_one_after_the_other(monkeypatch, built):
    if not built:
        monkeypatch.setattr("numberline.model.lookup.native", lambda: None)
    tokens, bounds, numerals = lookup(["few", "many"]).read_texts(["Few 5", "", "7 x MANY 1E3"])
    assert tokens.ids.tolist() == [0, 2, 3, UNKNOWN, 1, 4]
    assert tokens.values.tolist() == [5, 7, 1000]
    assert bounds.tolist() == [0, 2, 2, 6]
    assert [[one.text for one in of_text] for of_text in numerals] == [["5"], [], ["7", "1E3"]]


def test_numerals_of_a_text_are_unknown_where_none_were_learnt():
    read = lookup(["few"], has_numerals=False).read_text("few 5")
    assert read.ids.tolist() == [0, UNKNOWN]
    assert not len(read.values)


def test_every_distinct_token_is_parsed_once(monkeypatch):
    parsed = []
    monkeypatch.setattr(Lookup, "numeral_of", lambda _, token: parsed.append(token))
    lookup().read_tokens(["5", "x", "5", 5, 5.0, "x"] * 3)
    assert parsed == ["5", "x", 5]


def test_equal_numbers_have_equal_vectors(planted_model):
    one = [
        1,
        1.0,
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


@pytest.mark.parametrize("token", [None, True, b"5", 1j, ["few"], np.zeros(12)])
def test_tokens_that_are_neither_word_nor_number_are_refused(planted_model, token):
    with pytest.raises(TokensError, match="neither a word nor a number"):
        planted_model.vectors(["few", token])
    assert token not in planted_model


def test_true_is_no_number_even_after_one(planted_model):
    with pytest.raises(TokensError, match=r"True .* is neither a word nor a number"):
        planted_model.vectors([1, True])


@pytest.mark.parametrize(
    ("token", "hint"),
    [
        ("5 or 6", "it reads as 5 or 6"),
        ("Small box", "it reads as small box"),
        ("$5 each", "it reads as $ 5 each"),
        ("…", "it reads as nothing"),
        ("fewe", "close words are few"),
        ("x " * 99, "it reads as " + "x " * 20 + "…"),
    ],
)
def test_an_unknown_key_says_how_it_reads(planted_model, token, hint):
    with pytest.raises(UnknownWordError) as caught:
        planted_model[token]
    assert str(caught.value).endswith(hint)


@pytest.mark.parametrize("token", [10**400, -(10**400), float("nan"), float("inf")])
def test_numbers_that_are_not_finite(planted_model, token):
    with pytest.raises(UnknownWordError, match="it is not a finite number"):
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


def test_wrong_arguments_are_refused(planted_model):
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

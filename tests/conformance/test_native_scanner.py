"""The native scanner reads every input as reading/scanner.py does."""

import itertools
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import numberline as nl
from numberline._native import Counter
from numberline.errors import CorpusError
from numberline.reading import scanner, tokenizer
from numberline.reading.quantities import native
from numberline.settings import TextSettings
from tests.reading.test_numerals import READINGS

ALL_SETTINGS = [TextSettings(*options) for options in itertools.product([False, True], repeat=4)]
some_settings = st.sampled_from(ALL_SETTINGS)

# Text dense with the characters that rules look at: arbitrary text would rarely combine them.
CHARACTERS = (
    "0123456789" * 3
    + ".,-+/:'\"_ \n\t%$°½⅓⁄−–~()’”eExXkKmMbBazftnsc²₂éßİΣд中あ٣४１"
    + "\u00a0\u2009\u200b\u200d\u0301\ufe0f"
)
PIECES = (
    "million hundred thousand twenty five and a one zero bn lakh ft km2 x mid- covid- 1,234 12,345 "
    "1.5 e10 e400 3M k 1/2 3½ 0x 9999999999999999999 -0 1e-330 123456789012345678901234567890 "
    "crore MM BN in- T12:30 EUR Rs5,000 Kr1,234 1/10000 1/1234 5/32 15/16 29/32 8 2019 / :"
).split()
dense_text = st.lists(
    st.one_of(st.sampled_from(CHARACTERS), st.sampled_from(PIECES)), max_size=60
).map("".join)


def assert_same(text, text_settings):
    assert native.tokenize(text, text_settings) == tokenizer.tokenize(text, text_settings)
    words = tokenizer.words_and_numerals(text, text_settings)
    assert native.words_and_numerals(text, text_settings) == words


@pytest.mark.parametrize("text_settings", ALL_SETTINGS)
def test_native_and_python_agree_on_the_table_of_readings(text_settings):
    for text in READINGS:
        assert_same(text, text_settings)


@given(st.text(), some_settings)
@settings(max_examples=1000)
def test_native_and_python_agree_on_arbitrary_text(text, text_settings):
    assert_same(text, text_settings)


any_text = st.text(st.characters(exclude_categories=[]))  # with lone surrogates


@given(any_text, some_settings)
@example("\ud800", TextSettings())
@example("a\ud800\udc005\udfff6", TextSettings(lowercase=False))
@settings(max_examples=1000)
def test_lone_surrogates_are_read_alike_and_like_u_fffd(text, text_settings):
    assert_same(text, text_settings)
    replaced = re.sub("[\ud800-\udfff]", "\ufffd", text)
    assert tokenizer.tokenize(text, text_settings) == tokenizer.tokenize(replaced, text_settings)
    for token in scanner.read_tokens([text], text_settings):
        token.text.encode()


@pytest.mark.filterwarnings("ignore::numberline.errors.NumberlineWarning")
@given(st.lists(st.lists(any_text.filter(lambda token: "\0" not in token))))
def test_no_corpus_brings_lone_surrogates_into_a_vocabulary(sentences):
    texts = [" ".join(tokens) for tokens in sentences]
    for corpus in (texts, sentences):
        try:
            vocabulary = nl.count(corpus, min_count=1, threads=1)
        except CorpusError:  # no words and no numerals
            continue
        tokens = [
            token
            for one in corpus
            for token in (
                itertools.chain(*map(tokenizer.tokenize, re.split("[\r\n]", one)))
                if isinstance(one, str)
                else scanner.read_tokens(filter(None, one))
            )
        ]
        words = {token.text for token in tokens if token.value is None}
        assert set(vocabulary.words) == words
        "".join(words).encode()


@given(dense_text, some_settings)
@settings(max_examples=3000)
@example("1," + "000," * 120 + "000", TextSettings())
@example("9" * 310 + "⁄3", TextSettings())
@example("1e" + "9" * 5000, TextSettings())
@example("0." + "0" * 400 + "1e401", TextSettings())
@example("7" * 800 + "e-800", TextSettings())
@example("two " * 100, TextSettings(number_words=True))
@example("3" + " trillion" * 40, TextSettings(magnitudes=True))
@example("3 lakh crore crore crore", TextSettings(magnitudes=True))
@example("1/10000 1/9999 1/99999", TextSettings())
@example("nine hundred and ninety nine trillion " * 3, TextSettings(number_words=True))
@example("a1" + ",000" * 500, TextSettings())
def test_native_and_python_agree_on_text_dense_with_numerals(text, text_settings):
    assert_same(text, text_settings)


@given(st.binary())
@settings(max_examples=1000)
@example(b"\xe2\x82a\xf0\x9f\x98 \xed\xa0\x80 \xc0\xaf \xf4\x90\x80\x80 5\xff6")
def test_invalid_bytes_are_replaced_as_python_does(data):
    text_settings = TextSettings()
    tokens = native.native_scanner(text_settings).tokenize(data)
    expected = tokenizer.tokenize(data.decode("utf-8", "replace"), text_settings)
    assert [token[1:] for token in tokens] == [token[1:4] for token in expected]


@given(st.binary().filter(lambda data: b"\xef\xbf\xbd" not in data))
def test_replaced_bytes_are_counted(data):
    _, _, replaced = Counter(native.native_scanner(TextSettings())).add_text(data, False)
    assert replaced == data.decode("utf-8", "replace").count("\ufffd")


@given(
    st.lists(st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1)))
)
def test_native_and_python_agree_on_tokens_split_elsewhere(sentences):
    text_settings = TextSettings()
    counter = Counter(native.native_scanner(text_settings))
    packed = "".join("".join(f"{token}\0" for token in tokens) + "\0" for tokens in sentences)
    ids, lengths, _ = counter.add_tokens(packed.encode(), True)
    expected = [
        token for tokens in sentences for token in scanner.read_tokens(tokens, text_settings)
    ]
    assert lengths.tolist() == [len(tokens) for tokens in sentences]
    assert [id >= 2**30 for id in ids] == [token.value is not None for token in expected]
    keys = [token.text if token.value is None else token.value for token in expected]
    assert (
        len(set(zip(ids.tolist(), keys, strict=True))) == len(set(keys)) == len(set(ids.tolist()))
    )

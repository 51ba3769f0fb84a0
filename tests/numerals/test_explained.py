"""Prototypes of a corpus, and the fractions of its numerals that they explain."""

import numpy as np
import pytest

from numberline.api import encode, explain_prototypes
from numberline.errors import ConfigError
from numberline.numerals.explained import explain
from numberline.numerals.fixed import Fixed
from numberline.numerals.line import Line
from numberline.numerals.token import NumeralTokens

CHAT = ["size 38 please", "size 40 please", "three sizes cost 2,000 or 5,000", "40 and 40 again"]
RNG = np.random.default_rng(1)


def unread():
    raise AssertionError("the corpus is read although the settings cannot be")
    yield


def test_fractions_are_those_of_all_occurrences():
    values, counts = np.array([0.0, 5, 10, 20]), np.array([2.0, 4, 10, 4])
    explained = explain(Line(3, log="none"), values, counts, RNG)
    assert explained.values.tolist() == [0, 10, 20]
    assert explained.fractions == pytest.approx([4 / 20, 12 / 20, 4 / 20])


def test_the_shared_vector_of_rare_numerals_is_no_prototype():
    explained = explain(NumeralTokens(min_count=4), np.arange(4.0), np.array([2.0, 4, 10, 4]), RNG)
    assert explained.values.tolist() == [1, 2, 3]
    assert explained.fractions == pytest.approx([0.2, 0.5, 0.2])


def test_encoders_without_labels_are_refused_before_the_corpus_is_read():
    for encoder in (Fixed(), "fourier", "gmm:beta=2"):
        with pytest.raises(ConfigError):
            explain_prototypes(unread(), encoder=encoder)
    with pytest.raises(ConfigError, match=r"encoder='fixed', but .*: line, som, gmm, token"):
        explain(Fixed(), np.ones(1), np.ones(1), RNG)


def test_settings_of_text_and_seed_are_used():
    values = explain_prototypes(CHAT, encoder="line").numeral_values
    assert values.tolist() == [38, 40, 2000, 5000]
    values = explain_prototypes(CHAT, encoder="line", number_words=True).numeral_values
    assert values.tolist() == [3, 38, 40, 2000, 5000]
    values_by_seed = [
        explain_prototypes(
            CHAT, encoder="gmm:em_start=random,prototypes=2", seed=seed
        ).values.tolist()
        for seed in (1, 1, *range(2, 8))
    ]
    assert values_by_seed[0] == values_by_seed[1]
    assert any(other != values_by_seed[0] for other in values_by_seed)


def test_an_encoded_corpus_refuses_other_settings_of_text(text, tmp_path):
    encoder = Line(1)
    for number_words in (True, False):
        folder = tmp_path / str(number_words)
        encode(text, folder, number_words=number_words)
        explained = explain_prototypes(folder, encoder=encoder)
        assert explained.numeral_values.tolist() == [9, 1000]
    assert explain_prototypes(
        tmp_path / "True", number_words=True, text_field=None, encoder=encoder
    )
    with pytest.raises(ConfigError, match="number_words=True, but it must be False"):
        explain_prototypes(tmp_path / "False", number_words=True, encoder=encoder)


def test_progress_is_reported(text):
    seen = []
    explain_prototypes(text, encoder="line:prototypes=2", progress=lambda *now: seen.append(now))
    assert seen

"""Prototypes of a corpus, and their shares of its numerals."""

import numpy as np
import pytest

from numberline.config import EncoderConfig
from numberline.encoders.explained import explain
from numberline.errors import ConfigError
from numberline.pipeline import encode, explain_prototypes

CHAT = ["size 38 please", "size 40 please", "three sizes cost 2,000 or 5,000", "40 and 40 again"]


def unread():
    raise AssertionError("the corpus is read although the settings cannot be")
    yield


def test_shares_are_those_of_all_occurrences():
    config = EncoderConfig(encoder="piecewise", log="none", prototypes=3)
    values, counts = np.array([0.0, 5, 10, 20]), np.array([2.0, 4, 10, 4])
    found = explain(config, values, counts, np.random.default_rng(1))
    assert found.values.tolist() == [0, 10, 20]
    assert found.shares == pytest.approx([4 / 20, 12 / 20, 4 / 20])


def test_what_cannot_be_is_refused_before_the_corpus_is_read():
    for settings in ({"encoder": "token"}, {"encoder": "gmm", "beta": 2.0}):
        with pytest.raises(ConfigError):
            explain_prototypes(unread(), **settings)
    with pytest.raises(ConfigError, match="som, gmm, piecewise, multiscale"):
        explain(EncoderConfig(encoder="fixed"), np.ones(1), np.ones(1), np.random.default_rng(1))


def test_settings_of_text_and_seed_count():
    values = explain_prototypes(CHAT, encoder="piecewise").numeral_values
    assert values.tolist() == [38, 40, 2000, 5000]
    values = explain_prototypes(CHAT, encoder="piecewise", number_words=True).numeral_values
    assert values.tolist() == [3, 38, 40, 2000, 5000]
    found = [
        explain_prototypes(
            CHAT, encoder="gmm", em_start="random", prototypes=2, seed=seed
        ).values.tolist()
        for seed in (1, 1, *range(2, 8))
    ]
    assert found[0] == found[1]
    assert any(other != found[0] for other in found)


def test_an_encoded_corpus_is_not_read_in_another_way(text, tmp_path):
    for number_words in (True, False):
        folder = tmp_path / str(number_words)
        encode(text, folder, number_words=number_words)
        found = explain_prototypes(folder, prototypes=1)
        assert found.numeral_values.tolist() == [9, 1000]
    assert explain_prototypes(tmp_path / "True", number_words=True, prototypes=1)
    with pytest.raises(ConfigError, match="number_words=True, but it must be False"):
        explain_prototypes(tmp_path / "False", number_words=True, prototypes=1)


def test_progress_is_told(text):
    seen = []
    explain_prototypes(text, prototypes=2, progress=lambda *now: seen.append(now))
    assert seen

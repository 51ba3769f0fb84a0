"""Looking up words, numerals in any format, and neighbours."""

import numpy as np
import pytest

import numberline as nl
from numberline.model.word_vectors import WordVectors


@pytest.fixture
def model(planted_model):
    return planted_model


def test_numerals_in_any_format_are_one(model):
    rows = model.vectors(["4321", "4,321", "4321.0", "+4321", 4321, 4321.0, np.int64(4321)])
    assert (rows == rows[0]).all()
    assert (model["½"] == model[0.5]).all()


def test_words_are_found_as_they_were_read(model):
    assert (model["Few"] == model["few"]).all()
    assert (model.vector("few", "output") != model["few"]).any()


def test_tokens_of_a_text_are_tokens_of_a_model(model):
    tokens = nl.tokenize("Few boxes, 4,321 halls")
    expected = model.vectors(["few", "boxes", 4321, "halls"], unknown="zero")
    assert (model.vectors(tokens, unknown="zero") == expected).all()
    assert model.similar(tokens[0]) == model.similar("few")
    with pytest.raises(KeyError, match=r"^'boxes' \(str\) is unknown"):
        model.vectors(tokens)


def test_membership(model):
    for token in ("few", "7", "1e300", 7, -2.5):
        assert token in model
    for token in ("unheard", "covid-19", float("nan"), None, ("few",)):
        assert token not in model


def test_unknown_words_are_named_with_close_ones(model):
    with pytest.raises(KeyError, match=r"'fewe' .*unknown; close words are few"):
        model["fewe"]
    with pytest.raises(KeyError, match="not a finite number"):
        model[float("inf")]


def test_neighbours(model):
    found = model.similar("few", 3)
    assert "few" not in {neighbour.token for neighbour in found}
    assert 1 >= found[0].similarity >= found[1].similarity
    assert all(float(n.token) < 100 for n in model.similar("few", 5, kind="numerals"))
    assert model.similar(7.5, 1)[0].token == "few"
    assert model.similar(model["few"], 1)[0].token == "few"
    with pytest.raises(ValueError, match="kind='word'"):
        model.similar("few", kind="word")


def test_facts(model):
    assert len(model) == len(model.words) == 10 + 64
    counts = model.vocabulary.word_counts
    assert (counts[:-1] >= counts[1:]).all()
    assert model.dim == 12
    assert repr(model) == "<Embeddings of 74 words, 12 dimensions, gmm>"
    assert model.vectors([]).shape == (0, 12)


def test_words_are_iterated_and_counted(model):
    assert list(model) == model.words
    assert all(word in model for word in model)
    vectors = WordVectors(["b", "a"], np.zeros((2, 3), np.float32))
    assert list(vectors) == ["b", "a"]
    assert len(list(vectors)) == len(vectors)

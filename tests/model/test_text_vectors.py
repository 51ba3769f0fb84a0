"""The vector of a text is the weighted mean of its tokens, in batches of any size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.model.text_vectors import text_vectors
from tests.small_models import model_without_numerals, small_model

WORDS = ["few", "box", "unheard", "7", "5,000", "7.77", "!", "Small"]


def test_words_count_as_often_as_training_keeps_them_and_numerals_fully():
    model = nl.train(
        ["the cat has 9 lives"] * 50 + ["the dog"] * 300, dim=6, min_count=1, sample=0.01
    )
    keep = dict(zip(model.words, model.keep_probabilities, strict=True))
    assert keep["the"] < 0.5 * keep["cat"]
    parts = [keep["the"] * model["the"], keep["cat"] * model["cat"], model[9.5]]
    expected = np.sum(parts, axis=0) / (keep["the"] + keep["cat"] + 1)
    (row,) = text_vectors(model, ["The unheard cat 9.5"])
    assert row == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.lists(st.sampled_from(WORDS)).map(" ".join)), st.integers(1, 4))
def test_batches_do_not_matter(texts, batch_size):
    model = small_model()
    alone = [text_vectors(model, [text])[0] for text in texts]
    rows = text_vectors(model, texts, batch_size)
    assert rows.shape == (len(texts), model.dim)
    for row, one in zip(rows, alone, strict=True):
        assert row == pytest.approx(one, abs=1e-6)


@pytest.mark.parametrize("text", ["", " ", "zzz unheard", "…"])
def test_a_text_without_a_known_token_is_zeros(text):
    assert not text_vectors(small_model(), [text]).any()


def test_numerals_are_unknown_where_none_were_learnt():
    model = model_without_numerals()
    with_number, without = text_vectors(model, ["cat 5", "cat"])
    assert (with_number == without).all()

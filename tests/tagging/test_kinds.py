"""Numerals of sentences to tag, in the kind that their sentence tells."""

import numpy as np
import pytest

import numberline as nl
from tests.senses.planted import BESIDE, COUNT, YEAR, planted_corpus

pytest.importorskip("torch")

from numberline.model.word_vectors import WordVectors
from numberline.tagging.batches import look_up
from numberline.tagging.kinds import in_their_kinds
from numberline.tagging.vectors import rows_of


@pytest.fixture(scope="module")
def model():
    corpus, _ = planted_corpus()
    return nl.train(corpus, dim=16, epochs=2, gap_model=False, threads=1)


SENTENCES = [
    [*BESIDE[YEAR][:2], "and", "2001", "and", "died", "the", "it's", "1,5,x"],
    ["no", "number"],
    [*BESIDE[COUNT][:2], "and", "2001", "and", "bricks", "the"],
]


def test_only_numerals_change(model):
    found = in_their_kinds(model, SENTENCES)
    for before, after in zip(SENTENCES, found, strict=True):
        assert [getattr(one, "text", one) for one in after] == before
    assert [one.kind for sentence in found for one in sentence if not isinstance(one, str)] == [
        YEAR,
        COUNT,
    ]


@pytest.mark.parametrize("fine_tune", [False, True])
def test_a_number_has_the_vector_of_its_kind(model, fine_tune):
    rows = rows_of(model, fine_tune)
    read = look_up(SENTENCES, rows, model)
    for sentence, kind in ((0, "year"), (2, "count")):
        row = rows.rows(read.read, read.tokens[sentence][3:4]).detach().numpy()[0]
        np.testing.assert_allclose(row, model["2001", kind], rtol=1e-4, atol=1e-6)


def test_models_without_kinds_take_sentences_as_they_are(model):
    words = WordVectors(["no", "number"], np.eye(2, dtype=np.float32))
    plain = nl.train(["in 2001 the king died"] * 10, min_count=1, dim=4, kinds=False)
    for other in (words, plain):
        assert in_their_kinds(other, SENTENCES) == SENTENCES

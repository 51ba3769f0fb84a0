"""Kinds of numbers from text to vectors: planted contexts, counts of pairs, a training resumed."""

from functools import cache

import numpy as np
import pytest

import numberline as nl
from numberline.reading.kinds import KIND_INDEX
from tests.training.small_corpora import planted, with_kinds

PERCENT, MONEY, PLAIN = (KIND_INDEX[kind] for kind in ("percent", "money", "plain"))
SETTINGS = {
    "dim": 12,
    "window": 3,
    "epochs": 4,
    "min_count": 1,
    "threads": 1,
    "gap_model": False,
}
SETTINGS_OF_ENCODED = {name: value for name, value in SETTINGS.items() if name != "min_count"}


@cache
def model_of_kinds(**settings):
    return nl.train(with_kinds(6000), **SETTINGS | settings)


def cosine(one, other):
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


@pytest.mark.parametrize("encoder", ["line", "gmm", "token", "fourier"])
@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_the_same_number_is_near_the_words_of_its_kind(encoder, objective):
    model = model_of_kinds(encoder=encoder, objective=objective)
    words = ("voters", "shop", "goals")
    for value in (37, 5, 1234.5):  # the last one is never seen
        for kind, own in zip((PERCENT, MONEY), words, strict=False):
            vector = model.numerals.vectors([value], kinds=[kind])[0]
            near = {word: cosine(vector, model[word]) for word in words}
            assert max(near, key=near.get) == own


def test_counts_of_pairs_sum_to_counts_of_values():
    texts = ["5% of $5 and 5 km of 6 %, 5% x", "x 7 x 5 x", "x 5 x"] * 3
    vocabulary = nl.count(texts, min_count=1)
    numerals = vocabulary.numerals
    pairs = zip(numerals.kinds.tolist(), numerals.values.tolist(), strict=True)
    assert dict(zip(pairs, numerals.counts.tolist(), strict=True)) == {
        (PLAIN, 5): 6,
        (PLAIN, 7): 3,
        (MONEY, 5): 3,
        (PERCENT, 5): 6,
        (PERCENT, 6): 3,
        (KIND_INDEX["length"], 5): 3,
    }
    assert vocabulary.numeral_values.tolist() == [5, 6, 7]
    assert vocabulary.numeral_counts.tolist() == [18, 3, 3]
    assert vocabulary.kind_counts[[PLAIN, MONEY, PERCENT]].tolist() == [9, 3, 9]


@pytest.mark.parametrize("threads", [1, 3])
def test_ids_of_numerals_stand_for_pairs(threads):
    lines = with_kinds(500)
    encoded = nl.encode(lines, min_count=1, threads=threads)
    words, numerals = encoded.vocabulary.words, encoded.vocabulary.numerals
    for line, ids in zip(lines, encoded, strict=True):
        (id,) = ids[ids >= len(words)] - len(words)
        (token,) = (one for one in nl.tokenize(line) if one.value is not None)
        assert (numerals.values[id], numerals.kinds[id]) == (token.value, token.kind)


def test_without_kinds_each_number_has_one_id_and_the_vectors_of_its_encoder():
    lines = with_kinds(300)
    encoded = nl.encode(lines, min_count=1)
    plain = encoded.without_kinds()
    assert plain.vocabulary.numerals.values.tolist() == encoded.vocabulary.numeral_values.tolist()
    assert plain.vocabulary.numerals.counts.tolist() == encoded.vocabulary.numeral_counts.tolist()
    assert not plain.vocabulary.numerals.kinds.any()
    assert plain.without_kinds() is plain
    words = len(plain.vocabulary.words)
    for before, after in zip(encoded, plain, strict=True):
        is_number = before >= words
        assert (before[~is_number] == after[~is_number]).all()
        old = encoded.vocabulary.numerals.values[before[is_number] - words]
        assert (old == plain.vocabulary.numerals.values[after[is_number] - words]).all()
    models = [nl.train(corpus, **SETTINGS_OF_ENCODED, kinds=False) for corpus in (encoded, plain)]
    for model in models:
        assert not model.numerals.kinds.size
        assert len(model.numerals.input) == model.numerals.fitted.size
    assert (models[0].numerals.input == models[1].numerals.input).all()


def test_frozen_vectors_stay_as_they_are():
    model = nl.train(with_kinds(200), **SETTINGS, encoder="fixed")
    values = [5.0, 5.0]
    assert not model.numerals.kinds.size
    assert np.ptp(model.numerals.vectors(values, kinds=[PERCENT, MONEY]), axis=0).max() == 0


def test_one_seed_and_thread_give_equal_bytes():
    one, other = (nl.train(with_kinds(300), **SETTINGS).numerals.state() for _ in range(2))
    assert {name: array.tobytes() for name, array in one.items()} == {
        name: array.tobytes() for name, array in other.items()
    }


def test_a_saved_model_is_the_same_again(tmp_path):
    model = model_of_kinds()
    model.save(tmp_path / "model")
    again = nl.load(tmp_path / "model")
    values, kinds = [5.0, 37.5, 5.0, 9.0], [PERCENT, MONEY, PLAIN, -1]
    for side in ("input", "output"):
        expected = model.numerals.vectors(values, side, kinds)
        assert (again.numerals.vectors(values, side, kinds) == expected).all()
    for name in ("values", "kinds", "counts"):
        found = getattr(again.vocabulary.numerals, name)
        assert (found == getattr(model.vocabulary.numerals, name)).all()


def test_a_corpus_of_one_kind_trains_as_without_kinds():
    tables = [
        nl.train(planted(300), **SETTINGS, encoder="gmm", kinds=kinds).numerals
        for kinds in (True, False)
    ]
    size = tables[1].fitted.size
    for side in ("input", "output"):
        assert (tables[0].table(side)[:size] == tables[1].table(side)).all()

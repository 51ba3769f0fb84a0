"""The nearest words and numerals: as all cosines say, without the token itself, and edge cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import ConfigError, UnknownWordError, VectorsError
from numberline.model.neighbours import (
    SAME_NUMBER,
    apart_from_each_other,
    count_that_covers,
    largest,
    unit,
)
from numberline.numerals.squash import squash


def cosines(rows, query):
    """Compute cosines by their definition, in double precision."""
    rows, query = np.asarray(rows, np.float64), np.asarray(query, np.float64)
    return rows @ query / (np.linalg.norm(rows, axis=1) * np.linalg.norm(query))


def corpus_tokens(model):
    return [str(int(value)) for value in model.vocabulary.numeral_values]


def test_words_are_ranked_by_cosine(planted_model):
    expected = dict(
        zip(
            planted_model.words,
            cosines(planted_model.word_input, planted_model["few"]),
            strict=True,
        )
    )
    del expected["few"]
    found = planted_model.similar("few", 20)
    assert [near.token for near in found] == sorted(expected, key=expected.get)[:-21:-1]
    for near in found:
        assert near.similarity == pytest.approx(expected[near.token], abs=1e-6)


def test_numerals_of_the_corpus_are_ranked_by_cosine(planted_model):
    tokens = corpus_tokens(planted_model)
    expected = dict(
        zip(tokens, cosines(planted_model.vectors(tokens), planted_model["few"]), strict=True)
    )
    found = planted_model.similar("few", 5, "numerals", among="corpus")
    assert [near.similarity for near in found] == pytest.approx(
        sorted(expected.values())[:-6:-1], abs=1e-6
    )
    for near in found:
        assert near.similarity == pytest.approx(expected[near.token], abs=1e-6)


def test_the_whole_line_holds_better_numerals_than_the_corpus(planted_model):
    query = planted_model["few"]
    best = planted_model.similar(query, 1, "numerals", among="corpus")[0]
    found = planted_model.similar(query, 8, "numerals")
    assert found[0].similarity >= best.similarity
    assert not {near.token for near in found} <= set(corpus_tokens(planted_model))
    positions = np.sort(squash([float(near.token) for near in found]))
    assert (np.diff(positions) > SAME_NUMBER).all()
    for near in found:
        assert near.similarity == pytest.approx(
            planted_model.similarity("few", near.token), abs=1e-6
        )


@pytest.mark.parametrize("token", ["7", 7, "7.0", "5,000", "7.77"])
@pytest.mark.parametrize("among", ["line", "corpus"])
def test_a_numeral_is_not_its_own_neighbour(planted_model, token, among):
    value = float(str(token).replace(",", ""))
    found = planted_model.similar(token, 30, "numerals", among=among)
    assert len(found) == 30
    assert value not in {float(near.token) for near in found}


def test_no_neighbour_of_a_vector_is_left_out(planted_model):
    found = planted_model.similar(planted_model[7], 5000, "numerals", among="corpus")
    assert "7" in {near.token for near in found}


def test_both_kinds_are_merged(planted_model):
    first_word = planted_model.similar("small", 1, "words")[0]
    nearer = planted_model.similar("small", 10**6, "numerals")
    count = 5 + sum(near.similarity > first_word.similarity for near in nearer)
    both, words, numerals = (
        planted_model.similar("small", count, kind) for kind in ("both", "words", "numerals")
    )
    assert both == sorted(words + numerals, key=lambda near: -near.similarity)[:count]
    assert set(both) & set(words)
    assert set(both) & set(numerals)


def test_asking_for_more_neighbours_than_there_are(planted_model):
    assert len(planted_model.similar("few", 10**9)) == len(planted_model) - 1
    assert len(planted_model.similar(planted_model["few"], 10**9)) == len(planted_model)
    seen = len(planted_model.vocabulary.numeral_values)
    among = {"kind": "numerals", "among": "corpus"}
    assert len(planted_model.similar("few", 10**9, **among)) == seen
    assert len(planted_model.similar(7, 10**9, **among)) == seen - 1
    assert len(planted_model.similar(7.5, 10**9, **among)) == seen


def test_vectors_as_questions(planted_model):
    near = planted_model.similar(planted_model["few"] * 3, 1)[0]
    assert near.token == "few"
    assert near.similarity == pytest.approx(1, abs=1e-6)
    assert planted_model.similar(planted_model["few"].astype(np.float64), 1)[0].token == "few"
    assert {near.similarity for near in planted_model.similar(np.zeros(12), 3, "both")} == {0.0}


@pytest.mark.parametrize("vector", [np.zeros(11), np.zeros((1, 12)), np.zeros(())])
def test_vectors_of_another_shape(planted_model, vector):
    with pytest.raises(VectorsError, match=r"shape .* 12 numbers"):
        planted_model.similar(vector)
    with pytest.raises(VectorsError, match=r"shape .* 12 numbers"):
        planted_model.similarity("few", vector)


def test_vectors_that_are_not_finite(planted_model):
    with pytest.raises(VectorsError, match="not finite"):
        planted_model.similar(np.full(12, np.nan))


@pytest.mark.parametrize(
    "arguments", [{"count": 0}, {"count": 2.5}, {"kind": "word"}, {"among": "all"}]
)
def test_arguments(planted_model, arguments):
    with pytest.raises(ConfigError, match=f"{next(iter(arguments))}="):
        planted_model.similar("few", **arguments)
    with pytest.raises(UnknownWordError):
        planted_model.similar("unheard")


def test_similarity_and_distance(planted_model):
    assert planted_model.similarity("few", "few") == pytest.approx(1, abs=1e-6)
    assert planted_model.similarity("few", 7) > planted_model.similarity("few", 7000)
    expected = cosines([planted_model["few"]], planted_model[7])[0]
    assert planted_model.similarity("few", "7") == pytest.approx(expected, abs=1e-6)
    assert planted_model.distance("few", "7") == pytest.approx(1 - expected, abs=1e-6)


@pytest.mark.filterwarnings("ignore:the corpus holds no numerals")
def test_a_model_that_learnt_no_numerals():
    model = nl.train(["few pens", "many people"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    assert model.similar("few", kind="numerals") == []
    assert model.similar("few", kind="both") == model.similar("few")


@pytest.mark.filterwarnings("ignore:no word occurs")
def test_a_model_that_learnt_no_words():
    model = nl.train(["5 6 7"] * 20, min_count=1, dim=4, epochs=1, threads=1)
    assert model.similar(5) == []
    assert {near.token for near in model.similar(5, kind="both", among="corpus")} == {"6", "7"}


@given(st.lists(st.integers(0, 5)), st.integers(1, 8))
def test_largest_equals_a_stable_sort(numbers, count):
    values = np.array(numbers, np.float32)
    assert largest(values, count).tolist() == np.argsort(-values, kind="stable")[:count].tolist()


@given(
    st.lists(st.tuples(st.floats(0, 2), st.integers(0, 3)), max_size=30),
    st.integers(1, 30),
    st.none() | st.floats(0, 2),
)
def test_the_chosen_are_apart(numbered, count, excluded):
    values = np.array([value for value, _ in numbered])
    similarity = np.array([near for _, near in numbered], np.float32)
    expected, taken = [], [] if excluded is None else [float(squash(excluded))]
    for at in np.argsort(-similarity, kind="stable").tolist():
        position = float(squash(values[at]))
        if len(expected) < count and all(abs(position - other) > SAME_NUMBER for other in taken):
            expected.append(at)
            taken.append(position)
    assert apart_from_each_other(values, similarity, count, excluded) == expected


def test_unit_rows_have_length_one():
    rows = unit(np.array([[3.0, 4.0], [0.0, 0.0], [1e-30, 0.0]]))
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0, 0], [1, 0]]))


def model_of(text, **settings):
    return nl.train(text, dim=8, epochs=1, threads=1, min_count=1, gap_model=False, **settings)


def test_rare_words_are_no_neighbours():
    model = model_of(["a b c 5"] * 600 + ["a rare b 5"] * 2 + ["a rarer b 5"])
    assert {near.token for near in model.similar("a")} == {"b", "c"}
    assert {near.token for near in model.similar("a", min_count=2)} == {"b", "c", "rare"}
    assert {near.token for near in model.similar("a", min_count=1)} == {"b", "c", "rare", "rarer"}
    assert {near.token for near in model.similar("a", min_count=601)} == {"b"}
    assert "rare" not in {near.token for near in model.similar("rare")}


def test_numbers_far_from_all_frequent_numerals_are_no_neighbours():
    model = model_of(["a 100 b 105 c"] * 100 + ["a -36 b 9000"])
    for among in ("line", "corpus"):
        found = model.similar("a", 500, "numerals", among=among)
        assert found
        assert all(90 < float(near.token) < 115 for near in found)
    every = model.similar("a", 500, "numerals", among="corpus", min_count=1)
    assert {near.token for near in every} == {"100", "105", "-36", "9000"}


def test_numerals_support_each_other():
    """No numeral occurs twice, but together they are frequent."""
    model = model_of(["a b", *(f"a {100 + number / 100} b" for number in range(50)), "a 7 b"])
    found = model.similar("a", 100, "numerals", among="corpus", min_count=30)
    assert 1 < len(found) <= 50
    assert "7" not in {near.token for near in found}
    assert model.similar("a", 5, "numerals", min_count=51) == []


def test_the_default_count_keeps_99_percent_of_the_text():
    assert count_that_covers(np.array([990, 9, 1]), 0.99) == 990
    assert count_that_covers(np.array([989, 9, 1, 1]), 0.99) == 9
    assert count_that_covers(np.array([1, 9, 989, 1]), 0.99) == 9
    assert count_that_covers(np.array([5]), 0.99) == 5
    assert count_that_covers(np.array([], np.int64), 0.99) == 1


def test_words_of_a_corpus_of_frequent_words_are_all_neighbours(planted_model):
    assert planted_model.vocabulary.word_counts.min() > 20
    assert len(planted_model.similar("few", 10**6)) == len(planted_model) - 1
    for wrong in (0, -1, 2.5, "5", True):
        with pytest.raises(ConfigError, match="min_count="):
            planted_model.similar("few", min_count=wrong)

"""model.senses and vectors of senses, in a corpus in which the right answers are planted."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ContextError, TokensError
from numberline.reading.kinds import KIND_INDEX, UNKNOWN_KIND
from tests.senses.planted import BESIDE, COUNT, YEAR, planted_corpus

YEARS, COUNTS = (" ".join(BESIDE[kind][:2]) for kind in (YEAR, COUNT))
YEAR_TEXT = f"{YEARS} and 2001 and died the"
COUNT_TEXT = f"{COUNTS} and 2001 and bricks the"


@pytest.fixture(scope="module")
def model():
    corpus, _ = planted_corpus()
    return nl.train(corpus, dim=16, epochs=8, gap_model=False, threads=1)


@pytest.mark.parametrize(
    ("text", "kind"), [(YEAR_TEXT, "year"), (COUNT_TEXT, "count"), ("in 2001", "year")]
)
def test_the_words_beside_a_number_tell_its_sense(model, text, kind):
    (one,) = model.senses(text)
    assert one.kind == kind
    assert (one.text, one.value) == ("2001", 2001)
    assert text[one.start : one.end] == "2001"
    probabilities = [sense.probability for sense in one.senses]
    assert probabilities == sorted(probabilities, reverse=True)
    assert 0.98 < sum(probabilities) <= 1 + 1e-9
    if not one.is_told:
        assert set(one.because) <= set(text.split())
        assert set(one.because) & set(BESIDE[KIND_INDEX[kind]])


def test_each_numeral_of_a_text_has_senses_of_its_own(model):
    text = f"{YEAR_TEXT} the the the the {COUNT_TEXT}"
    assert [one.kind for one in model.senses(text)] == ["year", "count"]
    assert model.senses("no number") == []


def test_words_that_the_corpus_does_not_hold_are_left_out(model):
    unknown = YEAR_TEXT.replace("and", "zebra and")
    assert model.senses(unknown)[0].senses == model.senses(YEAR_TEXT)[0].senses


def test_a_number_alone_has_the_kinds_that_it_has_in_all_texts(model):
    (one,) = model.senses("2001")
    shares = {sense.kind: sense.probability for sense in one.senses}
    assert shares["year"] == pytest.approx(0.5, abs=0.15)
    assert shares["count"] == pytest.approx(0.5, abs=0.15)
    assert one.because == []


def test_typical_words_are_those_beside_it(model):
    (one,) = model.senses("2001")
    words = {sense.kind: sense.words[:4] for sense in one.senses}
    assert set(words["year"]) == set(BESIDE[YEAR])
    assert set(words["count"]) == set(BESIDE[COUNT])


@pytest.mark.parametrize("value", [2001, 1995, 2001.5])
def test_senses_of_a_number_have_vectors_of_their_own(model, value):
    assert model.similarity((value, "year"), (value + 1, "year")) > model.similarity(
        (value, "year"), (value, "count")
    )
    assert model.similarity((value, "year"), "king") > model.similarity((value, "count"), "king")
    assert model.similarity((value, "count"), "bricks") > model.similarity(
        (value, "year"), "bricks"
    )


def test_neighbours_in_a_sense(model):
    for sense, words in (("year", BESIDE[YEAR]), ("count", BESIDE[COUNT])):
        nearest = {one.token for one in model.similar("2001", count=3, sense=sense)}
        assert nearest <= set(words) | {"in", "people"}
    assert model.similar("2001", sense="year") == model.similar(("2001", "year"))
    with pytest.raises(TokensError, match="no kind of number"):
        model.similar("2001", sense="planet")
    with pytest.raises(TokensError, match="goes with a number"):
        model.similar(model["king"], sense="year")


def test_numbers_are_compared_in_the_sense_of_the_number(model):
    for sense in ("year", "count"):
        found = model.similar("2001", kind="numerals", sense=sense, among="corpus", count=3)
        assert [one.similarity for one in found] == pytest.approx(
            [model.similarity(("2001", sense), (one.token, sense)) for one in found], abs=1e-5
        )
        assert found[0].similarity > 0.99


def test_tokens_in_context_have_the_kind_of_their_sense(model):
    lookup = model.lookup
    read = lookup.read_tokens([*YEAR_TEXT.split(), *COUNT_TEXT.split()])
    middle = len(YEAR_TEXT.split())
    told = model.in_context(read, np.array([0, middle, len(read)]))
    assert told.kinds.tolist() == [YEAR, COUNT]
    assert told.values.tolist() == [2001, 2001]
    assert (read.kinds == UNKNOWN_KIND).all()
    np.testing.assert_array_equal(told.is_numeral, read.is_numeral)


def test_a_model_without_senses_says_so():
    few = nl.train(["in 2001 the king died"] * 10, min_count=1, dim=4)
    with pytest.raises(ContextError, match="no senses"):
        few.senses("2001")


def test_saved_and_loaded_it_answers_alike(model, tmp_path):
    model.save(tmp_path / "model")
    loaded = nl.load(tmp_path / "model")
    assert loaded.senses(YEAR_TEXT) == model.senses(YEAR_TEXT)
    np.testing.assert_array_equal(loaded["2001", "year"], model["2001", "year"])

"""What the explorer says of a model whose answers are known."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import QuestionError, UnknownWordError
from numberline.explore.answers import Answers
from numberline.explore.examples import SHOP, example_of
from numberline.explore.landmarks import STEPS, Landmarks
from numberline.explore.line import steps_between
from numberline.explore.sentences import LONGEST_TEXT, MOST_NUMERALS
from numberline.numerals.registry import BUILT_IN
from tests.small_models import model_without_numerals, small_model

ANSWERS = Answers(small_model(), "planted")


def as_json(answer):
    """Return the answer as it arrives in a browser, where JSON has no nan."""
    return json.loads(json.dumps(answer, allow_nan=False))


def test_a_small_number_is_near_few_and_a_large_one_near_many():
    for text, word in (("7", "few"), ("4,321", "many")):
        answer = as_json(ANSWERS.number(text))
        assert answer["words"][0]["token"] == word
        assert answer["words"][0]["similarity"] == pytest.approx(
            ANSWERS.model.similarity(text, word), abs=1e-5
        )


def test_rare_words_are_searched_too():
    answer = ANSWERS.number("7", "all")
    assert [near["token"] for near in answer["words"]] == [
        near.token for near in ANSWERS.model.similar("7", len(answer["words"]))
    ]


def test_the_nearest_numbers_are_frequent_in_the_corpus():
    often = [f"small box holds {n} pens" for n in range(1, 9)] * 100
    rare = [f"small box holds {n}.5 pens" for n in range(1, 9)] * 3
    model = nl.train(often + rare, dim=4, epochs=1, threads=1, min_count=1, encoder=nl.Line(3))
    near = Answers(model, "boxes").number("4.5")["numbers"]
    assert sorted(one["token"] for one in near) == [str(n) for n in range(1, 9)]
    for one in near:
        assert one["similarity"] == pytest.approx(model.similarity(4.5, one["token"]), abs=1e-5)


@pytest.mark.parametrize("text", ["2,000", "2\u2009000", "+2000.0", "2e3", "２０００", " 2000 cm"])
def test_numbers_are_read_in_all_formats(text):
    assert ANSWERS.number(text)["value"] == 2000


def test_occurrences_are_those_of_the_corpus():
    vocabulary = ANSWERS.model.vocabulary
    seen = ANSWERS.occurrences(7.0)
    assert seen["count"] == vocabulary.numeral_counts[vocabulary.numeral_values == 7][0]
    assert (seen["before"], seen["after"]) == (6, 8)
    unseen = ANSWERS.occurrences(7.5)
    assert (unseen["count"], unseen["before"], unseen["after"]) == (0, 7, 8)
    assert ANSWERS.occurrences(0.5)["before"] is None
    assert ANSWERS.occurrences(1e9)["after"] is None


def test_numbers_far_from_those_of_the_corpus_are_guesses():
    """The planted numbers are below 20 and from 2,000 to 9,000."""
    assert ANSWERS.number("7")["is_supported"]
    assert ANSWERS.number("4321.5")["is_supported"]
    assert not ANSWERS.number("300")["is_supported"]
    assert not ANSWERS.number("-7")["is_supported"]
    answer = ANSWERS.curves("few", 1, 9000)
    for value, is_supported in zip(answer["values"], answer["is_supported"], strict=True):
        if not (18 < value < 22 or 1900 < value < 2100):
            assert is_supported == (value < 20 or value > 2000)


def test_nine_in_ten_words_are_as_similar_as_usual():
    answer = ANSWERS.curves("few", 1, 9000)
    rows = ANSWERS.landmarks.word_rows
    for at in (0, 200, -1):
        similarity = rows @ ANSWERS.landmarks.numeral_rows(np.array([answer["values"][at]]))[0]
        low, high = answer["usual"]["low"][at], answer["usual"]["high"][at]
        assert 0.85 < ((similarity > low) & (similarity < high)).mean() < 0.95


@given(st.floats(-1e6, 1e6))
@settings(max_examples=30)
def test_weights_make_up_the_vector(value):
    weights = ANSWERS.weights(value)
    assert 0.9 < sum(one["weight"] for one in weights) < 1.0001
    assert [one["weight"] for one in weights] == sorted(
        (one["weight"] for one in weights), reverse=True
    )


def test_words_stand_where_they_are_most_similar():
    found = ANSWERS.line(0.5, 20_000)["landmarks"]
    places = {landmark["word"]: landmark["value"] for landmark in found}
    assert places["few"] < 20
    assert places["many"] > 2000
    similarities = [landmark["similarity"] for landmark in found]
    assert similarities == sorted(similarities, reverse=True)


def test_words_most_similar_to_an_end_of_a_stretch_are_left_out():
    ends = steps_between(1, 3000, STEPS)
    assert len(ends) < STEPS
    found = ANSWERS.landmarks.along(1, 3000, 60)  # hall would be at 3000
    assert found
    assert {ends[0], ends[-1]}.isdisjoint(landmark.value for landmark in found)


def test_no_word_stands_where_the_corpus_has_no_numbers():
    found = ANSWERS.line(0.5, 20_000)["landmarks"]
    assert found
    assert not [landmark for landmark in found if 22 < landmark["value"] < 1900]


def test_curves_are_similarities():
    answer = ANSWERS.curves("few, MANY", 1, 9000)
    assert [curve["word"] for curve in answer["curves"]] == ["few", "MANY"]
    for curve in answer["curves"]:
        for at in (0, 100, -1):
            value = answer["values"][at]
            expected = ANSWERS.model.similarity(curve["word"], value)
            assert curve["similarities"][at] == pytest.approx(expected, abs=1e-3)


def test_an_odd_number_is_marked_and_a_gap_found():
    pieces = ANSWERS.check("A small box holds 4321 pens, a big one ___")["pieces"]
    marked = [(piece["kind"], piece["text"]) for piece in pieces if piece["kind"] != "text"]
    assert marked == [("numeral", "4321"), ("gap", "___")]
    numeral = next(piece for piece in pieces if piece["kind"] == "numeral")
    assert numeral["is_odd"]
    assert max(numeral["better"]) < 20


@given(st.text("holds small pens 12,.½𝟙🙂_-\n", max_size=60))
@settings(max_examples=60)
def test_pieces_add_up_to_the_text(text):
    pieces = as_json(ANSWERS.check(text))["pieces"]
    assert "".join(piece["text"] for piece in pieces) == text
    for piece in pieces:
        if piece["kind"] != "text":
            assert text[piece["start"] : piece["end"]] == piece["text"]


def test_what_is_expected_is_what_the_model_predicts():
    text = "small box holds 4321 pens"
    answer = as_json(ANSWERS.expected(text, 16, 20))
    predicted = ANSWERS.model.predict("small box holds ___ pens")
    assert answer["median"] == predicted.median
    assert answer["interval"] == list(predicted.interval())
    assert answer["likely"][0]["value"] == predicted.likely(1)[0]
    assert 0.9 < sum(answer["here"]) <= 1.0001
    half = len(answer["here"]) // 2
    assert sum(answer["here"][:half]) > sum(answer["in_general"][:half])


@pytest.mark.parametrize(
    ("ask", "needle"),
    [
        (lambda: ANSWERS.number("few"), "no number"),
        (lambda: ANSWERS.number("5'8\""), "2 numbers"),
        (lambda: ANSWERS.number("1" * 101), "101 characters"),
        (lambda: ANSWERS.number("7", "some"), "common or all"),
        (lambda: ANSWERS.line(5, 5), "two ends"),
        (lambda: ANSWERS.line(float("nan"), 5), "two ends"),
        (lambda: ANSWERS.line(0, float("inf")), "two ends"),
        (lambda: ANSWERS.curves("a b c d e f g", 1, 9), "7 words"),
        (lambda: ANSWERS.curves(" ", 1, 9), "0 words"),
        (lambda: ANSWERS.curves("few", 9, 1), "two ends"),
        (lambda: ANSWERS.check("a" * (LONGEST_TEXT + 1)), "2,001 characters"),
        (lambda: ANSWERS.check("1 " * (MOST_NUMERALS + 1)), "41 numerals"),
        (lambda: ANSWERS.expected("few", 2, 9), "no characters 2 to 9"),
        (lambda: ANSWERS.expected("unheard 7", 8, 9), "none of the words around"),
        (lambda: Answers(model_without_numerals(), "cats"), "nothing to explore"),
    ],
)
def test_questions_without_an_answer_are_refused(ask, needle):
    with pytest.raises(QuestionError, match=needle):
        ask()


def test_an_unknown_word_is_refused_with_close_ones():
    with pytest.raises(UnknownWordError, match="close words are few"):
        ANSWERS.curves("fews", 1, 9)


def test_the_first_view_has_words_and_numbers_of_the_model():
    about = as_json(ANSWERS.about())
    assert ANSWERS.number(about["number"])["count"] > 0
    assert about["low"] < about["high"]
    assert about["window"][0] < float(about["number"]) < about["window"][1]
    assert about["compared"][0] in ("few", "many")
    for text in about["texts"]:
        assert [piece for piece in ANSWERS.check(text)["pieces"] if piece["kind"] != "text"]


def test_a_shop_begins_with_jeff():
    lines = ["size xxl wear 190", "size xs wear 160"] * 20
    shop = nl.train(lines, dim=4, epochs=1, threads=1, min_count=1, encoder=nl.Line(2))
    assert example_of(Landmarks(shop)) == SHOP


def test_a_text_that_hardly_ever_names_sizes_begins_with_its_own_numbers():
    often = [f"small box holds {n} pens" for n in range(3, 9)] * 100
    rare = ["size xxl wear 190", "size xs wear 160"] * 3
    model = nl.train(often + rare, dim=4, epochs=1, threads=1, min_count=1, encoder=nl.Line(2))
    example = example_of(Landmarks(model))
    assert 3 <= float(example.number) < 9
    assert not {"xxl", "xs", "wear"} & {*" ".join(example.sentences).split(), *example.words}


@pytest.mark.parametrize("encoder", BUILT_IN)
def test_all_encoders_are_explored(encoder):
    lines = [f"small box holds {n} pens" for n in range(1, 20)]
    model = nl.train(lines * 5, encoder=encoder, dim=6, epochs=1, threads=1, min_count=1)
    answers = Answers(model, encoder)
    about = as_json(answers.about())
    assert as_json(answers.number(about["number"]))["words"]
    assert as_json(answers.line(*about["window"]))["heights"]
    assert as_json(answers.curves(" ".join(about["compared"]), about["low"], about["high"]))


def test_a_number_is_made_of_the_prototypes_around_it():
    lines = [f"small box holds {n} pens" for n in range(1, 20)]
    settings = {"dim": 6, "epochs": 1, "threads": 1, "min_count": 1}
    answers = Answers(nl.train(lines * 5, encoder=nl.Line(3, log="none"), **settings), "boxes")
    assert answers.about()["prototypes"] == pytest.approx([1, 10, 19])
    assert answers.weights(12.25) == [
        pytest.approx({"prototype": 10, "weight": 0.75}),
        pytest.approx({"prototype": 19, "weight": 0.25}),
    ]
    (only,) = answers.weights(19)
    assert only == pytest.approx({"prototype": 19, "weight": 1})


def test_numbers_with_a_common_vector_have_no_prototype():
    lines = [f"small box holds {n} pens" for n in range(1, 20)]
    settings = {"dim": 6, "epochs": 1, "threads": 1, "min_count": 1}
    answers = Answers(nl.train(lines * 5, encoder=nl.NumeralTokens(3), **settings), "boxes")
    assert answers.about()["prototypes"] == [1, 2, 3]
    assert answers.weights(2) == [{"prototype": 2, "weight": 1}]
    assert answers.weights(700) == []


def test_a_corpus_of_one_number_is_explored():
    model = nl.train(
        ["box holds 7"] * 9, dim=4, epochs=1, threads=1, min_count=1, encoder=nl.Line(1), window=2
    )
    answers = Answers(model, "seven")
    about = as_json(answers.about())
    assert about["low"] < 7 < about["high"]
    assert as_json(answers.expected("box holds ___", 10, 13))["median"] == 7


def test_that_there_is_no_gap_model_is_said_once_and_not_for_each_answer():
    assert ANSWERS.about()["has_gap_model"]
    settings = {"dim": 4, "epochs": 1, "threads": 1, "min_count": 1, "gap_model": False}
    answers = Answers(nl.train(["small box holds 7 pens"] * 30, **settings), "boxes")
    assert as_json(answers.about())["has_gap_model"] is False
    (piece,) = [one for one in answers.check("box 7")["pieces"] if one["kind"] == "numeral"]
    assert piece["value"] == 7  # a warning would be an error here
    assert answers.expected("box 7", 4, 5)["likely"]

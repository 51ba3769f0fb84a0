"""Detection: planted answers, exact figures of made-up ones, items and their sentences."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import EvaluationDataError, EvaluationModelError
from numberline.evaluation import EvaluationSettings
from numberline.evaluation.detection import (
    Item,
    Verdict,
    area_under_curve,
    detection_rows,
    held_out_items,
    items_of,
    measures,
    verdict_on,
)
from numberline.gap_model.slips import OPERATIONS, KindsOfNumerals
from numberline.model.check import CheckedNumeral
from numberline.model.embeddings import Embeddings
from numberline.model.word_vectors import WordVectors
from tests.small_models import model_without_numerals
from tests.training.small_corpora import two_numbers


@pytest.fixture(scope="module")
def lines():
    return two_numbers(1500)


@pytest.fixture(scope="module")
def text(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("text") / "held-out.txt"
    path.write_text("\n".join(lines))
    return str(path)


def rows_of(model, text, **settings):
    (table,) = nl.evaluate(model, "detection", text=text, **settings).tables["detection"]
    return {row["operation"]: row for row in table.rows}, table.notes[0]


def test_planted_slips_are_detected_as_far_as_they_leave_the_usual_range(planted_model, text):
    rows, note = rows_of(planted_model, text, items=500)
    assert list(rows) == [*OPERATIONS, "all"]
    assert rows["from the text"]["AUC"] > 0.95
    assert rows["from the text"]["balanced accuracy"] > 0.85
    assert rows["magnitude slipped"]["AUC"] > 0.75
    assert rows["digits swapped"]["AUC"] < 0.75  # many large numbers remain in their range
    assert sum(rows[operation]["items"] for operation in OPERATIONS) == rows["all"]["items"] == 500
    assert note == (
        "500 sentences of the test part; 0 left out, since nothing around the number is known."
    )
    assert rows_of(planted_model, text, items=500) == (rows, note)


def test_parts_have_no_sentence_in_common(planted_model, text):
    def seen(part):
        settings = EvaluationSettings(text=text, part=part, items=100)
        return {item.text for item in held_out_items(planted_model, settings)}

    assert len(seen("test")) == len(seen("validation")) == 100
    assert not seen("test") & seen("validation")


def test_a_smaller_sample_begins_a_larger_one(planted_model, text):
    few, many = (
        held_out_items(planted_model, EvaluationSettings(text=text, items=items))
        for items in (30, 60)
    )
    assert many[:30] == few


def test_half_of_the_items_of_each_operation_are_changed(planted_model, lines):
    numerals = KindsOfNumerals.of(planted_model.vocabulary)
    items = list(items_of(lines, planted_model.lookup, numerals, np.random.default_rng(1)))[:200]
    counts = Counter((item.operation, item.is_changed) for item in items)
    assert counts == {(name, changed): 20 for name in OPERATIONS for changed in (True, False)}
    for item in items:
        assert (item.text in lines) is not item.is_changed


def test_a_changed_text_is_read_with_the_new_number_and_all_others_as_before(planted_model):
    """Else 3 between 1, and ,450 might become a part of a longer numeral."""
    numerals = KindsOfNumerals.of(planted_model.vocabulary)
    lines = ["holds 1,3,450 and 2012/13 or 5x100 ½ 3 −7½ 1e5 12:30 1,200 1990s", ["7", "of", "9"]]
    items = items_of(lines * 2000, planted_model.lookup, numerals, np.random.default_rng(1))
    before = [[token.value for token in nl.tokenize(line)] for line in (lines[0], "7 of 9")]
    changed = [item for item in items if item.is_changed]
    assert len(changed) > 500
    for item in changed:
        tokens = nl.tokenize(item.text)
        values = [token.value for token in tokens]
        original = before[0] if len(values) == len(before[0]) else before[1]
        different = [
            token.start
            for token, value in zip(tokens, original, strict=True)
            if token.value != value
        ]
        assert different == [item.start]
        assert [token.value for token in tokens if token.start == item.start] == [item.value]


def test_rarity_is_that_of_the_bare_number_before_a_magnitude(planted_model):
    (judged,) = planted_model.check("small box holds 7 million pens")
    assert judged.value == 7e6
    item = Item("small box holds 7 million pens", judged.start, 7.0, "digits swapped", False)
    vocabulary = planted_model.vocabulary
    (count,) = vocabulary.counts_of(np.array([7.0]))
    assert verdict_on(item, [judged], planted_model).corpus_count == count > 0


def test_sentences_without_a_numeral_to_change_are_passed_over(planted_model):
    numerals = KindsOfNumerals.of(planted_model.vocabulary)
    lines = ["no number", "7 alone", "12 alone", "77 alone", "8 alone", "120 alone"]
    true, changed = items_of(lines, planted_model.lookup, numerals, np.random.default_rng(1))
    assert true == ("12 alone", 0, 12, "digits swapped", False)
    assert changed.text in ("210 alone", "102 alone")
    assert changed[1:] == (0, float(changed.text[:3]), "digits swapped", True)


def answers(lines, if_true, if_changed):
    """Return a check_all that knows the lines that were not changed, and how wrong they are."""

    def checked(text):
        wrong = if_true if text in lines else if_changed
        for token in nl.tokenize(text):
            if token.value is not None:
                place = (token.text, token.value, token.start, token.end)
                yield CheckedNumeral(*place, wrong, 1.0, 0.5, wrong > 0.7, [], None, [])

    return lambda model, texts: [list(checked(text)) for text in texts]


@pytest.mark.parametrize(
    ("if_true", "if_changed", "area", "accuracy"),
    [(0.1, 0.9, 1, 1), (0.5, 0.5, 0.5, 0.5), (0.9, 0.1, 0, 0), (0.1, 0.2, 1, 0.5)],
)
def test_made_up_answers_have_exact_figures(
    planted_model, lines, text, monkeypatch, if_true, if_changed, area, accuracy
):
    monkeypatch.setattr(Embeddings, "check_all", answers(lines, if_true, if_changed))
    rows, _ = rows_of(planted_model, text, items=50)
    assert {row["AUC"] for row in rows.values()} == {area}
    assert {row["balanced accuracy"] for row in rows.values()} == {accuracy}
    assert rows["all"]["items"] == 50


def test_numerals_without_an_answer_are_left_out_and_counted(
    planted_model, lines, text, monkeypatch
):
    monkeypatch.setattr(Embeddings, "check_all", answers(lines, math.nan, 0.1))
    rows, note = rows_of(planted_model, text, items=50)
    figures = dict.fromkeys(("AUC", "AUC of rarity", "balanced accuracy"))
    assert rows["all"] == {"operation": "all", **figures, "items": 25}
    assert "25 left out" in note


def test_each_operation_has_its_row():
    verdicts = [
        Verdict("from the text", True, 0.5, True, 7),
        Verdict("from the text", False, 0.4, True, 9),
        Verdict("of its kind", True, 0.1, False, 9),
        Verdict("of its kind", False, 0.3, False, 9),
    ]
    figures = {
        row["operation"]: (row["AUC"], row["AUC of rarity"], row["items"])
        for row in detection_rows(verdicts)
    }
    assert figures["from the text"] == (1, 1, 2)
    assert figures["of its kind"] == (0, 0.5, 2)
    assert figures["unit slipped"] == (None, None, 0)
    assert figures["all"] == (0.5, 0.75, 4)


def test_balanced_accuracy_does_not_depend_on_how_many_are_changed():
    found = [Verdict("of its kind", True, 1.0, True, 1)] * 30
    missed = [Verdict("of its kind", True, 0.0, False, 1)] * 10
    true = [Verdict("of its kind", False, 0.0, False, 1)] * 5
    assert measures(found + missed + true)["balanced accuracy"] == (0.75 + 1) / 2


SUSPICIONS = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=8)


@given(SUSPICIONS, SUSPICIONS)
def test_the_area_is_the_fraction_of_pairs_in_the_right_order(changed, true):
    pairs = [(one > other) + (one == other) / 2 for one in changed for other in true]
    is_changed = np.arange(len(changed) + len(true)) < len(changed)
    area = area_under_curve(np.array(changed + true), is_changed)
    assert area == pytest.approx(np.mean(pairs))


def test_unsuitable_models_and_texts_are_refused(planted_model, text):
    with pytest.raises(EvaluationDataError, match="text=FILE is needed"):
        nl.evaluate(planted_model, "detection")
    with pytest.raises(EvaluationDataError, match=r"that can be changed, but 9,000 are needed"):
        nl.evaluate(planted_model, "detection", text=text, items=9000)
    with pytest.raises(EvaluationModelError, match="with its output vectors"):
        nl.evaluate(WordVectors(["a"], np.ones((1, 2), np.float32)), "detection", text=text)
    with pytest.raises(EvaluationModelError, match="has learnt numerals"):
        nl.evaluate(model_without_numerals(), "detection", text=text)

"""Prediction: planted gaps, scores of many at once against the definition, ranks and errors."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import numberline as nl
from numberline.errors import ConfigError, EvaluationDataError, EvaluationModelError
from numberline.evaluation import EvaluationSettings
from numberline.evaluation.candidates import (
    kinds_of_contexts,
    middle_best,
    middle_ranks,
    numeral_candidates,
)
from numberline.evaluation.gaps import Gap
from numberline.evaluation.prediction import (
    chance,
    error_medians,
    held_out_gaps,
    measures,
    prediction_rows,
)
from numberline.model.contexts import ContextRows, context_rows, contexts_of
from numberline.model.gaps import gaps_between
from numberline.model.scores import SCORES, Candidates
from numberline.model.word_vectors import WordVectors
from numberline.numerals.base import SIDES
from tests.small_models import model_without_numerals
from tests.training.small_corpora import planted

GAPS = [
    Gap(["small", "box", "holds"], ["pens", "fillerab", "big"], 7.0),
    Gap(["unheard", "big", "hall", "seats"], ["people", "9"], 4000.0),
    Gap(["unheard"], ["of"], 12.0),
    Gap(["big"], [], 7.0),
    Gap(["filleraa", "hall", "seats"], ["people"], 3.5),
]
SCORE_TABLES = arrays.arrays(float, (5, 5), elements=st.integers(0, 3).map(float))


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "held-out.txt"
    path.write_text("\n".join(planted(900, seed=2)))
    return str(path)


def test_planted_gaps_are_predicted_well(planted_model, text):
    settings = {"text": text, "items": 300}
    evaluation = nl.evaluate(planted_model, "prediction", **settings)
    table = evaluation.tables["prediction"][0]
    rows = {(row.get("context"), row["score"]): row for row in table.rows}
    first, *others = rows
    assert first == (None, "gap model")
    assert others[: len(SCORES)] == [("flat", score) for score in SCORES]
    assert rows[None, "chance"]["AVGR"] == rows[None, "most frequent"]["AVGR"] == 150.5
    for row in (rows[first], *(rows[kind, "s0"] for kind in ("flat", "training", "weighted"))):
        assert row["AVGR"] < 85  # 75.5 is the mean rank if only its half is known
        assert row["MdLE"] < 0.5 < rows[None, "chance"]["MdLE"]
    again = nl.evaluate(planted_model, "prediction", **settings)
    assert again.tables == evaluation.tables
    other = nl.evaluate(planted_model, "prediction", **settings, part="validation")
    assert other.tables["prediction"][0].notes[0].startswith("300 items of the validation part")


@pytest.mark.parametrize("score", SCORES)
def test_scores_of_many_gaps_equal_those_of_one(planted_model, score):
    candidates, indices = numeral_candidates(planted_model, np.array([gap.value for gap in GAPS]))
    contexts = kinds_of_contexts(planted_model, [gap[:2] for gap in GAPS], words=2)
    values = [gap.value for gap in GAPS]
    weighted = SCORES[score](contexts["weighted"], candidates)[:, indices]
    for gap, scores in zip(GAPS, weighted, strict=True):
        if gap.left != ["unheard"]:
            ranked = [one.score for one in planted_model.predict(gap[:2], values, score)]
            assert sorted(scores)[::-1] == pytest.approx(ranked, rel=1e-4)
    flat = SCORES[score](contexts["flat"], candidates)[:, indices]
    two_a_side = ("box", "holds", "pens", "fillerab")
    sums = [planted_model.vectors(two_a_side, side).sum(axis=0)[None] for side in SIDES]
    numerals = Candidates.of_numerals(planted_model, np.array(values))
    by_definition = SCORES[score](ContextRows(*sums, np.array([4.0])), numerals)
    assert flat[0] == pytest.approx(by_definition[0], rel=1e-4)


def test_each_kind_of_context_has_its_weights():
    """Frequent words weigh less in training than by the root of their keep probability."""
    model = nl.train(planted(200), dim=8, epochs=1, threads=1, sample=1e-3, min_count=1)
    gap = GAPS[0]
    found = kinds_of_contexts(model, [gap[:2]], words=2)
    gaps = gaps_between(model.lookup, [gap[:2]])
    for kind, keep_power in (("weighted", 0.5), ("training", 1.0)):
        expected = context_rows(model, contexts_of(model, gaps, keep_power))
        assert found[kind].input[0] == pytest.approx(expected.input[0])
    assert np.abs(found["training"].input - found["weighted"].input).max() > 1e-3


def test_a_gap_without_a_known_word_ties_all_candidates(planted_model):
    rows = prediction_rows(planted_model, [GAPS[2]] * 3)
    assert {row["AVGR"] for row in rows} == {2}


def test_the_middle_value_of_tied_candidates_is_predicted(planted_model):
    rows = prediction_rows(planted_model, [Gap([], [], value) for value in (1.0, 1e3, 10.0)])
    assert {row["MdAE"] for row in rows if row["score"] not in ("chance", "most frequent")} == {9}


def test_parts_have_no_sentence_in_common(planted_model, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(f"box {number} pens" for number in range(50)))

    def values(part):
        settings = EvaluationSettings(text=str(path), part=part, items=25)
        return {gap.value for gap in held_out_gaps(planted_model, settings)}

    assert values("test") | values("validation") == set(range(50))


def test_numerals_that_share_a_vector_tie():
    """Rare numerals of the encoder token have one vector."""
    settings = {"dim": 9, "epochs": 1, "threads": 1, "min_count": 1, "encoder": "token"}
    model = nl.train(planted(300), **settings)
    values = np.array([3.0, 0.123, 4.0, 1e9, -8.0] * 7)
    candidates, indices = numeral_candidates(model, values)
    assert len(candidates.input) == 3
    contexts = kinds_of_contexts(model, [(["box"], [])])["flat"]
    for score in SCORES.values():
        assert len(np.unique(score(contexts, candidates)[0, indices])) == 3


@pytest.fixture(scope="module")
def stats():
    return pytest.importorskip("scipy.stats")


@given(scores=SCORE_TABLES)
def test_ranks_equal_those_of_scipy(stats, scores):
    right = np.array([0, 1, 2, 3, 4])
    by_scipy = [stats.rankdata(-row)[index] for row, index in zip(scores, right, strict=True)]
    assert middle_ranks(scores, right).tolist() == by_scipy


@given(SCORE_TABLES)
def test_the_best_is_the_middle_one_of_tied_candidates(scores):
    for row, best in zip(scores, middle_best(scores), strict=True):
        tied = np.flatnonzero(row == row.max())
        assert best == tied[(len(tied) - 1) // 2]


@given(arrays.arrays(float, 6, elements=st.integers(0, 3).map(float)))
def test_scores_that_ignore_the_context_have_the_rank_of_chance(scores):
    values = np.arange(6.0)
    assert measures(values, np.tile(scores, (6, 1)))["AVGR"] == chance(values)["AVGR"] == 3.5


def test_error_medians():
    errors = error_medians(np.array([100.0, 0.0, -10.0]), np.array([1000.0, 0.5, 10.0]))
    assert errors["MdAE"] == 20
    assert errors["MdAPE"] == 9  # of 9, 5000 and 2
    distances = [1, 0.5 / math.log(10), 2 * (1 + math.log(10)) / math.log(10)]  # powers of ten
    assert errors["MdLE"] == pytest.approx(1)
    assert errors["AVGLE"] == pytest.approx(np.mean(distances))
    assert error_medians(np.array([-4.0]), np.array([-4.0]))["MdLE"] == 0


def test_unsuitable_models_and_settings_are_refused(planted_model, text):
    with pytest.raises(EvaluationDataError, match="text=FILE is needed"):
        nl.evaluate(planted_model, "prediction")
    with pytest.raises(EvaluationModelError, match="with its output vectors"):
        nl.evaluate(WordVectors(["a"], np.ones((1, 2), np.float32)), "prediction", text=text)
    with pytest.raises(EvaluationModelError, match="has learnt numerals"):
        nl.evaluate(model_without_numerals(), "prediction", text=text)
    with pytest.raises(ConfigError, match="part='train'"):
        nl.evaluate(planted_model, "prediction", text=text, part="train")

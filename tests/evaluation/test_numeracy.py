"""Magnitude and numeration: planted lines, laws of the measures, a slow definition, odd models."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import ConfigError, EvaluationDataError, EvaluationModelError
from numberline.evaluation import EvaluationSettings
from numberline.evaluation.numeracy import (
    contrasts,
    distances_between,
    gaps_between,
    numeracy_cells,
)
from numberline.evaluation.numerals import MOST_FREQUENT, evaluated_numerals, numeral_rows
from numberline.evaluation.numeration import number_words
from numberline.model.word_vectors import WordVectors
from tests.evaluation.small_sets import NUMERALS, on_a_line, write_naik
from tests.small_models import model_without_numerals, small_model

pytest.importorskip("scipy")

PERFECT = {"OVA": 100, "SC": 100, "BC": 100, "AVGR": 1}


def measured(values, rows, protocol="naik"):
    values, rows = np.asarray(values, float), np.asarray(rows, float)
    return numeracy_cells(distances_between(rows, rows), gaps_between(values), protocol, 1)


def test_a_line_is_perfect_and_a_single_point_is_all_wrong():
    values = np.array([1, 2, 3, 5, 9, 17.5])
    assert measured(values, values[:, None]) == PERFECT
    nothing = measured(values, np.zeros((6, 2)))
    # All others are as close: 3 for 2, which has two nearest, and 4 for the rest.
    assert nothing == {"OVA": 0, "SC": 0, "BC": 0, "AVGR": pytest.approx(1 + (3 + 4 * 5) / 12)}


def test_all_at_the_smallest_gap_are_nearest():
    gaps = gaps_between(np.array([0.1, 0.2, 0.3, 0.7]))
    naik, paper = contrasts(gaps, "naik"), contrasts(gaps, "paper")
    assert naik.nearest[1].tolist() == [True, False, True, False]  # up to rounding
    assert naik.second[1].tolist() == naik.furthest[1].tolist() == [False, False, False, True]
    assert paper.nearest[1].tolist() == [False, False, True, False]  # the right one first
    assert paper.second[1].tolist() == [True, False, False, False]
    assert paper.others[1].tolist() == [True, False, False, True]


def test_only_the_paper_protocol_distinguishes_two_neighbours_at_one_gap():
    values = np.arange(2, 40)
    logarithms = np.log(values)[:, None]  # the right one is always a little closer
    assert measured(values, logarithms, "paper") == measured(values, logarithms) == PERFECT
    squares = (values**2)[:, None]  # the left one is; only the ends have no choice
    paper = measured(values, squares, "paper")
    assert paper["SC"] == paper["OVA"] == pytest.approx(100 * 2 / 38)
    assert measured(values, squares)["OVA"] == 100


def test_targets_without_a_second_nearest_are_left_out():
    assert measured([1, 2, 3], [[5], [1], [10]])["SC"] == 50  # of 1 and 3; 2 has two nearest
    assert measured([1, 3], [[0], [1]]) == {"OVA": 100, "SC": None, "BC": None, "AVGR": 1}


def slow_measures(values, rows):
    """Compute protocol "naik" literally by its definition, for whole numbers."""
    right = {"OVA": [], "SC": [], "BC": []}
    ranks = []
    for value, row in zip(values, rows, strict=True):
        far = {v: np.linalg.norm(row - r) for v, r in zip(values, rows, strict=True) if v != value}
        gaps = sorted({abs(v - value) for v in far})
        at = [[far[v] for v in far if abs(v - value) == gap] for gap in gaps]
        others = [d for group in at[1:] for d in group]
        closest = min(at[0])
        right["OVA"].append(all(closest < d for d in others))
        for name, group in (("SC", at[1:2]), ("BC", at[1:][-1:])):
            right[name] += [np.mean([a < b for a in at[0] for b in g]) for g in group]
        ranks.append(1 + sum(d < closest for d in others) + sum(d == closest for d in others) / 2)
    percent = {name: 100 * np.mean(kept) if kept else None for name, kept in right.items()}
    return percent | {"AVGR": np.mean(ranks)}


lines = st.lists(st.integers(-30, 30), min_size=3, max_size=12, unique=True).map(sorted)


@given(lines, st.integers(0, 2**32 - 1), st.integers(1, 3))
@settings(max_examples=60)
def test_the_measures_equal_the_slow_definition(values, seed, dim):
    rows = np.random.default_rng(seed).integers(0, 4, (len(values), dim)).astype(float)
    assert measured(values, rows) == pytest.approx(slow_measures(values, rows))


@given(lines, st.integers(0, 2**32 - 1), st.sampled_from(["naik", "paper"]))
@settings(max_examples=60)
def test_moving_rotating_and_scaling_vectors_changes_nothing(values, seed, protocol):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(len(values), 3))
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    moved = measured(values, 7 * rows @ turn + random.normal(size=3), protocol)
    assert moved == pytest.approx(measured(values, rows, protocol))


def test_random_vectors_get_half_of_the_contrasts_right():
    random = np.random.default_rng(1)
    cells = measured(np.arange(2000), random.normal(size=(2000, 5)))
    assert cells["SC"] == pytest.approx(50, abs=3)
    assert cells["BC"] == pytest.approx(50, abs=3)
    assert cells["OVA"] < 1


def test_magnitude_of_vectors_of_another_tool(tmp_path):
    write_naik(tmp_path)
    vectors = on_a_line(NUMERALS[:-1])
    whole, triples = nl.evaluate(vectors, "magnitude", data=str(tmp_path)).tables["magnitude"]
    assert whole.rows[0] == {
        "protocol": "naik",
        "set": "naik",
        **PERFECT,
        "coverage": pytest.approx(100 * 33 / 34),
        "numerals": 34,
    }
    assert triples.rows[0] == {"test": "SC", "right": 100, "coverage": 100, "triples": 19}
    assert triples.rows[1] == {"test": "BC", "right": None, "coverage": 0, "triples": 2}
    own = nl.evaluate(vectors, "magnitude", numerals="corpus", protocol="paper")
    assert own.tables["magnitude"][0].rows[0]["numerals"] == 33


def test_the_most_frequent_numerals_of_a_corpus_are_evaluated():
    model = small_model()
    numerals = evaluated_numerals(model, EvaluationSettings(numerals="corpus"), "magnitude")
    assert len(numerals.values) == min(MOST_FREQUENT, len(model.vocabulary.numeral_values))
    np.testing.assert_allclose(
        numerals.rows, model.vectors(numerals.values.tolist()), rtol=1e-5, atol=1e-7
    )
    assert nl.evaluate(model, "magnitude", numerals="corpus").tables["magnitude"][0].rows


def test_numerals_of_files_are_those_spelled_as_they_are_looked_up():
    words = ["the", "2000", "2,000", "b2b", "7", "07", "-3", "twelve", "0.5"]
    vectors = WordVectors(words, np.arange(9, dtype=np.float32)[:, None])
    numerals = evaluated_numerals(vectors, EvaluationSettings(numerals="corpus"), "magnitude")
    assert numerals.values.tolist() == [-3, 0.5, 7, 2000]
    assert numerals.rows[:, 0].tolist() == [6, 8, 4, 1]


def test_fixed_vectors_of_neighbours_differ_in_double_precision():
    lines = ["a 1 b 2 c 3 d 90000"] * 20
    model = nl.train(lines, encoder="fixed", dim=8, epochs=1, threads=1, min_count=1)
    values = np.arange(80_000, 80_200).astype(float)
    assert measured(values, model.vectors(values.tolist()), "paper")["OVA"] < 90
    assert measured(values, numeral_rows(model, values), "paper")["OVA"] == 100


def test_number_words_have_values_and_other_words_none():
    words = "zero ten twelve dozen twenty twenty-five one_hundred hundred billion".split()
    others = "and a first tenth One 25 ten-fold - _ half hundreds one-one".split()
    values = [0, 10, 12, 12, 20, 25, 100, 100, 1e9]
    assert number_words([*words, *others]) == dict(zip(words, values, strict=True))


def named(values, words, word_rows):
    rows = [[value] for value in values] + [[row] for row in word_rows]
    return WordVectors([*map(str, values), *words], np.array(rows, np.float32))


def test_numeration_of_planted_number_words():
    words = ["one", "two", "four", "twelve", "dozen"]
    vectors = named([1, 2, 4, 12], words, [1.1, 2.1, 4.1, 99, 12])
    (table,) = nl.evaluate(vectors, "numeration").tables["numeration"]
    assert table.rows[0]["OVA"] == 100
    assert table.rows[0]["AVGR"] == 0
    assert table.rows[0]["SC"] == 80  # twelve is far: half of the pairs of both its items
    assert table.rows[0]["number words"] == 5
    wrong = named([1, 2, 12], words, [12, 2, 4, 1, 1])
    (table,) = nl.evaluate(wrong, "numeration").tables["numeration"]
    assert table.rows[0]["coverage"] == 80  # 4 has no vector
    assert table.rows[0]["OVA"] == 25
    assert table.rows[0]["AVGR"] == (4 + 0 + 3 + 3) / 4


def test_models_without_enough_numerals_are_refused(tmp_path):
    write_naik(tmp_path)
    for model in (model_without_numerals(), on_a_line([1, 2])):
        with pytest.raises(EvaluationModelError, match="at least 3 numerals"):
            nl.evaluate(model, "magnitude", data=str(tmp_path))
    with pytest.raises(EvaluationModelError, match="0 of the 0 in the vocabulary do"):
        nl.evaluate(on_a_line(), "numeration")
    with pytest.raises(ConfigError, match="protocol='nike'"):
        nl.evaluate(on_a_line(), "magnitude", protocol="nike")


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("numerals.txt", "1\ntwo\n", r"line 2: a number is needed, not 'two'"),
        ("numerals.txt", "1\nnan\n", "line 2"),
        ("numerals.txt", "\n", "holds no numerals"),
        ("sc.tsv", "anchor\tclose\tfar\n1\t2\n", "line 2: 3 numbers are needed"),
        ("bc.tsv", "anchor\tclose\tfar\n", "holds no triples"),
    ],
)
def test_broken_files_are_refused_with_their_line(tmp_path, file, text, message):
    write_naik(tmp_path)
    (tmp_path / "naik" / file).write_text(text)
    with pytest.raises(EvaluationDataError, match=message):
        nl.evaluate(on_a_line(), "magnitude", data=str(tmp_path))

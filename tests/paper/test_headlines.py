"""Classes of magnitude: planted titles, measures against scikit-learn, files of both forms."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import EvaluationDataError
from numberline.evaluation import Gap
from numberline.model import Candidates
from numberline_paper.headlines.task import (
    chance,
    class_rows,
    class_vectors,
    gap_of,
    macro_f1,
    measures,
)
from numberline_paper.headlines.titles import (
    CLASSES,
    Title,
    read_titles,
    titles_of,
    training_titles,
)

PLANTED_CLASSES = {1: ("small box holds {} pens", range(1, 10)), 4: ("hall seats {}", [2500, 8100])}


def record(text, number, magnitude):
    offset = text.index(number)
    plain = number.replace(",", "")
    place = {"offset": offset, "length": len(number), "magnitude": magnitude}
    return {"title": text, "number": plain, **place}


def planted_records(count):
    """Return titles with few digits in the box, and many in the hall."""
    records = []
    for at in range(count):
        magnitude = 4 if at % 3 == 0 else 1
        text, numbers = PLANTED_CLASSES[magnitude]
        number = f"{numbers[at % len(numbers)]:,}"
        records.append(record(text.format(number), number, magnitude))
    return records


def write_parts(folder, **parts):
    for part, records in parts.items():
        (folder / f"{part}.json").write_text(json.dumps(records))
    return folder


def test_planted_classes_are_predicted(planted_model, tmp_path):
    test = [*planted_records(30), record("a covid-19 test", "19", 2)]
    write_parts(tmp_path, train=planted_records(60), test=test)
    evaluation = nl.evaluate(planted_model, "magnitude-class", titles=str(tmp_path))
    table = evaluation.tables["magnitude-class"][0]
    rows = {(row.get("context"), row["score"]): row for row in table.rows}
    assert table.notes[0].startswith("30 titles of the test part; 1 more")
    for kind in ("flat", "training", "weighted"):
        assert rows[kind, "s0"] == {
            "context": kind,
            "score": "s0",
            "AVGR": 1,
            "micro-F1": 100,
            "macro-F1": 100 * 2 / CLASSES,
        }
    most_frequent = rows[None, "most frequent"]
    assert most_frequent["AVGR"] == pytest.approx(4 / 3)
    assert most_frequent["micro-F1"] == pytest.approx(100 * 2 / 3)
    assert rows[None, "chance"]["AVGR"] == 4.5


def test_a_class_has_the_mean_vector_of_its_numerals(planted_model):
    titles = [Title("", 3.0, 0, 1, 1), Title("", 5.0, 0, 1, 1), Title("", 0.5, 0, 1, 0)]
    vectors = class_vectors(planted_model, titles, 100, np.random.default_rng(1))
    for side, rows in (("input", vectors.input), ("output", vectors.output)):
        mean = planted_model.vectors([3, 5], side).mean(axis=0)
        assert rows[1] == pytest.approx(mean, rel=1e-5)
        assert rows[0] == pytest.approx(planted_model.vector(0.5, side), rel=1e-5)
    one = class_vectors(planted_model, titles, 1, np.random.default_rng(1)).input[1]
    assert any(one == pytest.approx(planted_model.vector(value), rel=1e-5) for value in (3, 5))


def test_a_class_without_numerals_is_ranked_last(planted_model):
    gap = Gap(["small", "box"], [], 7.0)
    rows = np.zeros((CLASSES, planted_model.dim))
    rows[1] = -planted_model.vectors(gap.left, "output").sum(axis=0)  # fits worse than zeros
    vectors = Candidates(planted_model, rows, rows)
    counts = np.bincount([1, 1, 1], minlength=CLASSES)
    first = class_rows(planted_model, [gap], np.array([1]), vectors, counts)[0]
    assert (first["score"], first["AVGR"]) == ("s0", 1)


@pytest.mark.parametrize(
    ("text", "number", "left"),
    [
        ("up -5 today", "5", ["up"]),
        ("2 of 2,500", "2,500", ["2", "of"]),
        ("by 2020s end", "2020", ["by"]),
        ("the B-52 flies", "52", None),
    ],
)
def test_the_numeral_of_a_title_is_located_by_its_offset(planted_model, text, number, left):
    start = text.rindex(number)
    gap = gap_of(Title(text, 1.0, start, start + len(number), 1), planted_model)
    assert left == (gap and [token.text for token in gap.left])


@pytest.fixture(scope="module")
def metrics():
    return pytest.importorskip("sklearn.metrics")


@given(pairs=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=40))
def test_f1_equals_that_of_scikit_learn(metrics, pairs):
    true, predicted = np.array(pairs).T
    by_sklearn = metrics.f1_score(
        true, predicted, labels=range(CLASSES), average="macro", zero_division=0.0
    )
    assert macro_f1(true, predicted) == pytest.approx(by_sklearn)
    scores = np.eye(CLASSES)[predicted]
    micro = metrics.f1_score(true, predicted, average="micro")
    assert measures(scores, true)["micro-F1"] == pytest.approx(100 * micro)


def test_chance_equals_the_mean_of_random_classes():
    random = np.random.default_rng(1)
    true = random.choice([0, 1, 2, 2, 2], 200_000)
    drawn = measures(random.random((len(true), CLASSES)), true)
    assert drawn == pytest.approx(chance(true), abs=0.2)


def test_one_file_is_split_as_in_the_paper(tmp_path):
    records = [record(f"a {at} b", str(at), len(str(at))) for at in range(600)]
    path = tmp_path / "titles.json"
    path.write_text(json.dumps(records))
    parts = {part: titles_of(path, part) for part in ("train", "validation", "test")}
    assert [len(titles) for titles in parts.values()] == [450, 50, 100]
    assert len({title.value for titles in parts.values() for title in titles}) == 600
    assert training_titles(path) == [title.text for title in parts["train"]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no JSON", "holds no JSON"),
        ("{}", "no list of titles"),
        ("[]", "no list of titles"),
        ('[{"title": "a 5"}]', "record 0: title, number, offset"),
        (json.dumps([record("a 5", "5", 8)]), "magnitude=8 must be 0 to 7"),
        (json.dumps([record("a 5", "5", 1) | {"offset": 3}]), "there is no numeral at offset 3"),
    ],
)
def test_broken_files_are_refused(tmp_path, content, message):
    path = tmp_path / "train.json"
    path.write_text(content)
    with pytest.raises(EvaluationDataError, match=message):
        read_titles(path)


def test_missing_data_are_named(planted_model, tmp_path):
    with pytest.raises(EvaluationDataError, match=r"data=FOLDER .*Numeracy-600K"):
        nl.evaluate(planted_model, "magnitude-class")
    with pytest.raises(EvaluationDataError, match=r"train\.json cannot be read"):
        nl.evaluate(planted_model, "magnitude-class", titles=str(tmp_path))
    write_parts(tmp_path, train=planted_records(3), test=[record("a covid-19 test", "19", 2)])
    with pytest.raises(EvaluationDataError, match="no title has a numeral"):
        nl.evaluate(planted_model, "magnitude-class", titles=str(tmp_path))

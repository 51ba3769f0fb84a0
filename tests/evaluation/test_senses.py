"""The task `senses` on a model whose senses are planted."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import EvaluationDataError
from numberline.evaluation.senses import Item, evaluate, items_in, items_of, with_gap
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import no_progress
from numberline.senses import Evidence
from numberline.senses.evidence import SILENT
from tests.senses.planted import BESIDE, COUNT, YEAR, planted_corpus


@pytest.fixture(scope="module")
def model():
    corpus, _ = planted_corpus()
    return nl.train(corpus, dim=16, epochs=8, gap_model=False, threads=1)


def held_out(path, count=100):
    rng = np.random.default_rng(7)
    lines = []
    for number in rng.integers(1990, 2020, count).tolist():
        first, second, third = rng.choice(BESIDE[YEAR], 3)
        lines.append(f"{first} {second} in {number} and {third} the")
        first, second, third = rng.choice(BESIDE[COUNT], 3)
        lines.append(f"{first} {second} and {number} people {third} the")
    path.write_text("\n".join(lines), encoding="utf-8")
    return EvaluationSettings(text=str(path))


def test_years_and_counts_are_told_apart_without_the_word_that_tells(model, tmp_path):
    (of_numbers, triples) = evaluate(model, held_out(tmp_path / "text"), no_progress)
    (row,) = of_numbers.rows
    assert (row["years"], row["counts"]) == (100, 100)
    assert row["AUC"] > 0.95
    assert row["AUC, number"] == pytest.approx(0.5, abs=0.1)
    _, drawn = triples.rows
    assert drawn["of"] >= 50
    assert drawn["right"] == drawn["of"]


def test_items_are_whole_numbers_with_one_word_that_tells(model):
    text = "In 2001 the 2005 people of May 1999 saw 12 km, 1999.5 km and in 1500 men since 3000"
    found = list(items_in(text, model.lookup.tokens(text)))
    assert [(item.value, item.is_year) for item in found] == [
        (2001, True),
        (2005, False),
        (1999, True),
    ]
    for item in found:
        digits = str(int(item.value))
        assert item.text[item.start : item.start + 4] == digits
    assert "people" not in found[1].text
    assert found[0].text.startswith(" 2001")


def test_the_place_of_the_word_that_tells_stays_empty():
    evidence = Evidence(np.zeros(1, np.int32), np.arange(10)[None])
    before, after = (with_gap(evidence, is_before).neighbours[0] for is_before in (True, False))
    assert before.tolist() == [1, 2, 3, 4, SILENT, 5, 6, 7, 8, 9]
    assert after.tolist() == [0, 1, 2, 3, 4, SILENT, 5, 6, 7, 8]


def test_years_are_limited_and_counts_are_not(model, monkeypatch):
    monkeypatch.setattr("numberline.evaluation.senses.MOST_YEARS", 3)
    texts = ["in 2001 the king", "the 2001 people"] * 10
    found = list(items_of(model, texts))
    assert sum(item.is_year for item in found) == 3
    assert sum(not item.is_year for item in found) == 10
    assert isinstance(found[0], Item)


def test_texts_without_both_are_refused(model, tmp_path):
    (tmp_path / "text").write_text("in 2001 the king\n" * 10)
    with pytest.raises(EvaluationDataError, match="too few"):
        evaluate(model, EvaluationSettings(text=str(tmp_path / "text")), no_progress)
    with pytest.raises(EvaluationDataError, match="text=FILE"):
        evaluate(model, EvaluationSettings(), no_progress)

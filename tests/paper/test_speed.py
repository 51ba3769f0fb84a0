"""Speed: every encoder has its turns, on the same text."""

from types import SimpleNamespace

import numpy as np
import pytest

import numberline as nl
from numberline.errors import EvaluationDataError, NumberlineWarning
from numberline.evaluation.settings import EvaluationSettings
from numberline.model.word_vectors import WordVectors
from numberline.settings import Settings
from numberline_paper import speed
from numberline_paper.speed import Run, speed_row
from tests.training.small_corpora import planted

QUICK = {"speed_sentences": 200, "speed_runs": 2, "threads": 1}


@pytest.fixture
def trained(monkeypatch):
    """The encoders that were trained, in order, with the tokens and settings of each."""
    calls = []
    train = speed.pipeline.train

    def watched(corpus, **settings):
        calls.append((settings["encoder"], len(corpus), settings))
        return train(corpus, **settings)

    monkeypatch.setattr(speed.pipeline, "train", watched)
    monkeypatch.setattr(speed, "trained_encoders", lambda: ["som", "token", "fixed"])
    return calls


def test_encoders_take_turns_on_the_same_text(planted_model, trained, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join(planted(300)))
    table = nl.evaluate(planted_model, "speed", text=str(path), **QUICK).tables["speed"][0]
    assert [call[:2] for call in trained] == [("som", 200), ("token", 200), ("fixed", 200)] * 2
    assert [row["encoder"] for row in table.rows] == ["som", "token", "fixed"]
    assert all(
        row["tokens/s"] > row["sentences/s"] > 0 and row["fit, s"] >= 0 for row in table.rows
    )
    settings = trained[0][2]
    assert (settings["dim"], settings["epochs"], settings["threads"]) == (12, 1, 1)
    assert f"{path}: 200 sentences" in table.notes[1]


def test_without_a_text_the_shop_chats(trained):
    vectors = WordVectors(["a"], np.ones((1, 2), np.float32))
    table = nl.evaluate(vectors, "speed", **QUICK).tables["speed"][0]
    assert "demo shop: 200 sentences" in table.notes[1]
    assert trained[0][2]["dim"] == 100


def test_speed_is_not_done_unless_asked_for(planted_model, trained):
    found = nl.evaluate(planted_model)
    assert not trained
    assert "speed" not in {*found.tables, *found.left_out}


def test_the_fit_is_not_a_part_of_training(monkeypatch):
    clock = iter([100.0, 107.0])
    done = SimpleNamespace(training={"seconds": 5.0, "tokens": 900})
    monkeypatch.setattr(speed.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(speed.pipeline, "train", lambda corpus, **settings: done)
    run = speed.timed_run(["a sentence"] * 30, "gmm", Settings(), EvaluationSettings())
    assert run == Run(tokens=900, sentences=30, fit_seconds=2, seconds=5)


def test_the_median_run_counts():
    runs = [Run(1000, 100, fit, seconds) for fit, seconds in ((1, 1), (2, 0.5), (9, 50))]
    assert speed_row(runs) == {"sentences/s": 100, "tokens/s": 1000, "fit, s": 2}


def test_a_text_without_numerals_is_refused(planted_model, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("no numeral\n" * 9)
    with (
        pytest.warns(NumberlineWarning, match="no numerals"),
        pytest.raises(EvaluationDataError, match="first 9 sentences hold no numeral"),
    ):
        nl.evaluate(planted_model, "speed", text=str(path))


def test_machines_have_names():
    assert "cores, Python 3" in speed.machine()
    assert EvaluationSettings().speed.speed_runs % 2 == 1  # so that the median is one of them

"""Speed: encoders take turns on the same text, and the median run counts."""

from types import SimpleNamespace

import numpy as np
import pytest

import numberline as nl
from numberline.errors import EvaluationDataError, MissingExtraError, NumberlineWarning
from numberline.model import WordVectors
from numberline.numerals import BUILT_IN
from numberline.settings import Settings
from numberline_paper import speed
from numberline_paper.speed import Run, speed_row
from tests.training.small_corpora import planted


@pytest.fixture
def trained(monkeypatch):
    """Return the trainings that follow: encoder, number of sentences and settings."""
    calls = []
    train = nl.train

    def watched(corpus, **settings):
        calls.append((settings["encoder"], len(corpus), settings))
        return train(corpus, **settings)

    monkeypatch.setattr(nl, "train", watched)
    monkeypatch.setattr(speed, "ENCODERS", ["som", "token", "fixed"])
    monkeypatch.setattr(speed, "MOST_SENTENCES", 200)
    monkeypatch.setattr(speed, "RUNS", 2)
    return calls


def test_encoders_take_turns_on_the_same_text(planted_model, trained, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join(planted(300)))
    table = nl.evaluate(planted_model, "speed", text=str(path), threads=1).tables["speed"][0]
    assert [call[:2] for call in trained] == [("som", 200), ("token", 200), ("fixed", 200)] * 2
    assert [row["encoder"] for row in table.rows] == ["som", "token", "fixed"]
    assert all(
        row["tokens/s"] > row["sentences/s"] > 0 and row["fit, s"] >= 0 for row in table.rows
    )
    settings = trained[0][2]
    assert (settings["dim"], settings["epochs"], settings["threads"]) == (12, 1, 1)
    assert f"{path}: 200 sentences" in table.notes[1]


def test_without_a_text_the_chat_of_the_shop_is_trained(trained):
    vectors = WordVectors(["a"], np.ones((1, 2), np.float32))
    table = nl.evaluate(vectors, "speed", threads=1).tables["speed"][0]
    assert "demo shop: 200 sentences" in table.notes[1]
    assert trained[0][2]["dim"] == 100


def test_the_time_to_fit_an_encoder_is_measured_apart(monkeypatch):
    clock = iter([100.0, 107.0])
    done = SimpleNamespace(training={"seconds": 5.0, "tokens": 900})
    monkeypatch.setattr(speed.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(nl, "train", lambda corpus, **settings: done)
    run = speed.timed_run(["a sentence"] * 30, "gmm", Settings())
    assert run == Run(tokens=900, sentences=30, fit_seconds=2, training_seconds=5)


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


def test_encoders_without_their_package_are_named(monkeypatch):
    def trainer_of(name):
        if name == "lstm":
            raise MissingExtraError("torch", "torch")

    monkeypatch.setattr(speed, "trainer_of", trainer_of)
    names, notes = speed.available_encoders()
    assert names == list(BUILT_IN)
    assert notes == [
        "lstm is left out: torch is not installed; run pip install 'numberline[torch]'"
    ]


def test_the_machine_is_named():
    assert "cores, Python 3" in speed.machine()


def test_the_median_is_one_of_the_runs():
    assert speed.RUNS % 2 == 1

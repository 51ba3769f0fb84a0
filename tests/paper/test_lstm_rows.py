"""The row lstm of the paper's tables: trained, evaluated and tagged with like any other."""

from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

import numberline as nl
from numberline.evaluation.run import ignore
from numberline.evaluation.settings import EvaluationSettings, ReproductionSettings
from numberline.numerals.registry import registered
from numberline.settings import made_of
from numberline_paper import speed, trainers
from numberline_paper.grid import WIKIPEDIA, training_of
from numberline_paper.lstm import Lstm
from numberline_paper.reproduce import Workshop
from numberline_paper.tagging_grid import learnt_source
from tests.paper.networks import planted_without
from tests.training.small_corpora import planted

torch = pytest.importorskip("torch")

from numberline.integrations.torch import NumberlineEmbedding  # noqa: E402
from numberline_paper import train_lstm  # noqa: E402

QUICK = {"dim": 8, "window": 2, "epochs": 1, "min_count": 1, "sample": 0, "threads": 1}


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """As an installed package would be, although it may run from its sources."""
    trainer = EntryPoint("lstm", "numberline_paper.lstm.training:train_lstm", "any")
    monkeypatch.setattr(trainers, "entry_points", lambda group: [trainer])
    monkeypatch.setitem(registered, "lstm", Lstm)


@pytest.fixture(scope="module")
def model():
    return train_lstm(planted_without(sentences=300), **QUICK)


def test_a_reproduction_trains_it_and_finds_it_again(tmp_path):
    config = made_of(ReproductionSettings, {"dim": 6, "threads": 1})
    texts = SimpleNamespace(encoded=lambda name: nl.encode(planted(100), min_count=1))
    workshop = Workshop(texts, tmp_path, tmp_path, config, ignore)
    training = training_of("lstm", "similarity", WIKIPEDIA, config)
    assert training.name == "lstm-dim6"
    model = workshop.model(training)
    assert model.settings.encoder == Lstm()
    assert workshop.model(training).training == model.training


def test_a_tagger_can_have_its_vectors():
    sentences = [[(word, "O") for word in f"i am {at} and well".split()] for at in range(60)]
    source = learnt_source("lstm", EvaluationSettings(), {"epochs": 1})
    assert source.vectors(sentences, 100, 1).config.encoder == Lstm()


def test_it_is_evaluated(model, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("\n".join(planted(300, seed=9)))
    found = nl.evaluate(model, "prediction", text=str(text), items=50)
    assert found.tables["prediction"][0].rows


def test_its_speed_is_measured(model, monkeypatch):
    monkeypatch.setattr(speed, "trained_encoders", lambda: ["fixed", "lstm"])
    settings = {"speed_sentences": 200, "speed_runs": 1, "threads": 1}
    (table,) = nl.evaluate(model, "speed", **settings).tables["speed"]
    assert [row["encoder"] for row in table.rows] == ["fixed", "lstm"]
    assert all(row["tokens/s"] > 0 for row in table.rows)


def test_numbers_are_checked_and_have_neighbours(model):
    assert model.check("small box holds 7 pens")[0].lift > 0
    assert model.similar("7", 3, kind="numerals")


def test_torch_composes_its_numerals(model):
    rows = NumberlineEmbedding(model)([["box", "187.3", "7"]])
    assert torch.allclose(rows[0], torch.from_numpy(model.vectors(["box", "187.3", "7"])))

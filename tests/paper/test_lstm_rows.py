"""The row lstm of the paper's tables: trained, evaluated and used for tagging like any other."""

from types import SimpleNamespace

import pytest

import numberline as nl
from numberline.errors import NumberlineWarning
from numberline.evaluation import no_progress
from numberline.numerals.registry import registered
from numberline_paper import speed
from numberline_paper.grid import WIKIPEDIA, training_of
from numberline_paper.lstm import Lstm
from numberline_paper.settings import ReproductionSettings, TaggingSettings
from numberline_paper.tagging.learnt_vectors import learnt_source
from numberline_paper.workshop import Workshop
from tests.paper.networks import planted_without
from tests.training.small_corpora import planted

torch = pytest.importorskip("torch")

from numberline.integrations.torch import NumberlineEmbedding  # noqa: E402
from numberline_paper import train_lstm  # noqa: E402

QUICK = {"dim": 8, "window": 2, "epochs": 1, "min_count": 1, "sample": 0, "threads": 1}


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """Register the encoder as an installed package would."""
    monkeypatch.setitem(registered, "lstm", Lstm)


@pytest.fixture(scope="module")
def model():
    return train_lstm(planted_without(sentences=300), **QUICK)


def test_a_reproduction_trains_it_once(tmp_path):
    settings = ReproductionSettings(dim=6, threads=1)
    texts = SimpleNamespace(encoded=lambda name: nl.encode(planted(100), min_count=1))
    workshop = Workshop(texts, tmp_path, tmp_path, settings, no_progress)
    training = training_of("lstm", "similarity", WIKIPEDIA, settings)
    assert training.name == "lstm-dim6"
    model = workshop.model(training)
    assert model.settings.encoder == Lstm()
    assert workshop.model(training).training == model.training


def test_a_tagger_can_have_its_vectors():
    sentences = [[(word, "O") for word in f"i am {at} and well".split()] for at in range(60)]
    source = learnt_source("lstm", TaggingSettings(), {"epochs": 1})
    assert source.vectors(sentences, 100, 1).settings.encoder == Lstm()


def test_it_is_evaluated(model, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("\n".join(planted(300, seed=9)))
    evaluation = nl.evaluate(model, "prediction", text=str(text), items=50)
    assert evaluation.tables["prediction"][0].rows


def test_its_speed_is_measured(model, monkeypatch):
    monkeypatch.setattr(speed, "ENCODERS", ["fixed", "lstm"])
    monkeypatch.setattr(speed, "MOST_SENTENCES", 200)
    monkeypatch.setattr(speed, "RUNS", 1)
    (table,) = nl.evaluate(model, "speed", threads=1).tables["speed"]
    assert [row["encoder"] for row in table.rows] == ["fixed", "lstm"]
    assert all(row["tokens/s"] > 0 for row in table.rows)


def test_numbers_are_checked_and_have_neighbours(model):
    with pytest.warns(NumberlineWarning, match="has no gap model"):
        assert model.check("small box holds 7 pens")[0].lift > 0
    assert model.similar("7", 3, kind="numerals")


def test_torch_composes_its_numerals(model):
    rows = NumberlineEmbedding(model)([["box", "187.3", "7"]])
    assert torch.allclose(rows[0], torch.from_numpy(model.vectors(["box", "187.3", "7"])))

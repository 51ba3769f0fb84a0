"""Rows of the paper's tables that another package trains."""

from types import SimpleNamespace

import pytest

import numberline as nl
from numberline.errors import MissingExtraError
from numberline.evaluation.run import ignore
from numberline.evaluation.settings import EvaluationSettings, ReproductionSettings
from numberline.numerals.fixed import Fixed
from numberline.numerals.registry import BUILT_IN, registered
from numberline.settings import made_of
from numberline_paper import speed, trainers
from numberline_paper.grid import WIKIPEDIA, training_of
from numberline_paper.reproduce import Workshop
from numberline_paper.tagging_grid import learnt_source
from numberline_paper.trainers import trained_encoders, trainer_of
from tests.training.small_corpora import planted


class Own(Fixed):
    """An encoder that has another trainer."""

    name = "own"


class FakeEntryPoint:
    name = "own"

    def __init__(self):
        self.calls = []

    def load(self):
        return self.train

    def train(self, corpus, folder=None, overwrite=False, **settings):
        self.calls.append(settings)
        given = {name: value for name, value in settings.items() if name != "progress"}
        return nl.train(corpus, folder, overwrite=overwrite, **given)


@pytest.fixture
def own(monkeypatch):
    found = FakeEntryPoint()
    monkeypatch.setattr(trainers, "entry_points", lambda group: [found])
    monkeypatch.setitem(registered, "own", Own)
    return found


def test_encoders_are_built_in_or_installed(own):
    assert trained_encoders() == [*BUILT_IN, "own"]
    assert trainer_of("own") == own.train
    settings = {"encoder": "gmm:prototypes=3", "dim": 4, "epochs": 1, "min_count": 1}
    assert trainer_of("gmm")(planted(50), **settings).config.encoder == nl.Gmm(prototypes=3)


def test_a_reproduction_trains_a_row_by_its_trainer(own, tmp_path):
    config = made_of(ReproductionSettings, {"dim": 6, "threads": 1})
    texts = SimpleNamespace(encoded=lambda name: nl.encode(planted(50), min_count=1))
    workshop = Workshop(texts, tmp_path, tmp_path, config, ignore)
    training = training_of("own", "similarity", WIKIPEDIA, config)
    model = workshop.model(training)
    assert model.settings.encoder == Own()
    assert (own.calls[0]["dim"], own.calls[0]["threads"]) == (6, 1)
    assert not {"resume", "preset"} & set(own.calls[0])
    assert workshop.model(training).config == model.settings
    assert len(own.calls) == 1


def test_tagging_learns_a_row_by_its_trainer(own):
    sentences = [[(word, "O") for word in f"i am {at} and well".split()] for at in range(60)]
    model = learnt_source("own", EvaluationSettings(), {"epochs": 1}).vectors(sentences, 100, 1)
    assert model.settings.encoder == Own()
    assert own.calls[0]["dim"] == 50


def test_speed_times_what_is_installed_and_names_what_lacks_a_package(own, monkeypatch):
    names, notes = speed.available_encoders()
    assert names == [*BUILT_IN, "own"]
    assert not notes

    def load():
        raise MissingExtraError("torch", "torch")

    monkeypatch.setattr(own, "load", load)
    names, notes = speed.available_encoders()
    assert names == list(BUILT_IN)
    assert notes == [
        "own is left out: torch is not installed; pip install 'numberline[torch]' brings it"
    ]

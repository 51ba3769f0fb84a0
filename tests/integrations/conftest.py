"""One small model for all integrations."""

import pytest

import numberline as nl
from tests.training.small_corpora import planted


@pytest.fixture(scope="session")
def planted_model():
    settings = {"dim": 12, "epochs": 3, "threads": 1, "min_count": 1, "sample": 0}
    return nl.train(planted(), learning_rate=0.1, **settings)


@pytest.fixture(scope="session")
def planted_folder(planted_model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "planted"
    planted_model.save(folder)
    return folder

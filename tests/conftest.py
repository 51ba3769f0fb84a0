"""What tests read and ask: files, and a small trained model."""

import pytest

import numberline as nl
from numberline.config import ADDED_ENCODERS
from tests.small_models import small_model


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("the cat has 9 lives\nthe dog has 1,000 or 1000\n" * 5)
    return path


@pytest.fixture(scope="session")
def planted_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted") / "model"
    small_model().save(folder)
    return folder


@pytest.fixture(scope="session")
def planted_model(planted_folder):
    return nl.load(planted_folder)


@pytest.fixture
def added_encoders():
    """What a test registers is known to no other."""
    before = dict(ADDED_ENCODERS)
    ADDED_ENCODERS.clear()
    yield ADDED_ENCODERS
    ADDED_ENCODERS.clear()
    ADDED_ENCODERS.update(before)

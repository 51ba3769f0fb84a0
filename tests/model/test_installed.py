"""Models of installed packages, found by their names."""

from types import SimpleNamespace

import pytest

import numberline as nl
from numberline.errors import StoreError
from numberline.model import installed
from tests.running_commands import assert_refused, run


@pytest.fixture
def offered(planted_model, tmp_path, monkeypatch):
    """A package on the path that offers a model "planted", and one that is gone."""
    planted_model.save(tmp_path / "planted_package")
    (tmp_path / "planted_package/__init__.py").write_text("raise AssertionError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    points = {
        "planted": SimpleNamespace(value="planted_package"),
        "gone": SimpleNamespace(value="no_such_package"),
    }
    monkeypatch.setattr(installed, "plugins", lambda group: points)
    return tmp_path / "planted_package"


def test_a_name_loads_the_model_of_its_package(offered, planted_model):
    assert nl.load("planted").words == planted_model.words
    assert installed.installed_models() == {"planted": offered}


def test_a_folder_of_that_name_comes_first(offered, planted_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "planted").mkdir()
    with pytest.raises(StoreError, match="planted holds no model"):
        nl.load("planted")


def test_unknown_names_list_what_there_is(offered):
    with pytest.raises(StoreError, match=r"no model 'gone'.* installed models are planted$"):
        nl.load("gone")


@pytest.mark.parametrize("path", ["./planted", "models/planted", "planted/"])
def test_paths_are_no_names(offered, path):
    with pytest.raises(StoreError, match="holds no model"):
        nl.load(path)


def test_commands_take_names(tmp_path):
    assert_refused(run("similar", "no-such-model", "7", cwd=tmp_path), "no model 'no-such-model'")

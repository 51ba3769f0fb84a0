"""Tasks: found by name and by entry point, listed without heavy imports, given their settings."""

import subprocess
import sys
import types
from dataclasses import dataclass

import numpy as np
import pytest

import numberline as nl
from numberline.errors import EvaluationDataError
from numberline.evaluation import EvaluationSettings, Table, Task, task
from numberline.fields import setting
from numberline.model import WordVectors

VECTORS = WordVectors(["a"], np.ones((1, 2), np.float32))


@dataclass(frozen=True)
class OtherSettings(EvaluationSettings):
    animal: str = setting("cat", "An animal.")


class EntryPoint:
    def __init__(self, entry):
        self.load = lambda: entry


@pytest.fixture
def other_package(monkeypatch):
    """Install a package with the tasks `animals`, and `lazy`, which is not done by default."""
    module = types.ModuleType("other_package")
    module.evaluate = lambda model, settings, progress: [Table(settings.animal, [])]
    monkeypatch.setitem(sys.modules, "other_package", module)
    entries = {
        "animals": EntryPoint(Task("other_package", "animals", settings_class=OtherSettings)),
        "lazy": EntryPoint(Task("other_package", "not by default", False, OtherSettings)),
    }
    monkeypatch.setattr(task, "plugins", lambda group: entries)
    return module


def test_listing_tasks_imports_nothing_heavy():
    code = "import sys; import numberline.cli.evaluate; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    modules = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "numberline_paper.tasks" in modules
    assert not {"torch", "scipy", "matplotlib", "sklearn", "seqeval", "numberline_shop"} & {
        *modules
    }


def test_tasks_of_other_packages_have_their_own_settings(other_package):
    evaluation = nl.evaluate(VECTORS, "animals", animal="dog")
    assert evaluation.tables["animals"][0].title == "dog"
    assert evaluation.settings["animal"] == "dog"
    with pytest.raises(TypeError, match="unknown setting 'plant'; known are animal, data"):
        nl.evaluate(VECTORS, "animals", plant="oak")


def test_only_tasks_that_are_done_by_default_are_done_without_names(other_package):
    evaluation = nl.evaluate(VECTORS)
    assert "animals" in evaluation.tables
    assert not {"lazy", "speed", "tagging"} & {*evaluation.tables, *evaluation.left_out}


def test_a_task_without_data_is_left_out_unless_it_is_the_only_one(other_package, monkeypatch):
    def without_data(model, settings, progress):
        raise EvaluationDataError("no animals here")

    monkeypatch.setattr(other_package, "evaluate", without_data)
    assert nl.evaluate(VECTORS).left_out["animals"] == "no animals here"
    with pytest.raises(EvaluationDataError, match="no animals"):
        nl.evaluate(VECTORS, ["animals", "lazy"])

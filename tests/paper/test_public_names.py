"""The experiments use public names of the library, and the library does not know them."""

import ast
import importlib
from dataclasses import fields
from pathlib import Path

import pytest

import numberline
from numberline.evaluation.task import all_tasks, settings_classes
from numberline.explore.settings import ExploreSettings, PlotSettings
from numberline.settings import Settings
from numberline.tagging import TaggerSettings
from numberline_paper.settings import ReproductionSettings
from numberline_shop import ShopSettings

SOURCES = Path(numberline.__file__).parents[1]
EXPERIMENTS = sorted((SOURCES / "numberline_paper").rglob("*.py"))
LIBRARY = sorted((SOURCES / "numberline").rglob("*.py"))
LAZY = ["evaluation", "explore", "integrations", "model", "tagging", "training"]
MOST_PUBLIC_NAMES = 24
MOST_SETTINGS = 45


def imports_of(path):
    """Yield each imported module with the imported name, or with None for the module itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_experiments_import_public_names_only(path):
    for module, name in imports_of(path):
        if module.partition(".")[0] == "numberline":
            assert module.count(".") <= 1, f"{module} is too deep"
            assert name is None or name in importlib.import_module(module).__all__, (module, name)


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_the_library_imports_neither_the_experiments_nor_the_shop(path):
    packages = {module.partition(".")[0] for module, _ in imports_of(path) if module}
    assert not packages & {"numberline_paper", "numberline_shop"}


@pytest.mark.parametrize("package", LAZY)
def test_lazy_names_are_there(package):
    module = importlib.import_module(f"numberline.{package}")
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match=f"module 'numberline.{package}' has no attribute"):
        _ = module.other


@pytest.mark.parametrize("package", LAZY)
def test_lazy_names_are_declared_for_type_checkers(package):
    module = importlib.import_module(f"numberline.{package}")
    declared = {name for _, name in imports_of(Path(module.__file__))}
    assert declared - {"TYPE_CHECKING", "lazy_names"} == set(module.__all__)


def test_the_library_has_few_public_names():
    assert len(numberline.__all__) <= MOST_PUBLIC_NAMES


def test_all_settings_together_are_few():
    classes = [Settings, TaggerSettings, ExploreSettings, PlotSettings, ShopSettings]
    classes += [ReproductionSettings, *settings_classes(all_tasks())]
    assert len({one.name for each in classes for one in fields(each)}) <= MOST_SETTINGS

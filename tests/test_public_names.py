"""Packages beside the library use public names only; lazy names are there; settings are few."""

import ast
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from numberline.evaluation.task import all_tasks, settings_classes
from numberline.explore.settings import ExploreSettings, PlotSettings
from numberline.settings import Settings
from numberline.tagging import TaggerSettings
from numberline_paper.settings import ReproductionSettings
from numberline_shop import ShopSettings

SOURCES = Path(__file__).parents[1] / "src"
PACKAGES = ["numberline_paper", "numberline_shop"]
LAZY = ["evaluation", "explore", "integrations", "model", "tagging", "training"]
NEEDS_TORCH = ["integrations", "tagging"]
MOST_SETTINGS = 45


def is_public(module, name):
    return name in getattr(import_module(module), "__all__", ())


def private_uses(source):
    """Return the names of the library in a source that are in no `__all__` one level deep."""
    tree = ast.parse(source)
    aliases = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                if one.name == "numberline":
                    aliases.add(one.asname or one.name)
                elif one.name.startswith("numberline."):
                    yield one.name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numberline":
            is_deep = node.module.count(".") > 1
            for one in node.names:
                if is_deep or not is_public(node.module, one.name):
                    yield f"{node.module}.{one.name}"
    for node in ast.walk(tree):
        is_attribute = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if is_attribute and node.value.id in aliases and not is_public("numberline", node.attr):
            yield f"numberline.{node.attr}"


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_use_public_names_only(package):
    found = {
        f"{path.relative_to(SOURCES)}: {name}"
        for path in (SOURCES / package).rglob("*.py")
        for name in private_uses(path.read_text(encoding="utf-8"))
    }
    assert not found


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import numberline as nl\nnl.train", []),
        ("from numberline import Line\nfrom numberline.tagging import Span", []),
        ("from numberline.reading.numerals import plain_number", ["numberline.reading.numerals"]),
        ("from numberline.tagging import sentences", ["numberline.tagging.sentences"]),
        ("from numberline import api", ["numberline.api"]),
        ("import numberline as nl\nnl.api.train", ["numberline.api"]),
        ("import numberline.settings", ["numberline.settings"]),
        ("def f():\n    from numberline.model.embeddings import Embeddings", ["numberline.model"]),
    ],
)
def test_uses_of_other_names_are_found(source, names):
    found = list(private_uses(source))
    assert len(found) == len(names)
    assert all(name.startswith(start) for name, start in zip(found, names, strict=True))


@pytest.mark.parametrize("package", LAZY)
def test_lazy_names_are_there(package):
    if package in NEEDS_TORCH:
        pytest.importorskip("torch")
    module = import_module(f"numberline.{package}")
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match=f"module 'numberline.{package}' has no attribute"):
        _ = module.other


@pytest.mark.parametrize("package", LAZY)
def test_lazy_names_are_declared_for_type_checkers(package):
    module = import_module(f"numberline.{package}")
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    declared = {one.name for node in imports for one in node.names}
    assert declared - {"TYPE_CHECKING", "lazy_names"} == set(module.__all__)


def test_all_settings_together_are_few():
    classes = [Settings, TaggerSettings, ExploreSettings, PlotSettings, ShopSettings]
    classes += [ReproductionSettings, *settings_classes(all_tasks())]
    assert len({one.name for each in classes for one in fields(each)}) <= MOST_SETTINGS

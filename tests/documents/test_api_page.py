"""The API page lists all public names, and none that is gone; no extra is needed to say so."""

import ast
import re

import pytest

import numberline
from tests.documents.pages import ROOT

LISTED = re.findall(
    r"^- `(numberline[\w.]*)`", (ROOT / "docs/api.md").read_text(encoding="utf-8"), re.M
)


def names_in(path):
    """Return the names that a module defines or imports at its top level."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def test_all_public_names_are_listed():
    public = set(numberline.__all__) - {"__version__"}
    assert {f"numberline.{name}" for name in public} <= set(LISTED)


@pytest.mark.parametrize("listed", LISTED)
def test_a_listed_name_is_defined_in_its_module(listed):
    module, _, name = listed.rpartition(".")
    path = ROOT / "src" / module.replace(".", "/")
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    assert name in set(names_in(source))

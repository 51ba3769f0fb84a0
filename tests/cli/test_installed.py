"""Commands of other packages are found by entry point, and imported only when they are needed."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from typer.testing import CliRunner

from numberline.cli import installed
from numberline.cli.main import app
from tests.running_commands import run


def greet(name: str = "you"):
    """Greet someone."""
    print(f"hello {name}")


@pytest.fixture
def plugged_in(monkeypatch):
    entry_points = {
        "greet": EntryPoint("greet", f"{__name__}:greet", installed.GROUP),
        "broken": EntryPoint("broken", "no_such_package:run", installed.GROUP),
        "stats": EntryPoint("stats", f"{__name__}:greet", installed.GROUP),
    }
    monkeypatch.setattr(installed, "plugins", lambda group: entry_points)


def test_a_command_of_another_package_runs_although_another_is_broken(plugged_in):
    result = CliRunner().invoke(app, ["greet", "--name", "Jeff"])
    assert result.output == "hello Jeff\n"


def test_its_help_has_the_flags_of_all_commands(plugged_in):
    assert "Greet someone." in CliRunner().invoke(app, ["greet", "-h"]).output


def test_the_librarys_own_commands_come_first(plugged_in):
    assert "Count a corpus" in CliRunner().invoke(app, ["stats", "--help"]).output


def test_help_lists_them():
    shown = run("--help").stdout.decode()
    assert "demo" in shown
    assert "reproduce" in shown


def test_a_misspelt_name_is_answered_with_similar_ones():
    assert b"Did you mean 'demo'?" in run("demmo").stderr


def test_other_commands_import_none_of_them():
    code = (
        "import sys; from numberline.cli.main import app; "
        "app(['tokenize', '5'], standalone_mode=False); print(*sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.startswith("[5]\n")
    assert "numberline_shop" not in result.stdout
    assert "numberline_paper.command" not in result.stdout

"""Commands of other packages are found by entry point, and imported only when they are needed."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from typer.testing import CliRunner

from numberline.cli import commands
from numberline.cli.main import app
from tests.running_commands import assert_refused, run


def greet(name: str = "you"):
    """Greet someone."""
    print(f"hello {name}")


@pytest.fixture
def plugged_in(monkeypatch):
    entry_points = {
        "greet": EntryPoint("greet", f"{__name__}:greet", commands.GROUP),
        "broken": EntryPoint("broken", "no_such_package:run", commands.GROUP),
        "stats": EntryPoint("stats", f"{__name__}:greet", commands.GROUP),
    }
    monkeypatch.setattr(commands, "plugins", lambda group: entry_points)


def test_a_command_of_another_package_runs_although_another_is_broken(plugged_in):
    result = CliRunner().invoke(app, ["greet", "--name", "Jeff"])
    assert result.output == "hello Jeff\n"


def test_it_can_be_asked_for_help_by_the_flags_of_all_commands(plugged_in):
    assert "Greet someone." in CliRunner().invoke(app, ["greet", "-h"]).output


def test_commands_of_the_library_win_over_others_of_their_name(plugged_in):
    assert "Count the words" in CliRunner().invoke(app, ["stats", "--help"]).output


def test_help_lists_them():
    shown = run("--help").stdout.decode()
    assert "demo" in shown
    assert "reproduce" in shown


def test_a_misspelt_name_is_answered_with_similar_ones():
    assert_refused(run("demmo"), "Did you mean 'demo'?")


def test_a_command_imports_no_other_command():
    code = (
        "import sys; from numberline.cli.main import app; "
        "app(['tokenize', '5'], standalone_mode=False); print(*sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.startswith("[5]\n")
    loaded = result.stdout.split()
    assert "numberline.cli.corpus" in loaded
    assert not any(name.startswith(("numberline_", "numberline.explore")) for name in loaded)
    assert {"numberline.cli.train", "numberline.cli.tag"}.isdisjoint(loaded)

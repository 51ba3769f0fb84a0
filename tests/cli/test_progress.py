"""Progress: bars on a terminal, plain lines elsewhere."""

import io

from numberline.cli import progress as cli_progress
from tests.running_commands import run


def test_progress_only_on_a_terminal(text):
    assert run("stats", text).stderr == b""


def test_progress_bar_is_drawn(monkeypatch):
    from rich.console import Console

    drawn = io.StringIO()
    terminal = Console(file=drawn, force_terminal=True, width=100)
    monkeypatch.setattr(cli_progress, "Console", lambda **_: terminal)
    with cli_progress.reading_progress("counting", quiet=False) as progress:
        progress(1 << 20, 4 << 20)
    assert "counting" in drawn.getvalue()
    with cli_progress.reading_progress("counting", quiet=True) as progress:
        assert progress is None


def test_training_prints_plain_lines_without_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(cli_progress, "PLAIN_SECONDS", 0.0)

    class Report:
        tokens, total_tokens, loss, learning_rate = 50, 100, 2.5, 0.025
        gpu = counting = gap_model = None

    with cli_progress.training_progress(quiet=False) as (reading, progress):
        assert reading is None
        progress(Report())
        Report.tokens = 75
        progress(Report())
        Report.gap_model = 0.25
        progress(Report())
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[2] == "gap model 25%"
    assert lines[1].startswith("training 75%")
    assert "loss 2.500  rate 0.0250" in lines[1]
    with cli_progress.training_progress(quiet=True) as callbacks:
        assert callbacks == (None, None)


def test_the_bar_of_training_replaces_that_of_reading(monkeypatch):
    from rich.console import Console

    class Report:
        tokens, total_tokens, loss, learning_rate = 50, 100, 2.5, 0.025
        gpu = counting = gap_model = None

    drawn = io.StringIO()
    terminal = Console(file=drawn, force_terminal=True, width=100)
    monkeypatch.setattr(cli_progress, "Console", lambda **_: terminal)
    with cli_progress.training_progress(quiet=False) as (reading, progress):
        reading(1 << 20, 4 << 20)
        progress(Report())
        before_training = drawn.getvalue().index("training")
    assert "reading" in drawn.getvalue()[:before_training]
    assert "reading" not in drawn.getvalue()[before_training:]
    assert "loss 2.500" in drawn.getvalue()


def test_the_bar_goes_on_with_the_gap_model(monkeypatch):
    from rich.console import Console

    class Report:
        counting, gap_model = None, 0.25

    drawn = io.StringIO()
    terminal = Console(file=drawn, force_terminal=True, width=100)
    monkeypatch.setattr(cli_progress, "Console", lambda **_: terminal)
    with cli_progress.training_progress(quiet=False) as (_, progress):
        progress(Report())
    assert "25%  gap model" in drawn.getvalue()

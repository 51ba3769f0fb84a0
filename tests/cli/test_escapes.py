"""Nothing that others wrote reaches a terminal as a control code; messages are one bounded line."""

import json
import warnings

import pytest

import numberline as nl
from numberline.cli import main as cli
from numberline.errors import NumberlineWarning, visible
from numberline.evaluation.result import Table
from tests.running_commands import run

EVIL = "red\x1b[31m\x9b2j\u202eback\u2066\x07"
SHOWN = "red\\x1b[31m\\x9b2j\\u202eback\\u2066\\x07"
MARKUP = "[bold]b[/bold]"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Return a model with words that hold control codes and markup, in a folder named so too."""
    folder = tmp_path_factory.mktemp("evil") / ("model" + EVIL)
    tokens = ["cost", EVIL, MARKUP, "5", "7"] * 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nl.train([tokens] * 30, folder, dim=4, epochs=1, min_count=1, threads=1)
    return folder


def is_safe(output):
    text = output.decode()
    return all(visible(line) == line for line in text.replace("\t", "\n").split("\n"))


@pytest.mark.parametrize(
    "verb",
    [
        ["vector", EVIL],
        ["similar", "cost"],
        ["similar", EVIL],
        ["predict", f"cost {EVIL} ___ cost"],
        ["check", f"cost {EVIL} {MARKUP} 5 cost"],
    ],
)
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_answers_hold_no_control_codes(model, verb, flags):
    command, text = verb
    result = run(command, model, text, *flags)
    assert result.returncode == 0, result.stderr
    assert is_safe(result.stdout)
    if flags:
        assert text in json.loads(result.stdout).values()


def test_neighbours_are_printed_as_they_are_spelled(model):
    shown = run("similar", model, "cost").stdout.decode()
    assert SHOWN in shown
    assert MARKUP in shown
    assert run("similar", model, MARKUP).stdout.decode().startswith(MARKUP + "\n")


def test_corpora_and_names_of_files_are_printed_visibly(tmp_path, model):
    corpus = tmp_path / f"text{EVIL}"
    corpus.write_text(f"cost {EVIL} 5\n" * 9, encoding="utf-8")
    for command in (
        ["tokenize", f"cost {EVIL} 5"],
        ["stats", corpus],
        ["stats", corpus, "--json", "--min-count", 1],
        ["stats", tmp_path / f"none{EVIL}"],
        ["encode", corpus, "-o", tmp_path / f"out{EVIL}"],
        ["export", model, tmp_path / f"vectors{EVIL}", "--skip-unwritable"],
        ["vector", model, f"unknown{EVIL}"],
        ["stats", corpus, f"--{EVIL}"],
        ["plot", tmp_path / EVIL, "-o", tmp_path],
    ):
        result = run(*command)
        assert is_safe(result.stdout), command
        assert is_safe(result.stderr), command


def test_tables_print_markup_as_text_and_no_control_codes(capsys):
    from rich.console import Console

    table = Table(f"title {MARKUP}", [{MARKUP: MARKUP + EVIL, "n": 5}], notes=(MARKUP + EVIL,))
    Console(width=200).print(table)
    shown = capsys.readouterr().out
    assert is_safe(shown.encode())
    assert shown.count(MARKUP) == 4
    assert shown.count(SHOWN) == 2


@pytest.mark.parametrize("reason", ["a\nb" * 9, "x" * 100_000, "\x1b[2J" * 1000])
def test_messages_are_one_bounded_line(capsys, reason):
    with pytest.raises(SystemExit):
        cli.refuse(reason)
    cli.print_warning(reason, NumberlineWarning)
    for line in capsys.readouterr().err.splitlines():
        assert visible(line) == line
        assert len(line) <= 500
        assert line.endswith(visible(reason)[-5:])


def test_letters_of_all_scripts_stay_as_they_are():
    text = "Straße 東京 עברית \u200dfamily 👨\u200d👩 ½ −5 \\x1b"
    assert visible(text) == text


def test_too_little_memory_is_one_line(capsys, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("numberline: out of memory; ")

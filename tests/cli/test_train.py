"""`numberline train` and `prototypes` as a user meets them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import numberline
from numberline.cli.train import draw, prototype_facts, prototype_table, require_plotting
from numberline.errors import OutputError
from numberline.numerals.explained import ExplainedPrototypes
from tests.running_commands import assert_refused, run

EXPLAINED = ExplainedPrototypes(
    np.array([-2.0, 7, 1987.3]),
    np.array([0.25, 0.5, 0.25]),
    np.array([-2.0, 7, 1987, 1988]),
    np.array([2.0, 4, 1, 1]),
)


def test_prototypes_as_json():
    assert prototype_facts(EXPLAINED) == {
        "distinct_numerals": 4,
        "numeral_tokens": 8,
        "prototypes": [
            {"value": -2, "fraction": 0.25},
            {"value": 7, "fraction": 0.5},
            {"value": 1987.3, "fraction": 0.25},
        ],
    }


def test_the_longest_bar_is_that_of_the_largest_share():
    values, shares, bars = (list(column.cells) for column in prototype_table(EXPLAINED).columns)
    assert values == ["-2", "7", "1987.3"]
    assert shares == ["25.000%", "50.000%", "25.000%"]
    assert [len(bar) for bar in bars] == [20, 40, 20]


def test_a_picture_has_its_title(tmp_path):
    pytest.importorskip("matplotlib")
    draw(EXPLAINED, "encoder gmm", tmp_path / "out.svg")
    assert "encoder gmm" in (tmp_path / "out.svg").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit for the size of files")
def test_a_picture_that_cannot_be_written_is_refused(tmp_path):
    pytest.importorskip("matplotlib")
    require_plotting(tmp_path / "out.PNG")
    (tmp_path / "folder.png").mkdir()
    for name, message in (
        ("folder.png", "it is a folder"),
        ("nowhere/out.png", "nowhere is not a folder"),
        ("out.xyz", "end its name in one of"),
        ("out.pgf", "end its name in one of"),
    ):
        with pytest.raises(OutputError, match=message):
            require_plotting(tmp_path / name)
    with pytest.raises(OutputError, match="cannot write"):
        draw(EXPLAINED, "title", Path("/dev/full/out.png"))


def test_prototypes_are_listed(text, tmp_path):
    result = run("prototypes", text, "--encoder", "som:prototypes=2")
    assert result.returncode == 0, result.stderr
    assert "share of numerals" in result.stdout.decode()
    asked = ("--encoder", "line:prototypes=2", "--json")
    facts = json.loads(run("prototypes", text, *asked).stdout)
    assert facts["distinct_numerals"] == 2
    assert [round(p["value"]) for p in facts["prototypes"]] == [9, 1000]
    assert [p["fraction"] for p in facts["prototypes"]] == pytest.approx([1 / 3, 2 / 3])
    run("encode", text, "-o", tmp_path / "encoded")
    again = run("prototypes", tmp_path / "encoded", *asked)
    assert json.loads(again.stdout) == facts


def test_prototypes_that_cannot_be_fitted_are_refused(text, tmp_path):
    assert_refused(
        run("prototypes", text, "--encoder", "line:prototypes=3"), "2 distinct numerals", "lower"
    )
    assert_refused(run("prototypes", text, "--encoder", "fixed"), "line, som, gmm, token")
    assert_refused(run("prototypes", text, "--encoder", "sum"), "line, som, gmm")
    assert_refused(run("prototypes", text, "--encoder", "line:beta=2"), "line:beta=2", "log=")
    (tmp_path / "words.txt").write_text("only words\n" * 9)
    result = run("prototypes", tmp_path / "words.txt")
    assert result.returncode == 2
    assert b"no numerals" in result.stderr.splitlines()[-1]


def test_prototypes_are_drawn(text, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "out.png"
    assert (
        run("prototypes", text, "--encoder", "line:prototypes=2", "--plot", picture).returncode == 0
    )
    assert picture.read_bytes().startswith(b"\x89PNG")
    for name in ("out.xyz", "nowhere/out.png"):
        assert_refused(run("prototypes", text, "--plot", tmp_path / name), name)


def test_a_picture_that_cannot_be_written_leaves_the_old_one(text, tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "out.svg"
    picture.write_bytes(b"old")
    command = ["prototypes", text, "--encoder", "line:prototypes=2", "--plot", picture]
    limited = (
        "import resource, sys; from numberline.cli.main import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)); main()"
    )
    arguments = [sys.executable, "-c", limited, *map(str, command)]
    result = subprocess.run(arguments, capture_output=True)
    assert_refused(result, f"cannot write {picture}: File too large")
    assert picture.read_bytes() == b"old"


def test_train_writes_a_model(text, tmp_path):
    model = tmp_path / "model"
    result = run("train", text, "-o", model, "--dim", 8, "--epochs", 2, "--min-count", 1)
    assert result.returncode == 0, result.stderr
    assert b"6 words, 8 dimensions, encoder line; 110 tokens" in result.stdout
    assert numberline.load(model).settings.epochs == 2
    assert_refused(run("train", text, "-o", model), "exists already")
    preset = ["--preset", "tagging", "--encoder", "gmm:prototypes=2", "--epochs", 1]
    again = run("train", text, "-o", model, "--overwrite", *preset)
    assert again.returncode == 0, again.stderr
    assert numberline.load(model).dim == 50
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "text.txt"]


def test_no_loss_is_printed_for_a_few_sentences(tmp_path):
    text = tmp_path / "few.txt"
    text.write_text("a patient of 70 kg\nshe weighs 82.5 kg\n", "utf-8")
    result = run("train", text, "-o", tmp_path / "model", "--min-count", 1, "--epochs", 1)
    assert b"9 tokens" in result.stdout
    assert b"nan" not in result.stdout


def test_train_refuses_bad_settings_before_the_work(text, tmp_path):
    out = tmp_path / "out"
    assert_refused(run("train", text, "-o", out, "--preset", "none"), "one of headlines")
    assert_refused(run("train", text, "-o", out, "--learning-rate", "7"), "--learning-rate 7.0,")
    assert_refused(run("train", text, "-o", out, "--objective", "glove"), "skipgram, cbow")
    assert_refused(run("train", text, "-o", out, "--encoder", "gmm:beta=2"), "gmm:beta=2", "em=")
    assert_refused(
        run("train", text, "-o", out, "--encoder", "gmm:prototypes=9"), "2 distinct numerals"
    )
    assert_refused(run("train", text, "-o", out, "--dim", "8", NUMBERLINE_ISA="mmx"), "baseline")
    assert not out.exists()

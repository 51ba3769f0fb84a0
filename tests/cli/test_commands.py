"""The command line as a user meets it: separate processes, exit codes, streams."""

import gzip
import io
import json
import os
import re
from pathlib import Path

import pytest
import zstandard

import numberline
from numberline.settings import (
    ReadingSettings,
    TextSettings,
    setting_names,
)
from tests.running_commands import assert_refused, run


def test_help_lists_the_verbs():
    result = run("--help")
    for verb in ("demo", "encode", "stats", "tokenize"):
        assert verb in result.stdout.decode()


def test_version():
    assert run("--version").stdout.decode().strip() == numberline.__version__


def test_no_arguments_show_the_help():
    assert b"Usage" in run().stdout + run().stderr


@pytest.mark.parametrize("verb", ["stats", "encode"])
def test_every_setting_is_a_flag(verb):
    shown = run(verb, "--help").stdout.decode()
    for config in (ReadingSettings, TextSettings, ReadingSettings, ReadingSettings):
        for name in setting_names(config):
            assert "--" + name.replace("_", "-") in shown


def test_stats(text):
    shown = run("stats", text).stdout.decode()
    assert "55" in shown
    assert "1000 (10)" in shown
    assert "9 to 1000" in shown


def test_stats_as_json(text):
    facts = json.loads(run("stats", text, "--json", "--min-count", 6).stdout)
    assert facts["tokens"] == 55
    assert facts["numeral_tokens"] == 15
    assert facts["distinct_words"] == 6
    assert facts["vocabulary"] == 2
    assert facts["most_frequent_numerals"][0] == {"value": 1000.0, "count": 10}


@pytest.mark.parametrize("compress", [bytes, gzip.compress, zstandard.ZstdCompressor().compress])
def test_standard_input(text, compress):
    facts = json.loads(run("stats", "-", "--json", stdin=compress(text.read_bytes())).stdout)
    assert facts["tokens"] == 55


def test_several_corpora(text):
    assert json.loads(run("stats", text, text, "--json").stdout)["tokens"] == 110


def test_encode_keeps_the_result(text, tmp_path):
    result = run("encode", text, "-o", tmp_path / "out")
    assert result.returncode == 0
    assert b"55 tokens in 10 sentences, 6 words, 2 distinct numerals" in result.stdout
    assert len(numberline.load_encoded(tmp_path / "out")) == 10
    assert_refused(run("encode", text, "-o", tmp_path / "out"), "exists already")
    assert run("encode", text, "-o", tmp_path / "out", "--overwrite").returncode == 0


def test_tokenize():
    assert run("tokenize", "Jeff is 5'8\"").stdout.decode() == "jeff is [5] ' [8] \"\n"
    lines = run("tokenize", "--magnitudes", stdin=b"it costs $3M\n1/2").stdout.decode()
    assert lines == "it costs $ [3000000]\n[0.5]\n"
    token = json.loads(run("tokenize", "--json", "2,000").stdout)[0]
    assert token == {"text": "2,000", "value": 2000.0, "start": 0, "end": 5}


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        (["-5 degrees"], "[-5] degrees"),
        (["-.5"], "[-0.5]"),
        (["it", "is", "-5", "--punctuation", "."], "it is [-5] ."),
        (["--no-lowercase", "-five Degrees"], "five Degrees"),
        (["--5"], "[5]"),
        (["-½"], "[-0.5]"),
        (["-"], ""),
        (["--", "--json", "5"], "json [5]"),
        (["--punctuation", "--", "-5", "--", "-h"], "[-5] - - - h"),
    ],
)
def test_text_may_begin_with_a_minus(arguments, read):
    result = run("tokenize", *arguments)
    assert result.stdout.decode() == read + "\n"
    assert result.stderr == b""


@pytest.mark.parametrize("typo", ["--jsn", "-j", "--jsn=yes", "--magnitude"])
def test_options_that_are_not_there_are_refused(typo):
    result = run("tokenize", "some text", typo)
    assert result.returncode == 2
    assert b"No such option" in result.stderr


def test_tokenize_reads_standard_input_as_a_corpus_is_read():
    text = "\ufeffhalf ½\x85½\r\n1\r2\n".encode() + b"caf\xe9 5\n\nlast"
    lines = run("tokenize", stdin=text, PYTHONIOENCODING="latin-1:strict", PYTHONUTF8="0")
    assert lines.stderr == b""
    assert lines.stdout.decode("latin-1") == "half [0.5] [0.5]\n[1]\n[2]\ncaf [5]\n\nlast\n"


def test_missing_file(tmp_path):
    assert_refused(run("stats", tmp_path / "nothing.txt"), "nothing.txt", "no such file")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_unreadable_file(text):
    text.chmod(0)
    assert_refused(run("stats", text), "text.txt")


def test_empty_corpus(tmp_path):
    (tmp_path / "empty.txt").touch()
    assert_refused(run("stats", tmp_path / "empty.txt"), "empty.txt", "no text")
    (tmp_path / "folder").mkdir()
    assert_refused(run("stats", tmp_path / "folder"), "folder")


def test_corpus_without_numerals_is_said_once(tmp_path):
    (tmp_path / "words.txt").write_text("only words\n" * 9)
    result = run("encode", tmp_path / "words.txt", "-o", tmp_path / "out")
    assert result.returncode == 0
    assert result.stderr.decode().count("no numerals") == 1


def test_bytes_that_are_not_utf8(tmp_path):
    (tmp_path / "latin1.txt").write_bytes(b"caf\xe9 5\n")
    assert b"1 characters were not UTF-8" in run("stats", tmp_path / "latin1.txt").stderr
    strict = run("stats", tmp_path / "latin1.txt", "--strict")
    assert_refused(strict, "latin1.txt", "byte 3")


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_truncated_file(tmp_path, compress):
    path = tmp_path / "cut"
    path.write_bytes(compress(os.urandom(1000).hex().encode())[:-20])
    assert_refused(run("encode", path, "-o", tmp_path / "out"), "cut")
    assert list(tmp_path.iterdir()) == [path]


def test_binary_file(tmp_path):
    (tmp_path / "photo").write_bytes(bytes(range(256)) * 10)
    assert_refused(run("stats", tmp_path / "photo"), "photo", "binary")


def test_bad_setting(text):
    assert_refused(run("stats", text, "--min-count", "0"), "min_count=0", "from 1 to")
    assert_refused(run("stats", text, "--max-vocabulary", 10**20), "from 1 to 2,147,483,647")
    assert_refused(run("demo", "--seed", 10**20), "seed=1000", "from 0 to")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place nobody may write")
def test_output_that_cannot_be_written(text, tmp_path):
    (tmp_path / "file").touch()
    for folder in ("/proc/nothing/here", tmp_path / "file/inside", tmp_path / "file"):
        assert_refused(run("encode", text, "-o", folder), str(folder))
    assert_refused(run("demo", "/proc/nothing/here"))


def test_demo_says_why_it_cannot_write(tmp_path):
    (tmp_path / "words.txt").touch()
    assert_refused(
        run("demo", tmp_path / "words.txt"), "cannot write", "words.txt: it is no folder"
    )
    assert_refused(run("demo", "new", "--sentences", 0, cwd=tmp_path), "sentences=0")
    assert [path.name for path in tmp_path.iterdir()] == ["words.txt"]


def test_demo_shows_its_folder_as_it_is_named(tmp_path):
    result = run("demo", "[/x] y", "--sentences", 9, cwd=tmp_path, COLUMNS="30")
    assert result.returncode == 0, result.stderr
    shown = result.stdout.decode()
    assert "Wrote [/x] y/chat.txt: " in shown
    assert "numberline prototypes '[/x] y/chat.txt' --plot prototypes.png\n" in shown


def test_demo_writes_a_corpus_and_says_what_comes_next(tmp_path):
    result = run("demo", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    shown = result.stdout.decode()
    assert "numerals" in shown
    assert "numberline train" in shown
    nearest = dict(re.findall(r"^ +(\S+)(?: \(never seen\))?  (\S.*)$", shown, re.M))
    assert "xxl" in nearest["190"]
    assert "xxl" in nearest["187.3"]
    assert {"xs", "s"} & set(nearest["160"].split(", "))
    heights = {size: float(nearest[size].split(",")[0]) for size in ("xxl", "xl", "m", "s", "xs")}
    assert 178 <= heights["xxl"] <= 191  # four fifths of the heights beside xxl in the chat
    assert heights["xxl"] > heights["m"] > heights["xs"]
    names = {path.name for path in Path(tmp_path / "numberline-demo/tagged").iterdir()}
    assert {"train.tsv", "dev.tsv", "test.tsv", "test-augmented.tsv", "test-hard.tsv"} <= names


def test_progress_only_on_a_terminal(text):
    assert run("stats", text).stderr == b""


def test_progress_bar_is_drawn(monkeypatch):
    from rich.console import Console

    from numberline.cli import progress as cli_progress

    drawn = io.StringIO()
    terminal = Console(file=drawn, force_terminal=True, width=100)
    monkeypatch.setattr(cli_progress, "Console", lambda **_: terminal)
    with cli_progress.reading_progress("counting", quiet=False) as progress:
        progress(1 << 20, 4 << 20)
    assert "counting" in drawn.getvalue()
    with cli_progress.reading_progress("counting", quiet=True) as progress:
        assert progress is None


def test_prototypes(text, tmp_path):
    result = run("prototypes", text, "--encoder", "som:prototypes=2")
    assert result.returncode == 0, result.stderr
    assert "share of numerals" in result.stdout.decode()
    asked = ("--encoder", "line:prototypes=2", "--json")
    facts = json.loads(run("prototypes", text, *asked).stdout)
    assert facts["distinct_numerals"] == 2
    assert [round(p["value"]) for p in facts["prototypes"]] == [9, 1000]
    assert [p["share"] for p in facts["prototypes"]] == pytest.approx([1 / 3, 2 / 3])
    run("encode", text, "-o", tmp_path / "encoded")
    again = run("prototypes", tmp_path / "encoded", *asked)
    assert json.loads(again.stdout) == facts


def test_prototypes_that_cannot_be(text, tmp_path):
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


def test_a_few_sentences_have_no_loss_to_tell(tmp_path):
    text = tmp_path / "few.txt"
    text.write_text("a patient of 70 kg\nshe weighs 82.5 kg\n", "utf-8")
    result = run("train", text, "-o", tmp_path / "model", "--min-count", 1, "--epochs", 1)
    assert b"9 tokens" in result.stdout
    assert b"nan" not in result.stdout


def test_train_refuses_before_the_work(text, tmp_path):
    out = tmp_path / "out"
    assert_refused(run("train", text, "-o", out, "--preset", "none"), "one of similarity")
    assert_refused(run("train", text, "-o", out, "--learning-rate", "7"), "learning_rate=7.0")
    assert_refused(run("train", text, "-o", out, "--objective", "glove"), "skipgram, cbow")
    assert_refused(run("train", text, "-o", out, "--encoder", "gmm:beta=2"), "gmm:beta=2", "em=")
    assert_refused(
        run("train", text, "-o", out, "--encoder", "gmm:prototypes=9"), "2 distinct numerals"
    )
    assert_refused(run("train", text, "-o", out, "--dim", "8", NUMBERLINE_ISA="mmx"), "baseline")
    assert not out.exists()


def test_training_says_how_it_goes_where_there_is_no_terminal(monkeypatch, capsys):
    from numberline.cli import progress as cli_progress

    monkeypatch.setattr(cli_progress, "PLAIN_SECONDS", 0.0)

    class Report:
        tokens, total_tokens, loss, learning_rate = 50, 100, 2.5, 0.025
        gpu = None

    with cli_progress.training_progress(quiet=False) as (reading, progress):
        assert reading is None
        progress(Report())
        Report.tokens = 75
        progress(Report())
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("training 75%")
    assert "loss 2.500  rate 0.0250" in lines[1]
    with cli_progress.training_progress(quiet=True) as callbacks:
        assert callbacks == (None, None)


def test_training_is_drawn_in_place_of_reading(monkeypatch):
    from rich.console import Console

    from numberline.cli import progress as cli_progress

    class Report:
        tokens, total_tokens, loss, learning_rate = 50, 100, 2.5, 0.025
        gpu = None

    drawn = io.StringIO()
    terminal = Console(file=drawn, force_terminal=True, width=100)
    monkeypatch.setattr(cli_progress, "Console", lambda **_: terminal)
    with cli_progress.training_progress(quiet=False) as (reading, progress):
        reading(1 << 20, 4 << 20)
        progress(Report())
        before_training = drawn.getvalue().index("training")
        progress(Report())
    assert "reading" in drawn.getvalue()[:before_training]
    assert "reading" not in drawn.getvalue()[before_training:]
    assert "loss 2.500" in drawn.getvalue()

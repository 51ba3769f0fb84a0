"""numberline tag: train, predict and test, and what they refuse."""

import json
import shutil

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("seqeval")

from numberline.cli.main import app
from numberline.errors import NumberlineError
from numberline.tagging.sentences import to_conll
from tests.running_commands import assert_refused
from tests.running_commands import run as run_process
from tests.tagging.planted_sentences import planted_sentences

QUICK = "--hidden 16 --epochs 6 --learning-rate .05".split()


def run(*arguments, stdin=b""):
    """Run a command in this process: a new one would import torch again."""
    return CliRunner().invoke(app, [*map(str, arguments)], input=stdin)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tag")
    for seed, name in enumerate(["train", "dev", "test"]):
        sentences = planted_sentences(100, seed)
        (folder / name).write_text("".join(map(to_conll, sentences)))
    return folder


@pytest.fixture(scope="module")
def tagger(files, planted_folder):
    options = ["-o", files / "tagger", "--dev", files / "dev", *QUICK]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("numberline.tagging.network.DROPOUT", 0.1)
        result = run("tag", "train", planted_folder, files / "train", *options)
    assert result.exit_code == 0, result.output
    assert "3 labels; 100 sentences" in result.stdout
    assert "tagger 0%" in result.stderr
    return files / "tagger"


def test_predict_prints_a_label_per_token(tagger):
    found = run("tag", "predict", tagger, "-", stdin=b"There are 3.5 zzz\n\nthere are 4,321 zzz\n")
    few, many = (
        "there\tO\nare\tO\n3.5\tB-few\nzzz\tO\n\n",
        "there\tO\nare\tO\n4,321\tB-many\nzzz\tO\n\n",
    )
    assert found.stdout == few + many


def test_spans_are_in_the_json(tagger, tmp_path):
    (tmp_path / "text").write_text("There are 3.5 zzz")
    found = json.loads(run("tag", "predict", tagger, tmp_path / "text", "--json").stdout)
    assert found["spans"] == [{"label": "few", "start": 10, "end": 13, "text": "3.5"}]
    assert found["labels"] == ["O", "O", "B-few", "O"]


def test_tokens_of_the_user_are_kept(tagger):
    result = run("tag", "predict", tagger, "--tokenised", stdin=b"there\nare\n3.5\tX\nzz z\n\n")
    assert result.stdout == "there\tO\nare\tO\n3.5\tB-few\nzz\tO\n\n"


def test_scores_of_labelled_sentences(tagger, files):
    result = run("tag", "test", tagger, files / "test", "--json")
    assert json.loads(result.stdout)["f1"] > 95


def test_bad_files_and_folders_are_refused(tagger, files, planted_folder, tmp_path):
    (tmp_path / "odd").write_text("3 B-few\nzzz\n")
    (tmp_path / "other").write_text("3 B-none\n")
    train, new = ["tag", "train", planted_folder], ["-o", tmp_path / "new"]
    result = run_process(*train, tmp_path / "odd", *new)
    assert_refused(result, "line 2: 'zzz' has no label")
    with_dev = [files / "train", *new, "--dev", tmp_path / "other"]
    for arguments, message in [
        ([*train, *with_dev], "other has the label 'none'"),
        ([*train, files / "train", "-o", tagger], "exists already"),
        ([*train, files / "train", "-o", planted_folder], "holds no tagger"),
        (["tag", "test", tagger, tmp_path / "other"], "known labels are few, many"),
        (["tag", "predict", planted_folder, "-"], "not the header of a tagger"),
        (["tag", "predict", tagger, tmp_path / "none"], "cannot be read"),
    ]:
        error = run(*arguments).exception
        assert isinstance(error, NumberlineError)
        assert message in str(error)
    assert not (tmp_path / "new").exists()


def test_paths_may_begin_with_a_minus(tagger, files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(tagger, "-1 tagger")
    shutil.copy(files / "test", "-5 sentences")
    result = run("tag", "test", "-1 tagger", "-5 sentences", "--json")
    assert json.loads(result.stdout)["f1"] > 95
    assert run("tag", "predict", "-1 tagger", "-5 sentences", "--tokenised").exit_code == 0
    result = run("tag", "train", "-1 model", "-5 sentences", "-o", "-1 new")
    assert "-1 model" in str(result.exception)

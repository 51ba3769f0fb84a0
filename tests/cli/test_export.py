"""`numberline export` as a user meets it."""

import gzip
import json

import pytest

import numberline as nl
from numberline.model.interchange import FORMATS, read_vectors
from tests.running_commands import assert_refused, run


@pytest.mark.parametrize("format", FORMATS)
def test_exported_vectors_are_those_of_the_model(planted_folder, tmp_path, format):
    result = run("export", planted_folder, tmp_path / "out", "--format", format, "--numerals", 5)
    assert result.stderr == b""
    assert result.stdout.decode() == f"{tmp_path / 'out'}: 74 words, 5 numerals, 12 dimensions\n"
    read, model = read_vectors(tmp_path / "out"), nl.load(planted_folder)
    assert len(read) == 79
    assert (read.table == model.vectors(read.words)).all()


def test_a_model2vec_folder_is_written_whole(planted_folder, tmp_path):
    out = tmp_path / "out"
    result = run("export", planted_folder, out, "--format", "model2vec", "--numerals", 5)
    assert result.stdout.decode() == f"{out}: 74 words, 5 numerals, 12 dimensions\n"
    names = {"tokenizer.json", "model.safetensors", "config.json", "modules.json"}
    assert {path.name for path in out.iterdir()} == names
    vocabulary = json.loads((out / "tokenizer.json").read_text())["model"]["vocab"]
    assert list(vocabulary.values()) == list(range(80))
    assert_refused(run("export", planted_folder, out, "--format", "model2vec"), "exists already")
    again = run("export", planted_folder, out, "--format", "model2vec", "--overwrite")
    assert again.returncode == 0
    (out / "mine.txt").touch()
    refused = run("export", planted_folder, out, "--format", "model2vec", "--overwrite")
    assert refused.returncode == 2


def test_numerals_may_be_listed_in_a_file(planted_folder, tmp_path):
    (tmp_path / "list").write_text("\ufeff187.3\r\n\n1,250\n")
    arguments = ("--format", "glove", "--side", "output", "--numerals", tmp_path / "list")
    assert run("export", planted_folder, tmp_path / "out.gz", *arguments).returncode == 0
    last = gzip.decompress((tmp_path / "out.gz").read_bytes()).decode().splitlines()[-2:]
    assert [line.split()[0] for line in last] == ["187.3", "1,250"]
    model = nl.load(planted_folder)
    assert [float(number) for number in last[0].split()[1:]] == pytest.approx(
        model.vector("187.3", "output"), rel=1e-6
    )


def test_nothing_is_overwritten_without_the_flag(planted_folder, tmp_path):
    (tmp_path / "out").write_text("mine")
    assert_refused(run("export", planted_folder, tmp_path / "out"), "exists already")
    assert (tmp_path / "out").read_text() == "mine"
    assert run("export", planted_folder, tmp_path / "out", "--overwrite").returncode == 0
    assert len(read_vectors(tmp_path / "out")) == 74


def test_words_that_are_left_out_are_counted(tmp_path):
    sentences = [["new york", "has", "12", "cars"]] * 9
    nl.train(sentences, tmp_path / "model", dim=4, min_count=1, epochs=1, threads=1)
    arguments = ("export", tmp_path / "model", tmp_path / "out")
    assert_refused(run(*arguments), "'new york'")
    result = run(*arguments, "--skip-unwritable")
    assert b"2 words (1 left out), 0 numerals, 4 dimensions" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "needle"),
    [
        (["--format", "w2v"], "must be one of word2vec, word2vec-text, glove, npy, model2vec"),
        (["--side", "left"], "must be one of input, output"),
        (["--numerals", "nowhere.txt"], "nowhere.txt: No such file"),
        (["--numerals", "list"], "'few' (str) is not a numeral"),
        (["--numerals", "bytes"], "it is not UTF-8"),
    ],
)
def test_bad_arguments_are_refused(planted_folder, tmp_path, arguments, needle):
    (tmp_path / "list").write_text("7\nfew\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe7\x00")
    assert_refused(run("export", planted_folder, "out", *arguments, cwd=tmp_path), needle)
    assert not (tmp_path / "out").exists()


def test_a_missing_model_is_named(tmp_path):
    assert_refused(run("export", tmp_path, tmp_path / "out"), "holds no model")


def test_help_names_the_formats():
    shown = run("export", "--help").stdout.decode()
    for name in (*FORMATS, "--numerals", "N|FILE", "--side", "--overwrite", "--skip-unwritable"):
        assert name in shown

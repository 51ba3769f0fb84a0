"""`numberline evaluate` on a file of vectors of another tool, as a user meets it."""

import json

import numpy as np
import pytest

from numberline.model.interchange import FORMATS, write_vectors
from numberline.model.word_vectors import WordVectors
from tests.running_commands import assert_refused, run
from tests.training.small_corpora import two_numbers

pytest.importorskip("scipy")

NUMBERS = range(1, 41)
WORDS = ["one", "two", "three", "four", "five", *map(str, NUMBERS)]
VALUES = [*range(1, 6), *NUMBERS]


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    """Write a list of the numerals from 1 to 50, ten of which have no vector."""
    folder = tmp_path_factory.mktemp("sets")
    (folder / "naik").mkdir()
    (folder / "naik/numerals.txt").write_text("\n".join(map(str, range(1, 51))))
    for name in ("sc", "bc"):
        (folder / f"naik/{name}.tsv").write_text("anchor\tclose\tfar\n5\t6\t30\n7\t6\t60\n")
    return folder


def write_planted(path, format="word2vec"):
    """Write vectors along an arc, in the order of their numbers."""
    angles = np.log(VALUES) / 3
    table = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    write_vectors(WordVectors(WORDS, table), path, format)


def tables_of(path):
    return json.loads(path.with_name(f"{path.name}.evaluation.json").read_text())["tables"]


@pytest.mark.parametrize("format", FORMATS)
def test_vectors_in_order_answer_all_questions(sets, tmp_path, format):
    path = tmp_path / "vectors"
    write_planted(path, format)
    result = run("evaluate", path, "--task", "magnitude, numeration", "--data", sets)
    assert result.returncode == 0, result.stderr
    found = tables_of(path)
    magnitude, triples = (table["rows"] for table in found["magnitude"])
    assert (magnitude[0]["BC"], magnitude[0]["coverage"]) == (100, 80)
    assert [(row["right"], row["coverage"]) for row in triples] == [(100, 50), (100, 50)]
    assert found["numeration"][0]["rows"][0]["OVA"] == 100


def test_tasks_may_be_repeated_options(sets, tmp_path):
    path = tmp_path / "vectors"
    write_planted(path)
    run("evaluate", path, "--task", "numeration", "--task", "magnitude", "--data", sets)
    assert list(tables_of(path)) == ["numeration", "magnitude"]


@pytest.mark.parametrize("model", [".", "..", "../../model"])
def test_tables_are_written_beside_a_model_however_it_is_named(sets, tmp_path, model):
    write_planted(tmp_path / "model", "npy")
    (tmp_path / "model/inner").mkdir()
    here = tmp_path / "model" / ("" if model == "." else "inner")
    result = run("evaluate", model, "--task", "numeration", "--data", sets, cwd=here)
    assert result.returncode == 0, result.stderr
    assert list(tables_of(tmp_path / "model")) == ["numeration"]


def test_wrong_numbers_are_detected_in_held_out_text(planted_folder, tmp_path):
    text, json_file = tmp_path / "held-out.txt", tmp_path / "found.json"
    text.write_text("\n".join(two_numbers(200)))
    options = ("--task", "detection", "--text", text, "--items", 60, "--json", json_file)
    result = run("evaluate", planted_folder, *options)
    assert result.returncode == 0, result.stderr
    assert b"balanced accuracy" in result.stdout
    (table,) = json.loads(json_file.read_text())["tables"]["detection"]
    assert table["rows"][-1]["operation"] == "all"
    assert table["rows"][-1]["items"] == 60


def test_a_task_that_cannot_be_done_does_not_stop_the_others(sets, tmp_path):
    path = tmp_path / "vectors"
    write_planted(path)
    tasks = "similarity,magnitude,prediction"
    result = run("evaluate", path, "--task", tasks, "--data", sets)
    assert result.returncode == 2
    complaint = result.stderr.decode()
    assert "similarity left out" in complaint
    assert "prediction left out" in complaint
    assert "Traceback" not in complaint
    assert list(tables_of(path)) == ["magnitude"]
    assert b"BC" in result.stdout


@pytest.mark.parametrize(("names", "came"), [("magnitude,magic", "magic"), (",", "")])
def test_unknown_tasks_are_refused(tmp_path, names, came):
    write_planted(tmp_path / "vectors")
    result = run("evaluate", tmp_path / "vectors", "--task", names)
    assert_refused(result, f"--task '{came}', but it must be some of similarity")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"2 3\n1 1 2 3\n2 1 2\n", "line 3: 2 numbers after '2', but 3 are needed"),
        (b"9 2\n1 1 2\n2 1 2\n", "its header says 9 words, but there are 2"),
        (b"2 2\n1 \0\0\0\0\0\0\0\0\n2 \0\0", "ends within a vector"),
        (b"\x7fELF\2\1\1\0", "which is not a word and its numbers"),
        (b"1 1 2\n2 2 1\n", "magnitude needs vectors of at least 3 numerals"),
    ],
)
def test_files_that_hold_no_vectors_are_refused(sets, tmp_path, content, message):
    (tmp_path / "vectors").write_bytes(content)
    arguments = ("--task", "magnitude", "--data", sets, "--quiet")
    assert_refused(run("evaluate", tmp_path / "vectors", *arguments), message)


def test_a_folder_without_a_model_or_vectors_is_refused(tmp_path):
    message = "holds neither a model nor exported vectors"
    assert_refused(run("evaluate", tmp_path), str(tmp_path), message)
    assert_refused(run("evaluate", tmp_path / "nowhere"), "nowhere: No such file")


def test_a_file_that_cannot_be_written_is_refused_before_the_work(sets, tmp_path):
    write_planted(tmp_path / "vectors")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file").touch()
    for path in (tmp_path / "folder.json", tmp_path / "file/out.json"):
        arguments = ("--task", "magnitude", "--data", sets, "--json", path)
        result = run("evaluate", tmp_path / "vectors", *arguments)
        assert_refused(result, "cannot write", path.name)
        assert result.stdout == b""

"""`numberline tokenize`, `stats` and `encode` as a user meets them."""

import gzip
import json
import os
from pathlib import Path

import pytest

import numberline
from numberline.files.decompression import zstd
from tests.running_commands import assert_refused, run


def test_stats_as_a_table(text):
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


@pytest.mark.parametrize("compress", [bytes, gzip.compress, zstd.compress])
def test_standard_input_may_be_compressed(text, compress):
    facts = json.loads(run("stats", "-", "--json", stdin=compress(text.read_bytes())).stdout)
    assert facts["tokens"] == 55


def test_several_corpora_are_counted_together(text):
    assert json.loads(run("stats", text, text, "--json").stdout)["tokens"] == 110


def test_encode_keeps_the_result(text, tmp_path):
    result = run("encode", text, "-o", tmp_path / "out")
    assert result.returncode == 0
    assert b"55 tokens in 10 sentences, 6 words, 2 distinct numerals" in result.stdout
    assert len(numberline.load_encoded(tmp_path / "out")) == 10
    assert_refused(run("encode", text, "-o", tmp_path / "out"), "exists already")
    assert run("encode", text, "-o", tmp_path / "out", "--overwrite").returncode == 0


def test_tokenize_prints_numerals_by_value():
    assert run("tokenize", "Jeff is 5'8\"").stdout.decode() == "jeff is [5] ' [8] \"\n"
    lines = run("tokenize", "--magnitudes", stdin=b"it costs $3M\n1/2").stdout.decode()
    assert lines == "it costs $ [3000000]\n[0.5]\n"
    token = json.loads(run("tokenize", "--json", "2,000").stdout)[0]
    assert token == {"text": "2,000", "value": 2000.0, "start": 0, "end": 5, "kind": "plain"}
    dollar, five = json.loads(run("tokenize", "--json", "$5").stdout)
    assert (dollar["kind"], five["kind"]) == (None, "money")


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        (["-5 degrees"], "[-5] degrees"),
        (["-.5"], "[-0.5]"),
        (["it", "is", "-5", "--number-words", "one"], "it is [-5] [1]"),
        (["--no-lowercase", "-five Degrees"], "five Degrees"),
        (["--5"], "[5]"),
        (["-½"], "[-0.5]"),
        (["-"], ""),
        (["--", "--json", "5"], "json [5]"),
        (["--number-words", "--", "-5", "--", "-h"], "[-5] h"),
    ],
)
def test_text_may_begin_with_a_minus(arguments, read):
    result = run("tokenize", *arguments)
    assert result.stdout.decode() == read + "\n"
    assert result.stderr == b""


def test_tokenize_reads_standard_input_as_a_corpus_is_read():
    text = "\ufeffhalf ½\x85½\r\n1\r2\n".encode() + b"caf\xe9 5\n\nlast"
    lines = run("tokenize", stdin=text, PYTHONIOENCODING="latin-1:strict", PYTHONUTF8="0")
    assert lines.stderr == b""
    assert lines.stdout.decode("latin-1") == "half [0.5] [0.5]\n[1]\n[2]\ncaf [5]\n\nlast\n"


def test_a_missing_file_is_named(tmp_path):
    assert_refused(run("stats", tmp_path / "nothing.txt"), "nothing.txt", "no such file")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_an_unreadable_file_is_named(text):
    text.chmod(0)
    assert_refused(run("stats", text), "text.txt")


def test_a_corpus_without_text_is_refused(tmp_path):
    (tmp_path / "empty.txt").touch()
    assert_refused(run("stats", tmp_path / "empty.txt"), "empty.txt", "no text")
    (tmp_path / "folder").mkdir()
    assert_refused(run("stats", tmp_path / "folder"), "folder")


def test_a_corpus_without_numerals_is_mentioned_once(tmp_path):
    (tmp_path / "words.txt").write_text("only words\n" * 9)
    result = run("encode", tmp_path / "words.txt", "-o", tmp_path / "out")
    assert result.returncode == 0
    assert result.stderr.decode().count("no numerals") == 1


def test_bytes_that_are_not_utf8_are_counted(tmp_path):
    (tmp_path / "latin1.txt").write_bytes(b"caf\xe9 5\n")
    assert b"1 characters were not UTF-8" in run("stats", tmp_path / "latin1.txt").stderr


@pytest.mark.parametrize("compress", [gzip.compress, zstd.compress])
def test_a_truncated_file_leaves_nothing_behind(tmp_path, compress):
    path = tmp_path / "cut"
    path.write_bytes(compress(os.urandom(1000).hex().encode())[:-20])
    assert_refused(run("encode", path, "-o", tmp_path / "out"), "cut")
    assert list(tmp_path.iterdir()) == [path]


def test_a_binary_file_is_refused(tmp_path):
    (tmp_path / "photo").write_bytes(bytes(range(256)) * 10)
    assert_refused(run("stats", tmp_path / "photo"), "photo", "binary")


def test_settings_out_of_range_are_refused(text):
    assert_refused(run("stats", text, "--min-count", "0"), "--min-count 0,", "from 1 to")
    assert_refused(run("stats", text, "--max-vocabulary", 10**20), "from 1 to 2,147,483,647")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place nobody may write")
def test_an_output_that_cannot_be_written_is_named(text, tmp_path):
    (tmp_path / "file").touch()
    for folder in ("/proc/nothing/here", tmp_path / "file/inside", tmp_path / "file"):
        assert_refused(run("encode", text, "-o", folder), str(folder))


def test_tables_need_a_field_which_messages_name_as_a_flag(tmp_path):
    path = tmp_path / "reviews.csv"
    path.write_text("id;my text;title\n1;size 7 it is;seven\n2;;two\n3;size 9 and 7;\n")
    refused = "perhaps --text-field 'my text'; its columns are 'id', 'my text', 'title'"
    assert_refused(run("stats", path), refused)
    assert_refused(run("stats", path, "--text-field", "x"), "no column 'x'; set --text-field to")
    flags = ["--text-field", "my text", "--min-count", 1]
    facts = json.loads(run("stats", path, *flags, "--json").stdout)
    assert (facts["sentences"], facts["missing_texts"]) == (2, 1)
    assert b"1 rows or elements without text" in run("stats", path, *flags).stdout
    both = run("encode", path, "-o", tmp_path / "out", *flags, "--text-field", "title")
    assert both.stdout.decode().endswith(
        "4 sentences, 6 words, 2 distinct numerals; 2 texts are missing\n"
    )
    trained = run("train", tmp_path / "out", "-o", tmp_path / "model", "--dim", 4)
    assert trained.stdout.decode().endswith("; 2 texts are missing\n")

"""Files of other tools: they are read as written, and errors say what is wrong."""

import bz2
import gzip
import json
import re
import struct
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberline as nl
from numberline.errors import (
    ConfigError,
    CorpusError,
    NumberlineError,
    NumberlineWarning,
    OutputError,
    VectorsError,
)
from numberline.files.word2vec import read_binary, read_text
from numberline.model.interchange import FORMATS, export, is_writable, read_vectors, write_vectors
from numberline.model.materialise import materialise
from numberline.model.word_vectors import WordVectors

FILES = ("word2vec", "word2vec-text", "glove")
WORDS = ["the", "190", "-5", "naïve", "中文", "new_york", "½", "</s>", "zero\u200cwidth", "#"]


def some_vectors(words=WORDS, dim=3):
    """Return vectors of random bits, with subnormal and huge numbers among them."""
    bits = np.random.default_rng(1).integers(0, 2**32, (len(words), dim), np.uint32)
    table = bits.view(np.float32).copy()
    table[~np.isfinite(table)] = 0.1
    return WordVectors(list(words), table)


def assert_equal(read, written):
    assert read.words == written.words
    assert read.table.dtype == np.float32
    assert read.table.tobytes() == written.table.tobytes()


# ---- Files are read as written ----


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("dim", [1, 3, 50])
def test_round_trip(tmp_path, format, dim):
    vectors = some_vectors(dim=dim)
    write_vectors(vectors, tmp_path / "out", format)
    assert_equal(read_vectors(tmp_path / "out", format), vectors)
    if dim > 1:  # the format of a single number is ambiguous
        assert_equal(read_vectors(tmp_path / "out"), vectors)


@pytest.mark.parametrize("format", FILES)
def test_round_trip_over_many_chunks(tmp_path, format):
    vectors = some_vectors([f"w{i}" for i in range(3000)], dim=30)
    write_vectors(vectors, tmp_path / "out", format)
    assert (tmp_path / "out").stat().st_size > 5 << 16
    assert_equal(read_vectors(tmp_path / "out"), vectors)


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_every_float32_survives_text(tmp_path_factory, numbers):
    path = tmp_path_factory.getbasetemp() / "floats.txt"
    vectors = WordVectors(["w"], np.array([numbers], np.float32))
    write_vectors(vectors, path, "glove", overwrite=True)
    assert_equal(read_vectors(path, "glove"), vectors)


@pytest.mark.parametrize("format", FILES)
def test_compressed(tmp_path, format):
    vectors = some_vectors()
    write_vectors(vectors, tmp_path / "out", format)
    write_vectors(vectors, tmp_path / "out.gz", format)
    plain = (tmp_path / "out").read_bytes()
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()) == plain
    (tmp_path / "out.bz2").write_bytes(bz2.compress(plain))
    for name in ("out.gz", "out.bz2"):
        assert_equal(read_vectors(tmp_path / name), vectors)


def test_exact_bytes(tmp_path):
    vectors = WordVectors(["a", "19"], np.array([[0.1, -2], [1e-5, 3e38]], np.float32))
    lines = b"a 0.1 -2.0\n19 1e-05 3e+38\n"
    for format, content in {
        "glove": lines,
        "word2vec-text": b"2 2\n" + lines,
        "word2vec": b"2 2\na "
        + struct.pack("<2f", 0.1, -2)
        + b"\n19 "
        + struct.pack("<2f", 1e-5, 3e38)
        + b"\n",
    }.items():
        write_vectors(vectors, tmp_path / format, format)
        assert (tmp_path / format).read_bytes() == content
    write_vectors(vectors, tmp_path / "npy", "npy")
    assert json.loads((tmp_path / "npy/words.json").read_text()) == ["a", "19"]
    assert (np.load(tmp_path / "npy/vectors.npy") == vectors.table).all()


@pytest.mark.parametrize("format", FORMATS)
def test_no_words(tmp_path, format):
    vectors = WordVectors([], np.zeros((0, 4), np.float32))
    write_vectors(vectors, tmp_path / "out", format)
    if format == "glove":
        with pytest.raises(VectorsError, match="is empty"):
            read_vectors(tmp_path / "out")
    else:
        assert_equal(read_vectors(tmp_path / "out"), vectors)


def test_npy_is_mapped(tmp_path):
    write_vectors(some_vectors(), tmp_path / "out", "npy")
    assert isinstance(read_vectors(tmp_path / "out").table, np.memmap)


# ---- Files as other tools write them ----


@pytest.mark.parametrize(
    "content",
    [
        b"2 2\nthe 1 2 \nof 3 4 \n",  # word2vec and fastText leave a blank at the end
        b"2 2\r\nthe 1 2\r\nof 3 4\r\n",
        b"\xef\xbb\xbf2 2\nthe 1 2\nof 3 4\n\n",
        b"the 1.0 2e0\nof +3 4.\n",
        b"2 2\nthe " + struct.pack("<2f", 1, 2) + b"of " + struct.pack("<2f", 3, 4),  # gensim
        b"2 2\nthe " + struct.pack("<2f", 1, 2) + b"\nof " + struct.pack("<2f", 3, 4) + b"\n",
    ],
)
def test_other_writers(tmp_path, content):
    (tmp_path / "in").write_bytes(content)
    read = read_vectors(tmp_path / "in")
    assert read.words == ["the", "of"]
    assert read.table.tolist() == [[1, 2], [3, 4]]


def test_words_of_other_tools(tmp_path):
    lines = "the 1 2\n. . . 3 4\nat name@domain.com 5 6\na\u00a0b 7 8\n190 9 10\n"
    (tmp_path / "in").write_text(lines, encoding="utf-8")
    words = read_vectors(tmp_path / "in").words
    assert words == ["the", ". . .", "at name@domain.com", "a\u00a0b", "190"]


def test_repeated_words_keep_their_first_vector(tmp_path):
    (tmp_path / "in").write_bytes(b"the 1 2\nof 3 4\nthe 5 6\ncaf\xe9 7 8\n")
    with pytest.warns(NumberlineWarning, match="1 words are repeated"):
        read = read_vectors(tmp_path / "in")
    assert read.words == ["the", "of", "caf\ufffd"]
    assert read.table.tolist() == [[1, 2], [3, 4], [7, 8]]


def test_a_missing_line_end_is_a_warning(tmp_path):
    (tmp_path / "in").write_bytes(b"1 2\nthe 0.25 0.5")
    with pytest.warns(NumberlineWarning, match="no line end at its end"):
        assert read_vectors(tmp_path / "in").table.tolist() == [[0.25, 0.5]]


# ---- Errors say what is wrong ----

BINARY = b"2 2\nthe " + struct.pack("<2f", 1, 2) + b"\nof " + struct.pack("<2f", 3, 4) + b"\n"


@pytest.mark.parametrize(
    ("format", "content", "message"),
    [
        (None, b"", "is empty"),
        (None, b"\n\n", "is empty"),
        (None, b"some words and no numbers\n", "not a word and its numbers"),
        (None, b"the 1 2\nof 3\n", "line 2: 1 numbers after 'of', but 2 are needed"),
        (None, b"the 1 2\nof 3 4 5\n", "line 2: 3 numbers after 'of', but 2 are needed"),
        (None, b"the 1 2\nof 3  4\n", "line 2: 3 numbers after 'of'"),
        (None, b"the 1 2\nof  3 4\n", "line 2: 3 numbers after 'of'"),
        (None, b"the 1 2\nof 3 x4\n", "line 2: 'x4' is no number"),
        (None, b"the 1 2\nof 3 4_0\n", "line 2: .* holds _"),
        (None, b"the 1 2\n 3 4\n", "line 2: it begins with a blank"),
        (None, b"the 1 2\nof 3 nan\n", "vector of 'of' has a number that is not finite"),
        (None, b"the 1 2\nof 3 1e39\n", "vector of 'of' has a number that is not finite"),
        (None, b"the 1 2\nof\t3\t4\n", "line 2: 0 numbers"),
        (None, b"3 2\nthe 1 2\nof 3 4\n", "header says 3 words, but there are 2"),
        (None, b"1 2\nthe 1 2\nof 3 4\n", "header says 1 words, but there are more"),
        (None, b"2 3\nthe 1 2\nof 3 4\n", "line 2: 2 numbers after 'the', but 3 are needed"),
        (None, b"2 0\nthe\nof\n", "header says 0 dimensions"),
        (None, b"2 999999999\nthe 1 2\n", "header says 999,999,999 dimensions"),
        (None, BINARY[:-2], "ends within a vector"),
        (None, BINARY[:-3], "ends within a vector"),
        (None, BINARY[:17], "header says 2 words, but there are 1"),
        (None, BINARY + BINARY[4:], "header says 2 words, but there are more"),
        (None, BINARY + b"x", "ends within a vector"),
        (None, BINARY.replace(b"2 2", b"3 2"), "header says 3 words, but there are 2"),
        (None, BINARY.replace(b"2 2", b"2 3"), "not finite|ends within|but there are"),
        (None, BINARY.replace(struct.pack("<f", 2), b"\0\0\xc0\x7f"), "not finite"),
        ("word2vec", b"the 1 2\n", "begins with 'the 1 2', .*the format 'glove' has no such line"),
        ("word2vec-text", b"the 1 2\n", "begins with 'the 1 2'"),
        ("word2vec", b"2 2\nthe 1 2\nof 3 4\n", "ends within|but there are|not finite"),
        ("word2vec", b"2 2\n" + bytes(70_000), "a word of more than 65,536 bytes"),
        ("word2vec-text", BINARY, "line 2: "),
        ("glove", BINARY[4:], "not a word and its numbers"),
        ("glove", bytes(9 << 20), "more than 8,388,608 bytes; this is no text"),
        ("glove", b"\x93NUMPY\x01\x00v\x00{'descr': '<f4'}", "not a word and its numbers"),
        (None, b"\x1f\x8b\x08\x00garbage", "corrupt gzip|truncated"),
        (None, gzip.compress(b"the 1 2\n" * 999)[:-9], "truncated"),
    ],
)
def test_broken_files(tmp_path, format, content, message):
    (tmp_path / "in").write_bytes(content)
    with pytest.raises((VectorsError, CorpusError), match=message) as caught:
        read_vectors(tmp_path / "in", format)
    assert str(caught.value).startswith(str(tmp_path / "in"))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("format", [None, *FORMATS])
def test_missing_files(tmp_path, format):
    with pytest.raises(VectorsError, match=r"cannot read .*No such file"):
        read_vectors(tmp_path / "nothing", format)


def test_an_unknown_format(tmp_path):
    with pytest.raises(ConfigError, match="must be one of word2vec, word2vec-text, glove, npy"):
        read_vectors(tmp_path, "w2v")


def replace_table(folder, table):
    np.save(folder / "vectors.npy", table)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "words.json").unlink(), "words.json: No such file"),
        (lambda f: (f / "vectors.npy").unlink(), "vectors.npy: No such file"),
        (lambda f: (f / "words.json").write_text('["a"'), "cannot read"),
        (lambda f: (f / "words.json").write_text('{"a": 1}'), "no list of words"),
        (lambda f: (f / "words.json").write_text("[1]"), "no list of words"),
        (lambda f: (f / "words.json").write_text('["a"]'), "1 words, but 10 vectors"),
        (lambda f: (f / "vectors.npy").write_bytes(b""), "cannot read"),
        (lambda f: (f / "vectors.npy").write_bytes(b"text"), "cannot read"),
        (lambda f: (f / "vectors.npy").write_bytes((f / "vectors.npy").read_bytes()[:-4]), "read"),
        (lambda f: replace_table(f, np.zeros((10, 3))), "no table of float32"),
        (lambda f: replace_table(f, np.zeros(10, np.float32)), "no table of float32"),
        (lambda f: replace_table(f, np.array([None])), "cannot read"),
        (lambda f: replace_table(f, np.full((10, 3), np.nan, "f4")), "not finite"),
    ],
)
def test_broken_npy_folders(tmp_path, damage, message):
    write_vectors(some_vectors(), tmp_path / "in", "npy")
    damage(tmp_path / "in")
    with pytest.raises(VectorsError, match=message):
        read_vectors(tmp_path / "in")


def test_an_empty_word_is_refused(tmp_path):
    row = np.zeros(2, np.float32).tobytes()
    (tmp_path / "a").write_bytes(b"2 2\na " + row + b"\n " + row + b"\n")
    with pytest.raises(VectorsError, match="word 2 is empty"):
        read_vectors(tmp_path / "a")


@pytest.mark.parametrize("format", ["word2vec", "word2vec-text"])
def test_reading_ends_after_one_word_more_than_the_header_says(tmp_path, format):
    write_vectors(some_vectors(), tmp_path / "a", format)
    header, _, rows = (tmp_path / "a").read_bytes().partition(b"\n")
    dim = header.split()[1]
    chunks = iter([b"1 " + dim + b"\n" + rows, *[rows] * 99])
    read = read_binary if format == "word2vec" else partial(read_text, has_header=True)
    with pytest.raises(VectorsError, match="says 1 words, but there are more"):
        read(chunks, "a")
    assert sum(1 for _ in chunks) > 97


def test_a_file_that_unpacks_to_far_more_than_vectors_do_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"a" + b" 0" * 3_000_000 + b"\n"))
    monkeypatch.setattr("numberline.files.decompression.PLAUSIBLE_BYTES", 1 << 22)
    with pytest.raises(CorpusError, match="unpacks to more than 100 times its size"):
        read_vectors(path)


# ---- Words that would break a line ----

ODD = ["", "new york", "a\nb", "a\tb", "a\rb", "a\u00a0b", "a\u2028b", "a\u3000b", "\x00", "a\x1cb"]
ODD += ["\ufeffa", "a\x85", "a\x9b", "\ud800"]


@pytest.mark.parametrize("word", ODD)
@pytest.mark.parametrize("format", FORMATS)
def test_words_that_would_break_a_line(tmp_path, word, format):
    vectors = some_vectors(["the", word, "of"])
    if format == "npy":
        write_vectors(vectors, tmp_path / "out", format)
        assert_equal(read_vectors(tmp_path / "out"), vectors)
        return
    with pytest.raises(VectorsError, match=f"1 words are.*{format} files cannot hold"):
        write_vectors(vectors, tmp_path / "out", format)
    assert list(tmp_path.iterdir()) == []


@given(st.text())
def test_what_is_writable_is_one_field(word):
    if is_writable(word):
        assert word.split() == word.splitlines() == [word]
        assert word.encode().split() == [word.encode()]


def test_unwritable_words_can_be_left_out(tmp_path):
    sentences = [["new york", "has", "many", "cars", "12"]] * 9
    model = nl.train(sentences, dim=4, min_count=1, epochs=1, threads=1)
    with pytest.raises(VectorsError, match="'new york'"):
        export(model, tmp_path / "out")
    written = export(model, tmp_path / "out", numerals=["12", "3 1/2"], skip_unwritable=True)
    read = read_vectors(tmp_path / "out")
    assert_equal(read, written)
    assert sorted(read.words) == ["12", "cars", "has", "many"]
    export(model, tmp_path / "all", "npy", skip_unwritable=True)
    assert "new york" in read_vectors(tmp_path / "all")


# ---- Models ----


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("side", ["input", "output"])
def test_export(planted_model, tmp_path, format, side):
    numerals = ["7.25", "1,250", "-3", 8, 0.5]
    export(planted_model, tmp_path / "out", format, numerals=numerals, side=side)
    read = read_vectors(tmp_path / "out")
    assert read.words == [*planted_model.words, "7.25", "1,250", "-3", "8", "0.5"]
    expected = planted_model.vectors(read.words, side)
    assert read.table.tobytes() == expected.tobytes()


def test_most_frequent_numerals(planted_model):
    vocabulary = planted_model.vocabulary
    written = materialise(planted_model, 19)
    assert sorted(map(int, written.words[-19:])) == list(range(1, 20))
    top = float(vocabulary.numeral_values[vocabulary.numeral_counts.argmax()])
    assert float(written.words[-19]) == top
    everything = materialise(planted_model, 10**9)
    assert len(everything) == len(planted_model) + len(vocabulary.numeral_values)
    assert len(materialise(planted_model, 0)) == len(planted_model)


def test_numerals_come_once(planted_model):
    written = materialise(planted_model, ["7", 7, "7", "7.0"])
    assert written.words[len(planted_model) :] == ["7", "7.0"]


@pytest.mark.parametrize(
    ("numerals", "message"),
    [
        (["7", "few"], "'few' .*is not a numeral"),
        (["covid-19"], "'covid-19' .*is not a numeral"),
        ([float("nan")], "'nan' .*is not a numeral"),
        (-1, "numerals=-1, but it must be 0 or more"),
        ("100", "numerals='100', but it must be how many"),
        (2.5, "numerals=2.5, but it must be how many"),
    ],
)
def test_other_tokens_than_numerals_are_refused(planted_model, tmp_path, numerals, message):
    with pytest.raises(NumberlineError, match=message):
        export(planted_model, tmp_path / "out", numerals=numerals)
    assert list(tmp_path.iterdir()) == []


def test_numerals_are_spelled_as_the_model_reads_them():
    sentences = ["it costs 1.234 or 1,234 or 0,5"] * 9
    model = nl.train(sentences, dim=4, min_count=1, epochs=1, threads=1, decimal_comma=True)
    written = materialise(model, 9)
    assert sorted(written.words[-3:]) == ["0,5", "1,234", "1234"]
    read = model.lookup.read_tokens(written.words[-3:])
    rows = model.numeral_vectors(read.numerals)
    assert (rows == written.table[-3:]).all()


def test_a_model_without_numerals(tmp_path):
    with pytest.warns(NumberlineWarning, match="no numerals"):
        model = nl.train(["no numeral in here"] * 9, dim=4, min_count=1, epochs=1, threads=1)
    with pytest.raises(VectorsError, match="no numerals were learnt"):
        export(model, tmp_path / "out", numerals=5)
    export(model, tmp_path / "out")
    assert read_vectors(tmp_path / "out").words == model.words


# ---- Existing files and folders ----


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_is_overwritten_unasked(tmp_path, format):
    first, second = some_vectors(), some_vectors(["other"])
    write_vectors(first, tmp_path / "out", format)
    with pytest.raises(OutputError, match="exists already"):
        write_vectors(second, tmp_path / "out", format)
    assert_equal(read_vectors(tmp_path / "out"), first)
    write_vectors(second, tmp_path / "out", format, overwrite=True)
    assert_equal(read_vectors(tmp_path / "out", format), second)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_is_no_file_and_a_file_no_folder(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/mine").touch()
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="it is no file"):
        write_vectors(some_vectors(), tmp_path / "folder", overwrite=True)
    for name in ("folder", "file"):
        with pytest.raises(OutputError, match="holds no exported vectors"):
            write_vectors(some_vectors(), tmp_path / name, "npy", overwrite=True)
    assert (tmp_path / "folder/mine").exists()


# ---- Vectors that were read ----


def test_word_vectors_are_used_like_a_model():
    vectors = WordVectors(
        ["the", "190", "0.5", "inf"], np.arange(8, dtype=np.float32).reshape(4, 2)
    )
    assert vectors.vectors(["190", 190, 190.0, np.int64(190)]).tolist() == [[2, 3]] * 4
    assert vectors[0.5].tolist() == [4, 5]
    assert vectors["The"].tolist() == [0, 1]
    assert 190 in vectors
    for token in ("191", "190.0", float("inf"), None):
        assert token not in vectors
    assert vectors.vectors(["x", "the"], unknown="zero").tolist() == [[0, 0], [0, 1]]
    assert vectors.vector("x", unknown="mean").tolist() == [3, 4]
    with pytest.raises(KeyError, match=re.escape("'teh' (str) is unknown; close words are the")):
        vectors["teh"]
    with pytest.raises(KeyError, match="191"):
        vectors[191]
    with pytest.raises(ConfigError, match="side='output'"):
        vectors.vectors(["the"], side="output")
    assert repr(vectors) == "<WordVectors of 4 words, 2 dimensions>"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit for the size of files")
@pytest.mark.parametrize("format", FORMATS)
def test_a_file_that_cannot_be_written_whole_is_an_error(tmp_path, format):
    code = (
        "import resource, numpy as np\n"
        "from numberline.model.interchange import WordVectors, write_vectors\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "vectors = WordVectors([f'w{n}' for n in range(99)], np.ones((99, 3), np.float32))\n"
        f"write_vectors(vectors, 'out', {format!r})"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True)
    assert b"OutputError: cannot write out: " in result.stderr
    assert list(tmp_path.iterdir()) == []

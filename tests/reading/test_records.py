"""JSON lines and tables are read; errors have one line."""

from __future__ import annotations

import inspect
import json
import os
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from numberline.errors import MissingExtraError
from numberline.files.decompression import zstd
from numberline.reading.corpus import open_corpus
from tests.reading.reading_corpora import (
    COMPRESSORS,
    Write,
    blocks_of,
    every_compression,
    feed_stdin,
    message_of,
    sentences_of,
    text_of,
)

# ---- Records ----


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "A.JSONL"])
def test_json_lines_become_lines_of_text(write: Write, name: str) -> None:
    records = [{"id": 1, "text": 'size\u2028½ "XXL"'}, {"text": None}, {"text": "two\r\nlines\n"}]
    path = write(name, "\n\n".join(map(json.dumps, records)))
    assert text_of(path) == 'size\u2028½ "XXL"\ntwo\r\nlines\n'.encode()


@every_compression
def test_json_lines_may_be_compressed(write: Write, compression: str) -> None:
    for suffix in ("gz", "bz2", "xz", "zst"):
        path = write(f"a.jsonl.{suffix}", COMPRESSORS[compression](b'{"text": "one"}\n'))
        assert text_of(path) == b"one\n"


def test_text_field_makes_any_text_json_lines(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = '{"body": "one", "text": "not this"}\n'
    assert text_of(write("a.txt", line), text_field="body") == b"one\n"
    assert text_of([line], text_field="body") == b"one\n"
    feed_stdin(monkeypatch, line.encode())
    assert text_of("-", text_field="body") == b"one\n"


def test_json_lines_longer_than_a_chunk(write: Write) -> None:
    texts = ["word " * 100_000, "short"]
    path = write("a.jsonl", "".join(json.dumps({"text": text}) + "\n" for text in texts))
    assert text_of(path) == ("\n".join(texts) + "\n").encode()


def test_json_lines_with_a_byte_order_mark(write: Write) -> None:
    assert text_of(write("a.jsonl", b'\xef\xbb\xbf{"text": "one"}')) == b"one\n"


def test_json_bytes_that_are_not_utf8_are_kept(write: Write) -> None:
    path = write("a.jsonl", b'{"text": "caf\xe9"}\n{"text": "\\ud800 lone"}\n')
    assert text_of(path) == b"caf\xe9\n\xef\xbf\xbd lone\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 7, "body": ""}', "no field 'text'; set text_field to one of: 'id', 'body'"),
        ("{}", "no field 'text'; set text_field to one of: none"),
        ('{"text": "a"', "bad JSON (Expecting ',' delimiter, column 13)"),
        ('["text"]', "['text'] (list) is no JSON object"),
        ('{"text": 190}', "field 'text' is 190 (int), not a string"),
        ("[" * 100_000, "bad JSON ("),
        ('{"text": ' + "1" * 5000 + "}", "bad JSON ("),
    ],
)
def test_bad_json_lines_name_file_and_line(write: Write, line: str, message: str) -> None:
    path = write("a.jsonl", '{"text": "fine"}\n\n' + line + "\n")
    assert message_of(path).startswith(f"{path}, line 3: {message}")


def test_a_line_of_json_longer_than_a_record_may_be_is_refused(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberline.reading.records.LONGEST_RECORD", 30)
    path = write("a.jsonl", '{"text": "fine"}\n{"text": "' + "x" * 30 + '"}\n')
    assert message_of(path).startswith(f"{path}, line 2 has more than 30 bytes; split it")


def test_a_compressed_line_of_two_gigabytes_is_refused_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.zst"
    with zstd.open(path, "wb") as file:
        file.write(b'{"text": "')
        for _ in range(2048):
            file.write(b"x" * (1 << 20))
    assert path.stat().st_size < 1 << 20
    tracemalloc.start()
    message = message_of(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert message.startswith(f"{path}, line 1 has more than 33,554,432 bytes")
    assert peak < 200 << 20


@pytest.mark.parametrize("depth", [100, 500, 900, 990, 5000, 100_000])
@pytest.mark.parametrize(
    "record", ["[{}]", '{{"text": {}}}', '{{"x": {}}}', '{{"text": 1, "x": {}}}']
)
def test_deep_nesting_is_one_clear_error_near_the_limit_of_recursion(
    write: Write, depth: int, record: str
) -> None:
    path = write("a.jsonl", record.format("[" * depth + "]" * depth))

    def deeper(frames: int) -> str:
        return deeper(frames - 1) if frames else message_of(path)

    for frames in (0, 300, sys.getrecursionlimit() - len(inspect.stack()) - 60):
        assert deeper(frames).startswith(f"{path}, line 1: ")


def test_odd_json_is_read(write: Write) -> None:
    path = write("a.jsonl", '{"x": NaN, "text": "a", "text": "b"}\n{"text": "\\ud83d\\ude00"}')
    assert text_of(path) == "b\n😀\n".encode()


def test_escaped_surrogates_never_join_to_a_character(write: Write) -> None:
    line = b'{"text": "\\udce2\\udc82\\udcac"}\n'
    assert text_of(write("a.jsonl", line)) == "\ufffd\ufffd\ufffd\n".encode()
    mixed = b'{"text": "\\udce2\\udc82\\udcac caf\xe9"}\n'
    assert text_of(write("a.jsonl", mixed)) == "\ufffd\ufffd\ufffd caf\ufffd\n".encode()


def test_a_record_of_many_fields_is_refused_in_a_short_message(write: Write) -> None:
    record = {f"field {n} " + "x" * 99: 0 for n in range(1000)}
    assert len(message_of(write("a.jsonl", json.dumps(record)))) < 1200


# ---- Tables ----


def write_table(path: Path, columns: dict[str, Any], kind: str) -> Path:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table = pa.table(columns)
    if kind == "parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=400)
    else:
        new_writer = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
        with new_writer(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=400)
    return path


every_table = pytest.mark.parametrize("kind", ["parquet", "arrow", "arrow stream"])


@every_table
def test_tables_become_lines_of_text(tmp_path: Path, kind: str) -> None:
    texts = [None if n % 7 == 0 else f"row {n}" for n in range(1000)]
    columns = {"id": list(range(1000)), "text": texts, "title": ["no"] * 1000}
    texts[1:3] = ["", " "]
    path = write_table(tmp_path / "misleading.txt", columns, kind)
    read = open_corpus(path)
    expected = "".join(f"{text}\n" for text in texts if text is not None)
    assert b"".join(block.data for block in read.blocks()) == expected.encode()
    assert read.report.missing_texts == 145
    assert read.bytes_read == read.size_bytes == path.stat().st_size
    assert text_of(path, text_field="title") == b"no\n" * 1000


@every_table
def test_progress_rises_through_a_table_to_its_size(tmp_path: Path, kind: str) -> None:
    texts = [os.urandom(50).hex() for _ in range(4000)]
    read = open_corpus(write_table(tmp_path / "a", {"text": texts}, kind))
    assert read.size_bytes is not None
    fractions = [read.bytes_read / read.size_bytes for _ in read.blocks(block_bytes=1000)]
    assert fractions == sorted(fractions)
    assert fractions[0] < 0.5
    assert 0.85 < fractions[-2] <= 1
    assert read.bytes_read == read.size_bytes


@every_table
def test_tables_may_hold_token_lists(tmp_path: Path, kind: str) -> None:
    columns = {"id": [1, 2, 3], "words": [["size", "190"], None, ["", None, "½"]]}
    path = write_table(tmp_path / "a", columns, kind)
    assert sentences_of(path) == [["size", "190"], ["½"]]


def test_the_only_string_column_is_the_text(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a", {"id": [1], "body": ["one"]}, "parquet")
    assert text_of(path) == b"one\n"


@pytest.mark.parametrize("string_type", ["string", "large_string", "string_view", "dictionary"])
def test_every_arrow_type_of_string_is_read(tmp_path: Path, string_type: str) -> None:
    pa = pytest.importorskip("pyarrow")
    values = pa.array(["one", "two", "one"])
    is_dictionary = string_type == "dictionary"
    values = values.dictionary_encode() if is_dictionary else values.cast(string_type)
    path = write_table(tmp_path / "a", {"text": values}, "arrow")
    assert text_of(path) == b"one\ntwo\none\n"


def test_table_strings_that_are_not_utf8_are_kept(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    offsets, characters = b"\0\0\0\0\4\0\0\0", b"caf\xe9"
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(characters)]
    values = pa.Array.from_buffers(pa.string(), 1, buffers)
    assert text_of(write_table(tmp_path / "a", {"text": values}, "parquet")) == b"caf\xe9\n"


@pytest.mark.parametrize(
    ("columns", "field", "wanted"),
    [
        ({"a": ["x"], "b": ["y"], "c": [1]}, None, "text"),
        ({"a": ["x"], "text": [1]}, None, "text"),
        ({"a": ["x"]}, "body", "body"),
        ({"a": ["x"], "c": [1]}, "c", "c"),
    ],
)
def test_a_table_without_a_text_column_is_an_error(
    tmp_path: Path, columns: dict[str, Any], field: str | None, wanted: str
) -> None:
    path = write_table(tmp_path / "a", columns, "parquet")
    message = message_of(path, text_field=field)
    assert message.startswith(f"{path}: no column {wanted!r}")
    assert all(repr(name) in message for name in columns)


@every_table
def test_a_broken_table_is_an_error_in_one_line(tmp_path: Path, kind: str) -> None:
    path = write_table(tmp_path / "a", {"text": ["word " * 50] * 1000}, kind)
    path.write_bytes(path.read_bytes()[:-1000])
    assert message_of(path).startswith(f"{path}: cannot read it as ")


def test_a_parquet_page_with_a_wrong_checksum_is_an_error(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a"
    parquet.write_table(
        pa.table({"text": [f"size {190 + n}" for n in range(9)]}),
        path,
        compression="none",
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    content = path.read_bytes()
    assert content.count(b"size 195") == 1
    path.write_bytes(content.replace(b"size 195", b"size 185"))
    assert message_of(path).startswith(f"{path}: cannot read it as Parquet: ")


def test_a_nul_in_a_table_token_names_the_row(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a", {"text": [["a"]] * 500 + [["b\0"]]}, "parquet")
    assert message_of(path) == f"{path}, row 501: a token holds a NUL character"


@every_compression
def test_a_compressed_table_is_refused(tmp_path: Path, compression: str) -> None:
    path = write_table(tmp_path / "a.parquet", {"text": ["one"]}, "parquet")
    path.write_bytes(COMPRESSORS[compression](path.read_bytes()))
    assert message_of(path) == f"{path} holds Parquet data; pass it as an uncompressed file"


def test_tables_without_pyarrow_name_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_table(tmp_path / "a.parquet", {"text": ["one"]}, "parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r"numberline\[arrow\]"):
        blocks_of(path)

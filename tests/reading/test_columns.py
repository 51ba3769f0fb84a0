"""Columns of tables are checked, and read a bounded number of bytes at a time."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.reading.reading_corpora import message_of, text_of

pa = pytest.importorskip("pyarrow")
columns = pytest.importorskip("numberline.reading.columns")

TEXTS = ["one", None, "", "two two", "three"] * 3
SIZES = [3, 0, 0, 7, 5] * 3
LISTS = [["a", "bc", None], None, [], ["d" * 9]]
STRINGS = ["string", "large_string", "string_view"]


def written(path: Path, column: Any) -> Path:
    table = pa.table({"text": column})
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    return path


def variants(values: Any) -> list[Any]:
    """Return strings in all their types, also as a slice and as a dictionary."""
    kinds = [values.cast(kind) for kind in STRINGS]
    longer = pa.array(["x", *values.to_pylist(), "x"])
    padded = [longer.cast(kind).slice(1, len(values)) for kind in STRINGS]
    return [*kinds, *padded, values.dictionary_encode(), padded[0].dictionary_encode().slice(1)]


def test_sizes_of_strings_are_their_bytes():
    *whole, sliced = variants(pa.array(TEXTS))
    for values in whole:
        assert columns.sizes_of(columns.checked_bytes(values)).tolist() == SIZES, values.type
    assert columns.sizes_of(columns.checked_bytes(sliced)).tolist() == SIZES[1:]


@pytest.mark.parametrize("kind", STRINGS)
def test_sizes_of_lists_count_their_tokens_too(kind):
    strings = getattr(pa, kind)()
    for values in (pa.array(LISTS, pa.list_(strings)), pa.array(LISTS, pa.large_list(strings))):
        checked = columns.checked_bytes(values)
        assert columns.sizes_of(checked).tolist() == [6, 0, 0, 10]
        assert columns.sizes_of(checked.slice(2)).tolist() == [0, 10]
    child = pa.array(["a", "bc", "a"]).dictionary_encode()
    coded = pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), child)
    assert columns.sizes_of(columns.checked_bytes(coded)).tolist() == [5, 2]


def test_empty_columns_have_no_sizes():
    for values in (*variants(pa.array([], pa.string()))[:3], pa.array([], pa.list_(pa.string()))):
        assert columns.sizes_of(columns.checked_bytes(values)).tolist() == []


def test_pieces_hold_few_bytes_and_all_rows(monkeypatch):
    monkeypatch.setattr(columns, "PIECE_BYTES", 8)
    for values in variants(pa.array(TEXTS))[:-1]:
        checked = columns.checked_bytes(values)
        pieces = list(columns.pieces(checked, "a", 0))
        assert [text for _, piece in pieces for text in piece.to_pylist()] == checked.to_pylist()
        assert [start for start, _ in pieces] == [0, 3, 4, 8, 9, 13, 14]


def test_a_row_longer_than_a_record_may_be_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "LONGEST_RECORD", 20)
    for column in (["a"] * 300 + ["b" * 21], [["a"]] * 300 + [["b"] * 11]):
        path = written(tmp_path / "a", pa.array(column))
        assert message_of(path).startswith(f"{path}, row 301 has more than ")


def test_a_dictionary_does_not_multiply_its_longest_value(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "PIECE_BYTES", 1000)
    values = pa.array(["x" * 900] * 300).dictionary_encode()
    pieces = columns.pieces(columns.checked_bytes(values), "a", 0)
    assert {len(piece) for _, piece in pieces} == {1}
    assert text_of(written(tmp_path / "a", values)) == (b"x" * 900 + b"\n") * 300


@pytest.mark.parametrize("offset", [-1, 2**30, -(2**31)])
def test_damaged_offsets_are_refused(tmp_path, offset):
    path = written(tmp_path / "a", pa.array(["aaaa", "bbbb", "cccc"]))
    content = path.read_bytes()
    good = struct.pack("<4i", 0, 4, 8, 12)
    assert content.count(good) == 1
    path.write_bytes(content.replace(good, struct.pack("<4i", 0, offset, 8, 12)))
    assert message_of(path).startswith(f"{path}: cannot read it as Arrow: ")


def test_other_columns_may_be_damaged(tmp_path):
    table = pa.table({"id": ["aaaa", "bbbb", "cccc"], "text": ["x", "y", "z"]})
    path = tmp_path / "a"
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)
    content = path.read_bytes()
    good, bad = struct.pack("<4i", 0, 4, 8, 12), struct.pack("<4i", 0, 99, 8, 12)
    assert content.count(good) == 1
    path.write_bytes(content.replace(good, bad))
    assert text_of(path) == b"x\ny\nz\n"


def test_tokens_that_are_not_utf8_are_kept_as_they_are(tmp_path):
    child = pa.array([b"caf\xe9", b"5"]).view(pa.string())
    lists = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), child)
    path = written(tmp_path / "a", lists)
    assert text_of(path) == b"caf\xe9\x005\0\0"


@pytest.mark.parametrize("new_writer", ["new_file", "new_stream"])
@pytest.mark.parametrize("codec", ["lz4", "zstd"])
@pytest.mark.parametrize("kind", ["plain", "dictionary"])
def test_buffers_that_unpack_to_too_much_are_refused_unread(
    tmp_path, monkeypatch, new_writer, codec, kind
):
    monkeypatch.setattr("numberline.reading.arrow_sizes.LARGEST_BUFFER", 50_000)
    options = pa.ipc.IpcWriteOptions(compression=codec)
    for size, is_read in ((40_000, True), (60_000, False)):
        values = pa.array(["x" * size])
        column = values if kind == "plain" else values.dictionary_encode()
        table = pa.table({"id": [1], "text": column})
        with getattr(pa.ipc, new_writer)(tmp_path / "a", table.schema, options=options) as writer:
            writer.write_table(table)
        if is_read:
            assert len(text_of(tmp_path / "a")) == size + 1
        else:
            assert "a buffer unpacks to 60,000 bytes" in message_of(tmp_path / "a")


def test_huge_rows_of_parquet_are_refused_unread(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("numberline.reading.tables.LONGEST_RECORD", 1000)
    for column in (["x" * 2000], [["x" * 2000]]):
        parquet.write_table(pa.table({"text": column}), tmp_path / "a", use_dictionary=False)
        assert "its rows have more than 1,000 bytes" in message_of(tmp_path / "a")


def test_parquet_with_damaged_sizes_of_a_column_does_not_end_the_process(tmp_path):
    """pyarrow would end it if it were asked for these sizes."""
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"text": [["a", None], ["b"]]}), tmp_path / "a")
    content = (tmp_path / "a").read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    read = "import sys, numberline as nl\nfor path in sys.argv[1:]:\n"
    read += "    try: nl.count(path)\n    except nl.NumberlineError: pass\n"
    paths = []
    for at in range(footer, len(content) - 8):
        damaged = bytearray(content)
        damaged[at] ^= 1 << 4
        paths.append(tmp_path / f"b{at}")
        paths[-1].write_bytes(damaged)
    assert subprocess.run([sys.executable, "-c", read, *paths]).returncode == 0

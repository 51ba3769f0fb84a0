"""Every kind of corpus gives its text back unchanged; every broken one says so in one line."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from numberline.config import CorpusConfig
from numberline.errors import CorpusError, MissingExtraError
from numberline.text import blocks as cutter
from numberline.text import corpus
from numberline.text.blocks import Block, Stream, cut_into_blocks
from numberline.text.corpus import open_corpus
from numberline.text.scanner import tokenize

TEXT = "Jeff is 190 cm, size XXL.\nÅse weighs ½ of that.\n".encode()


def compress_zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": compress_zstd,
}
every_compression = pytest.mark.parametrize("compression", COMPRESSORS)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes | str], Path]:
    def write_file(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


Write = Callable[[str, bytes | str], Path]


def blocks_of(source: Any, **settings: Any) -> list[Block]:
    return list(open_corpus(source, CorpusConfig(**settings)).blocks())


def text_of(source: Any, **settings: Any) -> bytes:
    return b"".join(block.data for block in blocks_of(source, **settings))


def sentences_of(source: Any, **settings: Any) -> list[list[str]]:
    blocks = blocks_of(source, **settings)
    assert all(block.tokenised for block in blocks)
    return unpack(blocks)


def unpack(blocks: Iterable[Block]) -> list[list[str]]:
    packed = b"".join(block.data for block in blocks).decode()
    return [sentence.split("\0") for sentence in packed.split("\0\0")[:-1]]


def message_of(source: Any, **settings: Any) -> str:
    with pytest.raises(CorpusError) as caught:
        blocks_of(source, **settings)
    message = str(caught.value)
    assert "\n" not in message
    return message


# ---- Plain and compressed files ----


def test_plain_file(write: Write) -> None:
    path = write("a.txt", TEXT)
    assert blocks_of(path) == [Block(TEXT, str(path), 0, ends_line=True, tokenised=False)]
    assert blocks_of(str(path)) == blocks_of(path)


def test_bytes_that_are_not_utf8_come_as_found(write: Write) -> None:
    assert text_of(write("a.txt", b"caf\xe9 190\r\n\xff\n")) == b"caf\xe9 190\r\n\xff\n"


def test_byte_order_mark_is_no_text(write: Write) -> None:
    (block,) = blocks_of(write("a.txt", b"\xef\xbb\xbfone\n"))
    assert (block.data, block.offset) == (b"one\n", 3)


@every_compression
@pytest.mark.parametrize("name", ["a.txt", "a.gz", "a.bz2", "a.xz", "a.zst", "a"])
def test_compression_is_recognised_by_content(write: Write, compression: str, name: str) -> None:
    assert text_of(write(name, COMPRESSORS[compression](TEXT))) == TEXT


@pytest.mark.parametrize("name", ["a.gz", "a.bz2", "a.xz", "a.zst", "a.parquet", "a.arrow"])
def test_plain_text_with_a_misleading_name(write: Write, name: str) -> None:
    assert text_of(write(name, TEXT)) == TEXT


@pytest.mark.parametrize("start", ["BZh 190", "PAR1 190", "ARROW1 190", "(", "7zXZ"])
def test_text_that_begins_like_a_signature(write: Write, start: str) -> None:
    assert text_of(write("a.txt", start)) == start.encode()


@every_compression
def test_members_in_a_row_are_one_text(write: Write, compression: str) -> None:
    compress = COMPRESSORS[compression]
    padding = b"\0" * 512
    parts = [compress(TEXT), compress(b""), compress(b"more"), padding, compress(TEXT), padding]
    assert text_of(write("a", b"".join(parts))) == TEXT + b"more" + TEXT


def test_thousands_of_members(write: Write) -> None:
    assert text_of(write("a.zst", compress_zstd(b"190\n") * 5000)) == b"190\n" * 5000


def test_skippable_zstd_frames(write: Write) -> None:
    skippable = b"\x5a\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"index"
    frames = skippable + compress_zstd(TEXT) + skippable + compress_zstd(b"more") + skippable
    assert text_of(write("a.zst", frames)) == TEXT + b"more"


@every_compression
def test_steps_that_fill_up_lose_nothing(write: Write, compression: str) -> None:
    text = b"".join(b"%d euros\n" % (n * n) for n in range(80_000)) + b"0\n" * 1_500_000
    assert text_of(write("a", COMPRESSORS[compression](text))) == text


@every_compression
def test_truncation_never_passes(write: Write, compression: str) -> None:
    whole = COMPRESSORS[compression](TEXT)
    for length in range(2, len(whole)):
        assert "truncated" in message_of(write("a.txt", whole[:length])), length


@every_compression
def test_truncation_of_a_later_member_never_passes(write: Write, compression: str) -> None:
    whole = COMPRESSORS[compression](TEXT)
    for length in range(1, len(whole), 5):
        assert "truncated" in message_of(write("a.txt", whole + whole[:length])), length


@every_compression
def test_corruption_never_passes(write: Write, compression: str) -> None:
    whole = COMPRESSORS[compression](TEXT * 3)
    middle = len(whole) // 2
    broken = whole[:middle] + bytes([whole[middle] ^ 0x55]) + whole[middle + 1 :]
    message = message_of(write("a.txt", broken))
    assert f"corrupt {compression} data" in message or "truncated" in message
    assert "a.txt" in message


@every_compression
def test_garbage_after_the_data_never_passes(write: Write, compression: str) -> None:
    message = message_of(write("a.txt", COMPRESSORS[compression](TEXT) + b"garbage" * 10))
    assert f"corrupt {compression} data" in message


def write_highly_compressible(path: Path, compression: str) -> int:
    """240 MiB of text in a file of a few KiB."""
    text = b"190 words\n" + b"\n" * (240 << 20)
    path.write_bytes(COMPRESSORS[compression](text))
    return len(text)


@pytest.mark.parametrize(
    ("compression", "bound_mib"), [("gzip", 32), ("bzip2", 32), ("xz", 32), ("zstd", 150)]
)
def test_memory_stays_bounded_however_well_a_file_compresses(
    tmp_path: Path, compression: str, bound_mib: int
) -> None:
    size = write_highly_compressible(tmp_path / "a", compression)
    tracemalloc.start()
    sizes = [len(block.data) for block in open_corpus(tmp_path / "a").blocks()]
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(sizes) == size
    assert max(sizes) <= corpus.BLOCK_BYTES
    assert peak_bytes < bound_mib << 20


# ---- Blocks ----


def pieces_of(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size
    yield data[start:]


lines = st.lists(st.sampled_from([b"", b"a", b"of words", b"\xc3\xa9 190", b"x" * 30, b"a b " * 9]))


@given(lines, st.booleans(), st.lists(st.integers(0, 40)), st.integers(1, 50))
def test_blocks_give_the_text_back(
    lines: list[bytes], newline_at_end: bool, chunk_sizes: list[int], block_bytes: int
) -> None:
    data = b"\n".join(lines) + b"\n" * newline_at_end
    stream = Stream(pieces_of(data, chunk_sizes), "a.txt", offset=3)
    blocks = list(cut_into_blocks(stream, block_bytes))
    assert b"".join(block.data for block in blocks) == data
    end = 0
    for block in blocks:
        assert block.offset == 3 + end
        end += len(block.data)
        whole_line = data[data.rfind(b"\n", 0, end - 1) + 1 :].split(b"\n")[0]
        assert block.ends_line == (data[end - 1 : end] == b"\n" or end == len(data))
        assert block.ends_line or len(whole_line) >= block_bytes
        longest_line = max(map(len, block.data.split(b"\n")))
        assert len(block.data) <= block_bytes or longest_line >= block_bytes


def test_a_long_line_is_cut_where_no_token_changes() -> None:
    line = "about 1,234.5 km or ½ of size xxl " * 200
    blocks = list(cut_into_blocks(Stream([line.encode()], "a.txt"), 1000))
    assert len(blocks) > 5
    assert [block.ends_line for block in blocks] == [False] * (len(blocks) - 1) + [True]
    tokens = [token for block in blocks for token in tokenize(block.data.decode())]
    assert [(t.text, t.value) for t in tokens] == [(t.text, t.value) for t in tokenize(line)]


def test_a_line_without_a_safe_cut_is_kept_whole_in_linear_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[int] = []
    monkeypatch.setattr(cutter, "safe_cut", lambda tail: searched.append(len(tail)))
    chunks = [b"x" * 1000] * 5000 + [b"\nshort\n"]
    blocks = list(cut_into_blocks(Stream(chunks, "a.txt"), 2000))
    assert b"".join(block.data for block in blocks) == b"".join(chunks)
    assert all(block.ends_line for block in blocks)
    assert len(searched) < 20
    assert max(searched) <= cutter.SAFE_CUT_BYTES


def test_blocks_are_small_again_after_a_line_without_a_safe_cut() -> None:
    chunks = [b"x" * 1000 + b"\n"] + [b"short\n"] * 500
    sizes = [len(block.data) for block in cut_into_blocks(Stream(chunks, "a.txt"), 100)]
    assert sizes[0] > 1000
    assert max(sizes[1:]) <= 100


def test_a_cut_at_the_very_end_waits_for_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutter, "safe_cut", len)
    blocks = list(cut_into_blocks(Stream([b"a b c d"], "a.txt"), 4))
    assert [(block.data, block.ends_line) for block in blocks] == [(b"a b c d", True)]


def test_the_end_of_a_file_ends_the_line(write: Write, tmp_path: Path) -> None:
    write("a.txt", "size 1")
    write("b.txt", "90 kg")
    assert [(b.data, b.ends_line) for b in blocks_of(tmp_path)] == [
        (b"size 1", True),
        (b"90 kg", True),
    ]


@given(st.lists(st.lists(st.text("ab½", max_size=5))), st.integers(1, 30))
def test_blocks_give_the_tokens_back(sentences: list[list[str]], block_bytes: int) -> None:
    kept = [[token for token in sentence if token] for sentence in sentences]
    kept = [sentence for sentence in kept if sentence]
    stream = [["first"], *sentences]
    blocks = list(open_corpus(stream).blocks(block_bytes))
    assert unpack(blocks) == [["first"], *kept]
    assert [b.ends_line for b in blocks] == [b.data.endswith(b"\0\0") for b in blocks]
    assert all(b.data.endswith(b"\0") for b in blocks)
    assert all(len(b.data) <= max(block_bytes, 40) for b in blocks)


# ---- Records ----


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "A.JSONL"])
def test_json_lines(write: Write, name: str) -> None:
    records = [{"id": 1, "text": 'size\u2028½ "XXL"'}, {"text": None}, {"text": "two\r\nlines\n"}]
    path = write(name, "\n\n".join(map(json.dumps, records)))
    assert text_of(path) == 'size\u2028½ "XXL"\ntwo\r\nlines\n'.encode()


@every_compression
def test_compressed_json_lines(write: Write, compression: str) -> None:
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


def test_json_bytes_that_are_not_utf8_come_as_found(write: Write) -> None:
    path = write("a.jsonl", b'{"text": "caf\xe9"}\n{"text": "\\ud800 lone"}\n')
    assert text_of(path) == b"caf\xe9\n? lone\n"


def test_strict_refuses_json_bytes_that_are_not_utf8(write: Write) -> None:
    content = b'\xef\xbb\xbf{"text": "one"}\n{"text": "caf\xe9"}\n'
    message = message_of(write("a.jsonl", content), strict=True)
    assert f"a.jsonl, line 2: byte {content.index(0xE9)} is not UTF-8" in message


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
def test_tables(tmp_path: Path, kind: str) -> None:
    texts = [None if n % 7 == 0 else f"row {n}" for n in range(1000)]
    columns = {"id": list(range(1000)), "text": texts, "title": ["no"] * 1000}
    path = write_table(tmp_path / "misleading.txt", columns, kind)
    read = open_corpus(path)
    expected = "".join(f"{text}\n" for text in texts if text).encode()
    assert b"".join(block.data for block in read.blocks()) == expected
    assert read.bytes_read == read.size_bytes == path.stat().st_size
    assert text_of(path, text_field="title") == b"no\n" * 1000


@every_table
def test_progress_through_a_table(tmp_path: Path, kind: str) -> None:
    texts = [os.urandom(50).hex() for _ in range(4000)]
    read = open_corpus(write_table(tmp_path / "a", {"text": texts}, kind))
    assert read.size_bytes is not None
    shares = [read.bytes_read / read.size_bytes for _ in read.blocks(block_bytes=1000)]
    assert shares == sorted(shares)
    assert shares[0] < 0.5
    assert 0.85 < shares[-2] <= 1
    assert read.bytes_read == read.size_bytes


@every_table
def test_token_lists_in_tables(tmp_path: Path, kind: str) -> None:
    columns = {"id": [1, 2, 3], "words": [["size", "190"], None, ["", None, "½"]]}
    path = write_table(tmp_path / "a", columns, kind)
    assert sentences_of(path) == [["size", "190"], ["½"]]


def test_the_only_string_column_is_the_text(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a", {"id": [1], "body": ["one"]}, "parquet")
    assert text_of(path) == b"one\n"


@pytest.mark.parametrize("string_type", ["string", "large_string", "string_view", "dictionary"])
def test_every_type_of_string(tmp_path: Path, string_type: str) -> None:
    pa = pytest.importorskip("pyarrow")
    values = pa.array(["one", "two", "one"])
    is_dictionary = string_type == "dictionary"
    values = values.dictionary_encode() if is_dictionary else values.cast(string_type)
    path = write_table(tmp_path / "a", {"text": values}, "arrow")
    assert text_of(path) == b"one\ntwo\none\n"


def test_table_strings_that_are_not_utf8_come_as_found(tmp_path: Path) -> None:
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
def test_no_text_column(
    tmp_path: Path, columns: dict[str, Any], field: str | None, wanted: str
) -> None:
    path = write_table(tmp_path / "a", columns, "parquet")
    message = message_of(path, text_field=field)
    assert message.startswith(f"{path}: no column {wanted!r}")
    assert all(repr(name) in message for name in columns)


@every_table
def test_broken_tables(tmp_path: Path, kind: str) -> None:
    path = write_table(tmp_path / "a", {"text": ["word " * 50] * 1000}, kind)
    path.write_bytes(path.read_bytes()[:-1000])
    assert message_of(path).startswith(f"{path}: cannot read it as ")


def test_a_nul_in_a_table_token_names_the_row(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a", {"text": [["a"]] * 500 + [["b\0"]]}, "parquet")
    assert message_of(path) == f"{path}, row 501: a token holds a NUL character"


@every_compression
def test_a_table_that_is_compressed_says_so(tmp_path: Path, compression: str) -> None:
    path = write_table(tmp_path / "a.parquet", {"text": ["one"]}, "parquet")
    path.write_bytes(COMPRESSORS[compression](path.read_bytes()))
    assert message_of(path) == f"{path} holds Parquet data; give it as an uncompressed file"


def test_tables_without_pyarrow_name_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_table(tmp_path / "a.parquet", {"text": ["one"]}, "parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match=r"numberline\[arrow\]"):
        blocks_of(path)


# ---- Folders and several paths ----


def test_folders_are_read_in_order_without_hidden_files(write: Write, tmp_path: Path) -> None:
    for name in ["b.txt", "a/z.txt", "a-b/y.txt", "a/.hidden", ".git/config", "a/.d/x.txt"]:
        write(name, name + "\n")
    write("c.gz", gzip.compress(b"zipped"))
    assert [block.data for block in blocks_of(tmp_path)] == [
        b"a-b/y.txt\n",
        b"a/z.txt\n",
        b"b.txt\n",
        b"zipped",
    ]
    assert blocks_of(tmp_path)[1].source == str(tmp_path / "a" / "z.txt")


def test_links_to_folders_are_followed_once(write: Write, tmp_path: Path) -> None:
    write("real/a.txt", "one\n")
    (tmp_path / "real" / "loop").symlink_to(tmp_path / "real")
    write("corpus/b.txt", "two\n")
    (tmp_path / "corpus" / "linked").symlink_to(tmp_path / "real")
    assert text_of(tmp_path / "corpus") == b"two\none\n"


def test_several_paths(write: Write) -> None:
    first, second = write("z.txt", "one\n"), write("folder/a.txt", "two\n")
    assert text_of([first, second.parent, first]) == b"one\ntwo\none\n"
    assert text_of(iter([first, second])) == b"one\ntwo\n"


def test_sizes_and_progress_count_stored_bytes(write: Write, tmp_path: Path) -> None:
    stored = gzip.compress(os.urandom(300_000).hex().encode())
    write("a.gz", stored)
    write("b.txt", TEXT)
    read = open_corpus(tmp_path)
    assert read.size_bytes == len(stored) + len(TEXT)
    for _ in range(2):
        progress = [read.bytes_read for _ in read.blocks(block_bytes=10_000)]
        assert progress == sorted(progress)
        assert 0 < progress[0] < read.size_bytes
        assert read.bytes_read == read.size_bytes


def test_files_can_be_read_again(write: Write) -> None:
    read = open_corpus(write("a.txt", TEXT))
    assert list(read.blocks()) == list(read.blocks())


def test_a_pipe_is_read_once() -> None:
    reading, writing = os.pipe()
    os.write(writing, gzip.compress(TEXT))
    os.close(writing)
    read = open_corpus(f"/dev/fd/{reading}")
    assert read.size_bytes is None
    assert b"".join(block.data for block in read.blocks()) == TEXT
    with pytest.raises(CorpusError, match="only once"):
        read.blocks()
    os.close(reading)


# ---- Standard input ----


def feed_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("dash", ["-", Path("-"), [Path("-")]])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, dash: Any) -> None:
    feed_stdin(monkeypatch, TEXT)
    read = open_corpus(dash)
    assert list(read.blocks()) == [Block(TEXT, "<stdin>", 0, ends_line=True, tokenised=False)]
    assert read.size_bytes is None
    with pytest.raises(CorpusError, match="only once"):
        read.blocks()


@every_compression
def test_compressed_standard_input(monkeypatch: pytest.MonkeyPatch, compression: str) -> None:
    feed_stdin(monkeypatch, COMPRESSORS[compression](TEXT))
    assert text_of("-") == TEXT


def test_empty_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    feed_stdin(monkeypatch, b"")
    assert message_of("-") == "<stdin> holds no text"


# ---- Iterables ----


def test_strings() -> None:
    texts = ["size 190", "two\nlines", "½\n", ""]
    (block,) = blocks_of(texts)
    assert block == Block(
        "size 190\ntwo\nlines\n½\n\n".encode(), "<iterable>", 0, ends_line=True, tokenised=False
    )
    assert text_of(iter(texts)) == text_of(tuple(texts)) == block.data


def test_an_open_text_file_is_an_iterable_of_lines(write: Write) -> None:
    with write("a.txt", TEXT).open(encoding="utf-8") as file:
        assert text_of(file) == TEXT


def test_lone_surrogates_are_replaced() -> None:
    assert text_of(["a\ud800b"]) == b"a?b\n"
    assert sentences_of([["a\ud800b"]]) == [["a?b"]]


@pytest.mark.parametrize("kind", [list, tuple])
def test_token_lists(kind: type[Any]) -> None:
    sentences = [kind(["size", "", "190"]), kind([]), kind(["東京", "都"])]
    assert blocks_of(sentences)[0].data == "size\x00190\0\0東京\0都\0\0".encode()
    assert sentences_of(iter(sentences)) == [["size", "190"], ["東京", "都"]]


def test_one_shot_iterators_are_read_once() -> None:
    read = open_corpus(text for text in ["one", "two"])
    assert [block.data for block in read.blocks()] == [b"one\ntwo\n"]
    with pytest.raises(CorpusError, match="<iterable> can be read only once"):
        read.blocks()


def test_other_iterables_are_read_again() -> None:
    read = open_corpus(["one"])
    assert list(read.blocks()) == list(read.blocks())


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (["a", ["b"]], "<iterable>: element 1 is ['b'] (list)"),
        ([["a"], ["b"], "c"], "<iterable>: element 2 is 'c' (str)"),
        (["a", Path("b")], "<iterable>: element 1 is "),
        ([Path("/"), "b"], "<iterable>: element 1 is 'b' (str)"),
        ([b"bytes"], "<iterable>: element 0 is b'bytes' (bytes); give strings"),
        ([None], "<iterable>: element 0 is None"),
        ([["a", 7]], "<iterable>, element 0: a token is 7 (int), not a string"),
        ([["a"], ["b\0c"]], "<iterable>, element 1: a token holds a NUL character"),
        (190, "a corpus is a path or an iterable of strings or token lists, not 190 (int)"),
        (b"bytes", "a corpus is a path"),
        ({"text": "one"}, "a corpus is a path"),
        ([], "<iterable> holds no text"),
        (["", "\n"], "<iterable> holds no text"),
        ([[], [""]], "<iterable> holds no text"),
    ],
)
def test_iterables_of_the_wrong_kind(source: Any, message: str) -> None:
    assert message_of(source).startswith(message)


def test_token_lists_have_no_fields() -> None:
    assert message_of([["a"]], text_field="body") == (
        "text_field='body', but token lists have no fields"
    )


# ---- Bad files ----


def test_a_missing_file(tmp_path: Path) -> None:
    missing = tmp_path / "none.txt"
    assert message_of(missing) == f"{missing}: no such file"
    assert message_of([tmp_path / "none.txt"]) == f"{missing}: no such file"


@pytest.mark.parametrize("text", ["Jeff is 190", "a\nb", "long " * 5000, "a\0b", "a/" * 300])
def test_text_in_place_of_a_path(text: str) -> None:
    message = message_of(text)
    assert message.endswith("no such file; to train on the text itself pass a list of strings")
    assert len(message) < 700


def test_a_file_that_may_not_be_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.txt", TEXT)

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("builtins.open", refuse)
    assert message_of(path) == f"cannot read {path}: Permission denied"


def test_a_disk_that_fails_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    class FailingDisk(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 0:
                raise OSError(5, "Input/output error")
            return super().read(size)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(FailingDisk(TEXT * 5000)))
    assert message_of("-") == "cannot read <stdin>: Input/output error"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("size 190".encode("utf-16"), "looks like a binary file: it begins as UTF-16"),
        (b"\xfe\xff" + "size".encode("utf-16-be"), "looks like a binary file: it begins as UTF-16"),
        ("size 190".encode("utf-32"), "looks like a binary file: it begins as UTF-32"),
        (b"text" * 9 + b"\0", "looks like a binary file: byte 36 is NUL"),
        (b"\x7fELF\1\0\0", "looks like a binary file: byte 5 is NUL"),
        (b"", "holds no text"),
        (b" \r\n\n", "holds no text"),
    ],
)
def test_files_without_text(write: Write, content: bytes, message: str) -> None:
    path = write("a.txt", content)
    assert message_of(path).startswith(f"{path} {message}")
    compressed = write("b.txt", gzip.compress(content))
    assert message_of(compressed).startswith(f"{compressed} {message}")


def test_a_nul_late_in_a_text_is_left_to_the_scanner(write: Write) -> None:
    content = b"word " * 14_000 + b"\0"
    assert text_of(write("a.txt", content)) == content
    assert text_of(write("a.gz", gzip.compress(content))) == content


def test_folders_without_text(write: Write, tmp_path: Path) -> None:
    assert message_of(tmp_path) == f"{tmp_path}: the folder holds no files"
    write(".hidden", TEXT)
    assert message_of(tmp_path) == f"{tmp_path}: the folder holds no files"
    write("empty.txt", "")
    assert message_of(tmp_path) == f"{tmp_path} holds no text"
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    assert message_of(tmp_path) == f"{tmp_path / 'dangling'}: no such file"


def test_a_folder_that_may_not_be_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write("folder/a.txt", TEXT).parent

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    assert message_of(folder) == f"cannot read {folder}: Permission denied"

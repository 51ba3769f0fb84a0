"""Every kind of source is read; errors have one line."""

from __future__ import annotations

import gzip
import io
import os
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from numberline.errors import CorpusError
from numberline.reading.blocks import Block
from numberline.reading.corpus import open_corpus
from tests.reading.reading_corpora import (
    COMPRESSORS,
    TEXT,
    Write,
    blocks_of,
    every_compression,
    feed_stdin,
    message_of,
    sentences_of,
    text_of,
)

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


def test_several_paths_are_read_in_the_order_of_the_call(write: Write) -> None:
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


@pytest.mark.parametrize("dash", ["-", Path("-"), [Path("-")]])
def test_a_dash_reads_standard_input_once(monkeypatch: pytest.MonkeyPatch, dash: Any) -> None:
    feed_stdin(monkeypatch, TEXT)
    read = open_corpus(dash)
    assert list(read.blocks()) == [Block(TEXT, "<stdin>", ends_line=True, tokenised=False)]
    assert read.size_bytes is None
    with pytest.raises(CorpusError, match="only once"):
        read.blocks()


@every_compression
def test_standard_input_may_be_compressed(
    monkeypatch: pytest.MonkeyPatch, compression: str
) -> None:
    feed_stdin(monkeypatch, COMPRESSORS[compression](TEXT))
    assert text_of("-") == TEXT


def test_empty_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    feed_stdin(monkeypatch, b"")
    assert message_of("-") == "<stdin> holds no text"


# ---- Iterables ----


def test_each_string_is_a_line_or_several() -> None:
    texts = ["size 190", "two\nlines", "½\n", ""]
    (block,) = blocks_of(texts)
    data = "size 190\ntwo\nlines\n½\n\n".encode()
    assert block == Block(data, "<iterable>", ends_line=True, tokenised=False)
    assert text_of(iter(texts)) == text_of(tuple(texts)) == block.data


def test_an_open_text_file_is_an_iterable_of_lines(write: Write) -> None:
    with write("a.txt", TEXT).open(encoding="utf-8") as file:
        assert text_of(file) == TEXT


def test_lone_surrogates_are_replaced() -> None:
    assert text_of(["a\ud800\udfffb"]) == "a\ufffd\ufffdb\n".encode()
    assert sentences_of([["a\ud800b"]]) == [["a\ufffdb"]]


@pytest.mark.parametrize("kind", [list, tuple])
def test_token_lists_lose_empty_tokens_and_empty_sentences(kind: type[Any]) -> None:
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
        ([b"bytes"], "<iterable>: element 0 is b'bytes' (bytes); pass strings"),
        ([None, 7], "<iterable>: element 1 is 7 (int); pass strings"),
        ([None, float("nan")], "<iterable> holds no text"),
        ({"train": ["one"]}, "a corpus is a path"),
        ([{"a": "x"}, "y"], "<iterable>, element 1: 'y' (str) is no dict"),
        ([{"a": "x", "b": 1}], "<iterable> is a table: say which column holds the text, perhaps"),
        ([["a", 7]], "<iterable>, element 0: a token is 7 (int), not a string"),
        ([["a"], ["b\0c"]], "<iterable>, element 1: a token holds a NUL character"),
        (
            190,
            "a corpus is a path, a table, or an iterable of strings, token lists or dicts, not 1",
        ),
        (b"bytes", "a corpus is a path"),
        ({"text": "one"}, "a corpus is a path"),
        ([], "<iterable> holds no text"),
        (["", "\n"], "<iterable> holds no text"),
        ([[], [""]], "<iterable> holds no text"),
    ],
)
def test_an_iterable_of_the_wrong_kind_is_an_error_in_one_line(source: Any, message: str) -> None:
    assert message_of(source).startswith(message)


def test_token_lists_have_no_fields() -> None:
    assert message_of([["a"]], text_field="body") == (
        "text_field='body', but token lists have no fields"
    )


# ---- Pipes, devices, odd folders ----

posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes of POSIX")


@posix
def test_a_named_pipe_is_read_when_its_writer_comes_later(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        time.sleep(0.2)
        with pipe.open("wb") as file:
            file.write(TEXT)
            file.flush()
            time.sleep(0.2)
            file.write(TEXT)

    writer = threading.Thread(target=write)
    writer.start()
    assert text_of(pipe) == TEXT + TEXT
    writer.join()


@posix
def test_a_pipe_without_a_writer_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberline.reading.pipe.PATIENCE", 0.1)
    os.mkfifo(tmp_path / "pipe")
    message = message_of(tmp_path / "pipe")
    assert message.startswith(f"cannot read {tmp_path / 'pipe'}: no program has written to this")


@posix
def test_devices_and_sockets_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert message_of("/dev/zero") == "cannot read /dev/zero: it is a device, no regular file"
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket")
    assert message_of("socket") == "cannot read socket: it is a socket, no regular file"


@posix
def test_a_pipe_inside_a_folder_is_refused_by_name(write: Write, tmp_path: Path) -> None:
    write("a.txt", TEXT)
    os.mkfifo(tmp_path / "pipe")
    assert message_of(tmp_path) == f"cannot read {tmp_path / 'pipe'}: it is a pipe, no regular file"


def test_a_folder_deeper_than_python_recurses_is_read(tmp_path: Path) -> None:
    path = str(tmp_path)
    for _ in range(1200):
        path += "/d"
        os.mkdir(path)
    Path(path, "a.txt").write_bytes(TEXT)
    assert text_of(tmp_path) == TEXT
    os.unlink(f"{path}/a.txt")
    while path != str(tmp_path):  # pytest would recurse
        os.rmdir(path)
        path = os.path.dirname(path)


def test_a_folder_of_too_many_files_is_refused(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberline.reading.corpus.MOST_FILES", 3)
    for name in "abcd":
        write(f"{name}/{name}", TEXT)
    assert message_of(tmp_path) == f"{tmp_path}: the folder holds more than 3 files"


# ---- Bad files ----


def test_a_missing_file_is_an_error_when_it_is_opened(tmp_path: Path) -> None:
    missing = tmp_path / "none.txt"
    assert message_of(missing) == f"{missing}: no such file"
    assert message_of([tmp_path / "none.txt"]) == f"{missing}: no such file"


@pytest.mark.parametrize("text", ["Jeff is 190", "a\nb", "long " * 5000, "a\0b", "a/" * 300])
def test_a_text_instead_of_a_path_is_an_error_with_advice(text: str) -> None:
    message = message_of(text)
    assert message.endswith("no such file; to train on the text itself pass a list of strings")
    assert len(message) < 700


def test_a_file_without_read_permission_is_an_error_in_one_line(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("a.txt", TEXT)

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("numberline.reading.sources.open_regular", refuse)
    assert message_of(path) == f"cannot read {path}: Permission denied"


def test_a_disk_that_fails_while_reading_is_an_error_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class FailingDisk(io.BytesIO):
        def read1(self, size: int = -1) -> bytes:
            if self.tell() > 0:
                raise OSError(5, "Input/output error")
            return super().read1(size)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(FailingDisk(TEXT * 5000)))
    assert message_of("-") == "cannot read <stdin>: Input/output error"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("size 190".encode("utf-16"), "looks like a binary file: it begins like UTF-16"),
        (
            b"\xfe\xff" + "size".encode("utf-16-be"),
            "looks like a binary file: it begins like UTF-16",
        ),
        ("size 190".encode("utf-32"), "looks like a binary file: it begins like UTF-32"),
        (b"text" * 9 + b"\0", "looks like a binary file: byte 36 is NUL"),
        (b"\x7fELF\1\0\0", "looks like a binary file: byte 5 is NUL"),
        (b"", "holds no text"),
        (b" \r\n\n", "holds no text"),
    ],
)
def test_binary_and_empty_files_are_refused(write: Write, content: bytes, message: str) -> None:
    path = write("a.txt", content)
    assert message_of(path).startswith(f"{path} {message}")
    compressed = write("b.txt", gzip.compress(content))
    assert message_of(compressed).startswith(f"{compressed} {message}")


def test_a_nul_after_the_first_64_kib_is_no_error(write: Write) -> None:
    content = b"word " * 14_000 + b"\0"
    assert text_of(write("a.txt", content)) == content
    assert text_of(write("a.gz", gzip.compress(content))) == content


def test_folders_without_text_are_refused(write: Write, tmp_path: Path) -> None:
    assert message_of(tmp_path) == f"{tmp_path}: the folder holds no files"
    write(".hidden", TEXT)
    assert message_of(tmp_path) == f"{tmp_path}: the folder holds no files"
    write("empty.txt", "")
    assert message_of(tmp_path) == f"{tmp_path} holds no text"
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    assert message_of(tmp_path) == f"{tmp_path / 'dangling'}: no such file"


def test_a_folder_without_read_permission_is_an_error_in_one_line(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write("folder/a.txt", TEXT).parent

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    assert message_of(folder) == f"cannot read {folder}: Permission denied"

"""Text is read unchanged from compressed files; broken files are errors."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from numberline.reading import corpus
from numberline.reading.blocks import Block
from numberline.reading.corpus import open_corpus
from tests.reading.reading_corpora import (
    COMPRESSORS,
    TEXT,
    Write,
    blocks_of,
    compress_zstd,
    every_compression,
    message_of,
    text_of,
)


def test_a_plain_file_is_one_block(write: Write) -> None:
    path = write("a.txt", TEXT)
    assert blocks_of(path) == [Block(TEXT, str(path), ends_line=True, tokenised=False)]
    assert blocks_of(str(path)) == blocks_of(path)


def test_bytes_that_are_not_utf8_are_kept_in_blocks(write: Write) -> None:
    assert text_of(write("a.txt", b"caf\xe9 190\r\n\xff\n")) == b"caf\xe9 190\r\n\xff\n"


def test_a_byte_order_mark_is_left_out(write: Write) -> None:
    (block,) = blocks_of(write("a.txt", b"\xef\xbb\xbfone\n"))
    assert block.data == b"one\n"


@every_compression
@pytest.mark.parametrize("name", ["a.txt", "a.gz", "a.bz2", "a.xz", "a.zst", "a"])
def test_compression_is_recognised_by_content(write: Write, compression: str, name: str) -> None:
    assert text_of(write(name, COMPRESSORS[compression](TEXT))) == TEXT


@pytest.mark.parametrize("name", ["a.gz", "a.bz2", "a.xz", "a.zst", "a.parquet", "a.arrow"])
def test_plain_text_may_have_the_name_of_a_compressed_file(write: Write, name: str) -> None:
    assert text_of(write(name, TEXT)) == TEXT


@pytest.mark.parametrize("start", ["BZh 190", "PAR1 190", "ARROW1 190", "(", "7zXZ"])
def test_text_may_begin_like_a_compressed_file(write: Write, start: str) -> None:
    assert text_of(write("a.txt", start)) == start.encode()


@every_compression
def test_a_file_of_several_compressed_members_is_one_text(write: Write, compression: str) -> None:
    compress = COMPRESSORS[compression]
    padding = b"\0" * 512
    parts = [compress(TEXT), compress(b""), compress(b"more"), padding, compress(TEXT), padding]
    assert text_of(write("a", b"".join(parts))) == TEXT + b"more" + TEXT


def test_a_file_may_have_thousands_of_members(write: Write) -> None:
    assert text_of(write("a.zst", compress_zstd(b"190\n") * 5000)) == b"190\n" * 5000


def test_skippable_zstd_frames_are_left_out(write: Write) -> None:
    skippable = b"\x5a\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"index"
    frames = skippable + compress_zstd(TEXT) + skippable + compress_zstd(b"more") + skippable
    assert text_of(write("a.zst", frames)) == TEXT + b"more"


def zstd_frame(text: bytes, window_log: int) -> bytes:
    """Return a frame of one raw block that asks for a window of 2 ** window_log bytes."""
    window = bytes([(window_log - 10) << 3])
    is_last = 1
    block_header = (len(text) << 3 | is_last).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd" + b"\0" + window + block_header + text


@pytest.mark.parametrize("window_log", [20, 28, 31])
def test_zstd_frames_with_long_windows_are_read(write: Write, window_log: int) -> None:
    assert text_of(write("a.zst", zstd_frame(TEXT, window_log))) == TEXT


def test_zstd_frames_that_need_too_much_memory_are_refused(write: Write) -> None:
    assert "corrupt zstd data" in message_of(write("a.zst", zstd_frame(TEXT, window_log=35)))


@every_compression
def test_text_is_complete_when_steps_of_decompression_reach_their_limit(
    write: Write, compression: str
) -> None:
    text = b"".join(b"%d euros\n" % (n * n) for n in range(80_000)) + b"0\n" * 1_500_000
    assert text_of(write("a", COMPRESSORS[compression](text))) == text


@every_compression
def test_a_truncated_file_is_an_error(write: Write, compression: str) -> None:
    whole = COMPRESSORS[compression](TEXT)
    for length in range(2, len(whole)):
        assert "truncated" in message_of(write("a.txt", whole[:length])), length


@every_compression
def test_a_truncated_later_member_is_an_error(write: Write, compression: str) -> None:
    whole = COMPRESSORS[compression](TEXT)
    for length in range(1, len(whole), 5):
        assert "truncated" in message_of(write("a.txt", whole + whole[:length])), length


@every_compression
def test_a_corrupt_file_is_an_error(write: Write, compression: str) -> None:
    whole = COMPRESSORS[compression](TEXT * 3)
    middle = len(whole) // 2
    broken = whole[:middle] + bytes([whole[middle] ^ 0x55]) + whole[middle + 1 :]
    message = message_of(write("a.txt", broken))
    assert f"corrupt {compression} data" in message or "truncated" in message
    assert "a.txt" in message


@every_compression
def test_garbage_after_the_data_is_an_error(write: Write, compression: str) -> None:
    message = message_of(write("a.txt", COMPRESSORS[compression](TEXT) + b"garbage" * 10))
    assert f"corrupt {compression} data" in message


def write_highly_compressible(path: Path, compression: str) -> int:
    """Write 240 MiB of text, which becomes a file of a few KiB, and return its size."""
    text = b"190 words\n" + b"\n" * (240 << 20)
    path.write_bytes(COMPRESSORS[compression](text))
    return len(text)


@every_compression
def test_memory_stays_bounded_however_well_a_file_compresses(
    tmp_path: Path, compression: str
) -> None:
    size = write_highly_compressible(tmp_path / "a", compression)
    tracemalloc.start()
    sizes = [len(block.data) for block in open_corpus(tmp_path / "a").blocks()]
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(sizes) == size
    assert max(sizes) <= corpus.BLOCK_BYTES
    assert peak_bytes < 32 << 20

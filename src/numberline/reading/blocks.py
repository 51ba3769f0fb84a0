"""Chunks of bytes of any size → blocks of about one size, cut at line ends where possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from numberline.errors import CorpusError
from numberline.reading.scanner import safe_cut

LONGEST_BYTES = 128 << 20  # of a line that cannot be cut: scanning one takes nine times its size
SAFE_CUT_BYTES = 64 << 10  # how far back from the end of a full buffer a long line may be cut

_FindLineEnd: TypeAlias = Callable[[bytearray, int], int]
_CutLongLine: TypeAlias = Callable[[bytes], int | None]


@dataclass(frozen=True)
class Block:
    """A piece of a corpus: text as found (perhaps not UTF-8), or NUL-separated tokens."""

    data: bytes
    source: str  # file name, "<stdin>" or "<iterable>", for messages
    offset: int  # where data begins in the decompressed source; for records, in their texts
    ends_line: bool  # False: the next block goes on with the same line
    tokenised: bool  # True: \0 after each token, one more \0 after each sentence


@dataclass(frozen=True)
class Stream:
    """What an open source gives: lines, or packed sentences, in chunks of any size."""

    chunks: Iterable[bytes]
    name: str
    offset: int = 0
    tokenised: bool = False


def cut_into_blocks(stream: Stream, block_bytes: int) -> Iterator[Block]:
    find_line_end, cut_long_line = (
        (_end_of_sentences, _token_cut) if stream.tokenised else (_end_of_lines, safe_cut)
    )
    offset = stream.offset
    try:
        for data, ends_line in _cut(stream.chunks, block_bytes, find_line_end, cut_long_line):
            yield Block(data, stream.name, offset, ends_line, stream.tokenised)
            offset += len(data)
    except _UncutLineError:
        raise CorpusError(
            f"{stream.name}: from byte {offset} on {LONGEST_BYTES:,} bytes hold no line end, and "
            "at their end no blank at which a line could be cut"
        ) from None


class _UncutLineError(Exception):
    pass


def _cut(
    chunks: Iterable[bytes],
    block_bytes: int,
    find_line_end: _FindLineEnd,
    cut_long_line: _CutLongLine,
) -> Iterator[tuple[bytes, bool]]:
    buffer = bytearray()
    limit = block_bytes
    for chunk in chunks:
        buffer += chunk
        while len(buffer) >= limit:
            end = find_line_end(buffer, limit)
            ends_line = end > 0
            if not ends_line:
                end = _end_within_line(buffer, limit, cut_long_line)
            if end:
                with memoryview(buffer) as view:
                    block = bytes(view[:end])
                yield block, ends_line
                del buffer[:end]
                limit = block_bytes
            else:
                if limit >= LONGEST_BYTES:
                    raise _UncutLineError
                # Not by a constant, so that a line without any cut stays linear.
                limit = min(2 * limit, LONGEST_BYTES)
    if buffer:
        yield bytes(buffer), True


def _end_of_lines(buffer: bytearray, limit: int) -> int:
    """End of the last whole line up to `limit`; 0 if there is none."""
    return buffer.rfind(b"\n", 0, limit) + 1 or buffer.rfind(b"\r", 0, limit) + 1


def _end_of_sentences(buffer: bytearray, limit: int) -> int:
    end = buffer.rfind(b"\0\0", 0, limit)
    return end + 2 if end >= 0 else 0


def _end_within_line(buffer: bytearray, limit: int, cut_long_line: _CutLongLine) -> int:
    """Where to cut a line that fills the buffer up to `limit`; 0 if nowhere.

    Something always stays behind, so that the last block of a source ends its line.
    """
    start = max(0, limit - SAFE_CUT_BYTES)
    cut = cut_long_line(bytes(buffer[start:limit]))
    return start + cut if cut is not None and start + cut < limit else 0


def _token_cut(tail: bytes) -> int | None:
    return tail.rfind(b"\0", 0, len(tail) - 1) + 1 or None

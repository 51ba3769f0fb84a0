"""Chunks of bytes of any size → blocks of about one size, cut at line ends where possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from numberline.errors import CorpusError
from numberline.text.scanner import safe_cut

LONGEST_BYTES = 1 << 30  # a block that the scanner can take: it counts positions in 32 bits
SAFE_CUT_BYTES = 64 << 10  # how far back from the end of a full buffer a long line may be cut

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
    line_end, cut_long_line = (b"\0\0", _token_cut) if stream.tokenised else (b"\n", safe_cut)
    offset = stream.offset
    try:
        for data, ends_line in _cut(stream.chunks, block_bytes, line_end, cut_long_line):
            yield Block(data, stream.name, offset, ends_line, stream.tokenised)
            offset += len(data)
    except _UncutLineError:
        raise CorpusError(
            f"{stream.name}: from byte {offset} on {LONGEST_BYTES:,} bytes hold no line end, and "
            "nowhere two words in a row between which a line could be cut"
        ) from None


class _UncutLineError(Exception):
    pass


def _cut(
    chunks: Iterable[bytes], block_bytes: int, line_end: bytes, cut_long_line: _CutLongLine
) -> Iterator[tuple[bytes, bool]]:
    buffer = bytearray()
    limit = block_bytes
    for chunk in chunks:
        buffer += chunk
        while len(buffer) >= limit:
            end = buffer.rfind(line_end, 0, limit) + len(line_end)
            ends_line = end >= len(line_end)
            if not ends_line:
                end = _end_within_line(buffer, limit, cut_long_line)
            if end:
                with memoryview(buffer) as view:
                    block = bytes(view[:end])
                yield block, ends_line
                del buffer[:end]
                limit = block_bytes
            else:
                if limit > LONGEST_BYTES:
                    raise _UncutLineError
                limit *= 2  # not by a constant, so that a line without any cut stays linear
    if buffer:
        yield bytes(buffer), True


def _end_within_line(buffer: bytearray, limit: int, cut_long_line: _CutLongLine) -> int:
    """Where to cut a line that fills the buffer up to `limit`; 0 if nowhere.

    Something always stays behind, so that the last block of a source ends its line.
    """
    start = max(0, limit - SAFE_CUT_BYTES)
    cut = cut_long_line(bytes(buffer[start:limit]))
    return start + cut if cut is not None and start + cut < limit else 0


def _token_cut(tail: bytes) -> int | None:
    return tail.rfind(b"\0", 0, len(tail) - 1) + 1 or None

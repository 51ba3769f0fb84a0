"""Chunks of bytes of any size → blocks of about one size, cut at line ends where possible."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from numberline.errors import CorpusError
from numberline.reading.number_phrases import COUNTING_WORDS
from numberline.reading.numerals import MAGNITUDE_WORDS
from numberline.reading.shapes import fold, shape_of

LONGEST_BYTES = 128 << 20  # limit of a line without a cut; scanning it takes nine times as much
CUT_WINDOW_BYTES = 64 << 10  # part of a block, at its end, that is searched for a cut

# Matches the shape of a blank or sign, and of the word or digits after it.
CUT = re.compile(r"(?P<sign>[ w!])(?P<next>[aez][aezm]*+|0++(?![/|]))")
BROKEN_BYTES = 3  # at most, of a character that either end of the window cuts in two
JOINED_WORDS = {*COUNTING_WORDS, *MAGNITUDE_WORDS}

FindEnd = Callable[[bytearray, int], int]


@dataclass(frozen=True)
class Stream:
    """The text of one source, or its tokens, in chunks of any size."""

    chunks: Iterable[bytes]
    name: str  # file name, "<stdin>" or "<iterable>", quoted in messages
    tokenised: bool = False  # True: a NUL follows each token, and one more each sentence


@dataclass(frozen=True)
class Block:
    """Bytes of a stream, not always valid UTF-8, that end where a token ends."""

    data: bytes
    source: str  # name of the stream
    ends_line: bool  # False: the line goes on in the next block
    tokenised: bool


def cut_into_blocks(stream: Stream, block_bytes: int) -> Iterator[Block]:
    """Yield blocks of at most `block_bytes`; only a line that cannot be cut makes a longer one."""
    find_line_end = end_of_sentences if stream.tokenised else end_of_lines
    find_cut = end_of_tokens if stream.tokenised else end_within_line
    buffer = bytearray()
    limit, bytes_before = block_bytes, 0
    for chunk in stream.chunks:
        buffer += chunk
        while len(buffer) >= limit:
            line_end = find_line_end(buffer, limit)
            end = line_end or find_cut(buffer, limit)
            if end:
                data = bytes(memoryview(buffer)[:end])  # copied once, not twice
                yield Block(data, stream.name, line_end > 0, stream.tokenised)
                del buffer[:end]
                limit, bytes_before = block_bytes, bytes_before + end
            elif limit < LONGEST_BYTES:
                limit = min(2 * limit, LONGEST_BYTES)  # doubling keeps the search linear
            else:
                raise CorpusError(
                    f"{stream.name}: from byte {bytes_before} on {LONGEST_BYTES:,} bytes hold no "
                    "line end, and no blank near their end at which the line could be cut"
                )
    if buffer:
        yield Block(bytes(buffer), stream.name, True, stream.tokenised)


def end_of_lines(buffer: bytearray, limit: int) -> int:
    """Return the end of the last whole line before `limit`; 0 if there is none."""
    return buffer.rfind(b"\n", 0, limit) + 1 or buffer.rfind(b"\r", 0, limit) + 1


def end_of_sentences(buffer: bytearray, limit: int) -> int:
    end = buffer.rfind(b"\0\0", 0, limit)
    return end + 2 if end >= 0 else 0


def end_within_line(buffer: bytearray, limit: int) -> int:
    """Return where to cut a line that is longer than `limit`; 0 if nowhere."""
    start = max(0, limit - CUT_WINDOW_BYTES)
    cut = safe_cut(bytes(buffer[start:limit]))
    return 0 if cut is None else start + cut


def end_of_tokens(buffer: bytearray, limit: int) -> int:
    # One byte stays behind, so that the last block of a source always ends its line.
    return buffer.rfind(b"\0", 0, limit - 1) + 1


def safe_cut(tail: bytes) -> int | None:
    """Return the last index in the end of a long line where a cut changes no token, or None.

    Such an index follows a blank or sign and precedes a word or digits, unless a blank may join the
    two: 8 1/2, 3 million, twenty five.
    """
    text = tail.decode("utf-8", "surrogateescape")
    last = len(text) - BROKEN_BYTES
    for match in reversed(list(CUT.finditer(shape_of(text)))):
        cut = match.start("next")
        following = fold(text[cut : match.end()], lowercase=True)
        may_join = match["sign"] != "!" and following in JOINED_WORDS
        if match.start() >= BROKEN_BYTES and match.end() <= last and not may_join:
            return len(text[:cut].encode("utf-8", "surrogateescape"))
    return None

"""Chunks of a file, compressed or not → chunks of its content."""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from numberline.errors import CorpusError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

READ_BYTES = 1 << 16  # size of one read from a file

STEP_BYTES = 1 << 20  # one step yields no more, however well the data compresses

WINDOW_LOG = 31  # compressed data may refer 2³¹ bytes back, as after `zstd --long=31`


class _Member(Protocol):
    """A gzip member, bzip2 or xz stream, or zstd frame; a file may hold several in a row."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


@dataclass(frozen=True)
class _Format:
    name: str
    signatures: tuple[bytes, ...]
    new_member: Callable[[], _Member]


# Vectors compress to about a half of their size. What unpacks to more than both of these is meant
# to fill the memory of a reader that keeps all of it.
LARGEST_RATIO = 100
PLAUSIBLE_BYTES = 1 << 30

_FORMATS = (
    _Format("gzip", (b"\x1f\x8b\x08",), lambda: zlib.decompressobj(wbits=31)),
    _Format(
        "bzip2",
        tuple(
            b"BZh%d" % level + block
            for level in range(1, 10)
            for block in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")
        ),
        bz2.BZ2Decompressor,
    ),
    _Format(
        "xz",
        (b"\xfd7zXZ\x00",),
        lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=1 << WINDOW_LOG),
    ),
    _Format(
        "zstd",
        (
            b"\x28\xb5\x2f\xfd",
            *(bytes([low]) + b"\x2a\x4d\x18" for low in range(0x50, 0x60)),  # skippable frames
        ),
        lambda: zstd.ZstdDecompressor(
            options={zstd.DecompressionParameter.window_log_max: WINDOW_LOG}
        ),
    ),
)
_LONGEST_SIGNATURE = max(len(signature) for f in _FORMATS for signature in f.signatures)
_DECODING_ERRORS = (
    zlib.error,
    lzma.LZMAError,
    zstd.ZstdError,
    OSError,  # what bzip2 raises
    EOFError,
    ValueError,
)


def decompress(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Return the decompressed chunks of a file, or the chunks themselves; errors quote `name`."""
    head, rest = peek(chunks, _LONGEST_SIGNATURE)
    whole = chain([head], rest)
    for compression in _FORMATS:
        if head.startswith(compression.signatures):
            return _decompress_members(whole, compression, name)
        if _is_cut_signature(head, compression):
            raise _truncated(name, compression)
    return whole


def plausible(chunks: Iterator[bytes], stored_bytes: int, name: str) -> Iterator[bytes]:
    """Yield the decompressed chunks of a file of that size; an error if they are far too many."""
    limit, size = max(PLAUSIBLE_BYTES, LARGEST_RATIO * stored_bytes), 0
    for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise CorpusError(
                f"{name} unpacks to more than {LARGEST_RATIO} times its size, {stored_bytes:,} "
                "bytes; unpack it first if you trust it"
            )
        yield chunk


def peek(chunks: Iterator[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    """Return at least the first `size` bytes, or all there are, and the chunks after them."""
    head = bytearray()
    for chunk in chunks:
        head += chunk
        if len(head) >= size:
            break
    return bytes(head), chunks


def _decompress_members(
    chunks: Iterable[bytes], compression: _Format, name: str
) -> Iterator[bytes]:
    member: _Member | None = None
    for piece in _pieces(chunks):
        while piece:
            if member is None:
                piece = piece.lstrip(b"\0")  # tapes and xz pad with zeros between members
                if not piece:
                    break
                member = compression.new_member()
            try:
                yield from _drain(member, piece)
            except _DECODING_ERRORS as error:
                raise CorpusError(f"{name}: corrupt {compression.name} data ({error})") from error
            piece = member.unused_data if member.eof else b""
            if member.eof:
                member = None
    if member is not None:
        raise _truncated(name, compression)


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), READ_BYTES):
            yield chunk[start : start + READ_BYTES]


def _drain(member: _Member, data: bytes) -> Iterator[bytes]:
    """Yield all that `data` decompresses to, in steps of at most STEP_BYTES."""
    while True:
        text = member.decompress(data, STEP_BYTES)
        if text:
            yield text
        if member.eof or len(text) < STEP_BYTES:
            return
        data = getattr(member, "unconsumed_tail", b"")  # only gzip hands unused input back


def _is_cut_signature(head: bytes, compression: _Format) -> bool:
    """Return whether a file ends within its signature; a single byte may be text."""
    return len(head) >= 2 and any(s.startswith(head) for s in compression.signatures)


def _truncated(name: str, compression: _Format) -> CorpusError:
    return CorpusError(f"{name}: the {compression.name} data ends too early, the file is truncated")

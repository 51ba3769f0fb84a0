"""A file, standard input or an iterable → a stream of its text or tokens."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from itertools import chain
from typing import Any, Protocol, cast

from numberline.errors import CorpusError, describe
from numberline.files.decompression import READ_BYTES, decompress, peek
from numberline.files.regular import open_regular
from numberline.reading.blocks import Stream
from numberline.reading.pipe import Pipe
from numberline.reading.records import as_line, json_lines, pack_sentence, to_utf8
from numberline.reading.tables import Table, table_kind
from numberline.settings import ReadingSettings

SNIFF_BYTES = 64 << 10  # start of a text, which must not look binary
STANDARD_INPUT, ITERABLE = "<stdin>", "<iterable>"  # names in messages
LONGEST_SHOWN_PATH = 200  # characters in a message

JSON_LINES_NAME = re.compile(r"\.(jsonl|ndjson)(\.(gz|bz2|xz|zst|zstd))?$", re.IGNORECASE)
OTHER_BYTE_ORDER_MARKS = (  # UTF-32 first: its mark begins like that of UTF-16
    ("UTF-32", codecs.BOM_UTF32_LE),
    ("UTF-32", codecs.BOM_UTF32_BE),
    ("UTF-16", codecs.BOM_UTF16_LE),
    ("UTF-16", codecs.BOM_UTF16_BE),
)

ReportBytes = Callable[[int], None]  # called with the stored bytes of a source read so far


class Source(Protocol):
    @property
    def size_bytes(self) -> int | None: ...  # None if unknown

    @property
    def rereadable(self) -> bool: ...

    def open(self, settings: ReadingSettings, report: ReportBytes) -> Stream: ...


@dataclass(frozen=True)
class File:
    path: str
    size_bytes: int | None  # None for a pipe or a terminal

    @property
    def rereadable(self) -> bool:
        return self.size_bytes is not None

    def open(self, settings: ReadingSettings, report: ReportBytes) -> Stream:
        opened = open_regular if self.rereadable else Pipe
        chunks = read_chunks(self.path, report, partial(opened, self.path))
        head, rest = peek(chunks, SNIFF_BYTES)
        kind = table_kind(head)
        if kind and self.rereadable:
            table = Table(self.path, kind, settings.text_field)
            return Stream(table.chunks(report), self.path, table.tokenised)
        return text_stream(chain([head], rest), self.path, settings)


@dataclass(frozen=True)
class StandardInput:
    size_bytes = None
    rereadable = False

    def open(self, settings: ReadingSettings, report: ReportBytes) -> Stream:
        chunks = read_chunks(STANDARD_INPUT, report, lambda: nullcontext(standard_input()))
        return text_stream(chunks, STANDARD_INPUT, settings)


@dataclass(frozen=True)
class Elements:
    """Strings, or lists of tokens."""

    elements: Iterable[Any]
    tokenised: bool
    size_bytes = None

    @property
    def rereadable(self) -> bool:
        return iter(self.elements) is not self.elements

    def open(self, settings: ReadingSettings, report: ReportBytes) -> Stream:
        if not self.tokenised:
            lines = (as_line(to_utf8(text)) for text in all_of(str, self.elements))
            return stream_of_lines(lines, ITERABLE, settings)
        if settings.text_field:
            raise CorpusError(f"text_field={settings.text_field!r}, but token lists have no fields")
        sentences = enumerate(all_of((list, tuple), self.elements))
        packed = (pack_sentence(tokens, f"{ITERABLE}, element {n}") for n, tokens in sentences)
        return Stream(packed, ITERABLE, tokenised=True)


def read_chunks(
    name: str, report: ReportBytes, opened: Callable[[], AbstractContextManager[Any]]
) -> Iterator[bytes]:
    """Yield the bytes of a file, a pipe or standard input."""
    bytes_read = 0
    try:
        with opened() as file:
            # `read` would wait for a full chunk, and Ctrl-C would wait with it.
            while chunk := file.read1(READ_BYTES):
                bytes_read += len(chunk)
                report(bytes_read)
                yield chunk
    except OSError as error:
        raise unreadable(name, error) from error


def standard_input() -> BufferedReader:
    if sys.stdin is None:  # as after `numberline stats - <&-`
        raise CorpusError(f"cannot read {STANDARD_INPUT}: it is closed")
    return cast(BufferedReader, sys.stdin.buffer)


def text_stream(chunks: Iterator[bytes], name: str, settings: ReadingSettings) -> Stream:
    head, rest = peek(decompress(chunks, name), SNIFF_BYTES)
    refuse_binary(head[:SNIFF_BYTES], name)
    return stream_of_lines(chain([head.removeprefix(codecs.BOM_UTF8)], rest), name, settings)


def stream_of_lines(lines: Iterable[bytes], name: str, settings: ReadingSettings) -> Stream:
    if settings.text_field or JSON_LINES_NAME.search(name):
        lines = json_lines(lines, name, settings.text_field)
    return Stream(lines, name)


def refuse_binary(head: bytes, name: str) -> None:
    if kind := table_kind(head):
        raise CorpusError(f"{name} holds {kind} data; pass it as an uncompressed file")
    for encoding, mark in OTHER_BYTE_ORDER_MARKS:
        if head.startswith(mark):
            raise CorpusError(
                f"{name} looks like a binary file: it begins like {encoding}; convert it to UTF-8"
            )
    if b"\0" in head:
        raise CorpusError(f"{name} looks like a binary file: byte {head.index(0)} is NUL")


def all_of(kind: type[Any] | tuple[type[Any], ...], elements: Iterable[Any]) -> Iterator[Any]:
    """Yield the elements; an element of another kind is an error."""
    for index, element in enumerate(elements):
        if not isinstance(element, kind):
            raise CorpusError(
                f"{ITERABLE}: element {index} is {describe(element)}, "
                "but the elements before it are of another kind"
            )
        yield element


def unreadable(name: str, error: OSError) -> CorpusError:
    return CorpusError(f"cannot read {shown(error.filename or name)}: {error.strerror or error}")


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path for a message of one line, even if it is a text passed by mistake."""
    text = os.fsdecode(path)
    if text == "-":
        return STANDARD_INPUT
    is_short = text.isprintable() and len(text) <= LONGEST_SHOWN_PATH
    return text if is_short else repr(text[:60]) + "…"

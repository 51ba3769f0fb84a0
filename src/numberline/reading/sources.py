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

from numberline.errors import CorpusError, describe, setting_text
from numberline.files.decompression import READ_BYTES, decompress, peek
from numberline.files.regular import open_regular
from numberline.reading.blocks import Stream
from numberline.reading.delimited import delimited_lines
from numberline.reading.json_array import records_of_array
from numberline.reading.pipe import Pipe
from numberline.reading.records import DEFAULT_TEXT_FIELD, pack_sentence, records_of_lines
from numberline.reading.report import Report
from numberline.reading.tables import Table, table_kind
from numberline.reading.text_fields import (
    as_line,
    is_missing,
    lines_of_records,
    to_utf8,
)
from numberline.settings import ReadingSettings

SNIFF_BYTES = 64 << 10  # start of a text, which must not look binary
STANDARD_INPUT, ITERABLE = "<stdin>", "<iterable>"  # names in messages
LONGEST_SHOWN_PATH = 200  # characters in a message

DELIMITED_NAME, JSON_NAME, JSON_LINES_NAME = (
    re.compile(rf"\.({endings})(\.(gz|bz2|xz|zst|zstd))?$", re.IGNORECASE)
    for endings in ("csv|tsv", "json", "jsonl|ndjson")
)
RECORDS = {"json lines": records_of_lines, "json array": records_of_array}
OTHER_BYTE_ORDER_MARKS = (  # UTF-32 first: its mark begins like that of UTF-16
    ("UTF-32", codecs.BOM_UTF32_LE),
    ("UTF-32", codecs.BOM_UTF32_BE),
    ("UTF-16", codecs.BOM_UTF16_LE),
    ("UTF-16", codecs.BOM_UTF16_BE),
)


class Source(Protocol):
    @property
    def size_bytes(self) -> int | None: ...  # None if unknown

    @property
    def rereadable(self) -> bool: ...

    def open(self, settings: ReadingSettings, report: Report) -> Stream: ...


@dataclass(frozen=True)
class File:
    path: str
    size_bytes: int | None  # None for a pipe or a terminal

    @property
    def rereadable(self) -> bool:
        return self.size_bytes is not None

    def open(self, settings: ReadingSettings, report: Report) -> Stream:
        opened = open_regular if self.rereadable else Pipe
        chunks = read_chunks(self.path, report, partial(opened, self.path))
        head, rest = peek(chunks, SNIFF_BYTES)
        kind = table_kind(head)
        if kind and self.rereadable:
            table = Table(self.path, kind, settings.text_field)
            return Stream(table.chunks(report), self.path, table.tokenised)
        return text_stream(chain([head], rest), self.path, settings, report)


@dataclass(frozen=True)
class StandardInput:
    size_bytes = None
    rereadable = False

    def open(self, settings: ReadingSettings, report: Report) -> Stream:
        chunks = read_chunks(STANDARD_INPUT, report, lambda: nullcontext(standard_input()))
        return text_stream(chunks, STANDARD_INPUT, settings, report)


@dataclass(frozen=True)
class Elements:
    """Strings, or lists of tokens."""

    elements: Iterable[Any]
    tokenised: bool
    size_bytes = None

    @property
    def rereadable(self) -> bool:
        return iter(self.elements) is not self.elements

    def open(self, settings: ReadingSettings, report: Report) -> Stream:
        fields = settings.text_field
        if not self.tokenised:
            texts = all_of(str, self._present(report))
            lines = (as_line(to_utf8(text)) for text in texts)
            if fields:
                records = records_of_lines(lines, ITERABLE)
                return Stream(lines_of_records(records, ITERABLE, fields, report), ITERABLE)
            return Stream(lines, ITERABLE)
        if fields:
            chosen = setting_text("text_field", fields[0])
            raise CorpusError(f"{chosen}, but token lists have no fields")
        sentences = enumerate(all_of((list, tuple), self._present(report)))
        packed = (pack_sentence(tokens, f"{ITERABLE}, element {n}") for n, tokens in sentences)
        return Stream(packed, ITERABLE, tokenised=True)

    def _present(self, report: Report) -> Iterator[Any]:
        for element in self.elements:
            if element is None or (not isinstance(element, str) and is_missing(element)):
                report.missing_texts += 1
            else:
                yield element


def read_chunks(
    name: str, report: Report, opened: Callable[[], AbstractContextManager[Any]]
) -> Iterator[bytes]:
    """Yield the bytes of a file, a pipe or standard input."""
    bytes_read = 0
    try:
        with opened() as file:
            # `read` would wait for a full chunk, and Ctrl-C would wait with it.
            while chunk := file.read1(READ_BYTES):
                bytes_read += len(chunk)
                report.bytes_of_source(bytes_read)
                yield chunk
    except OSError as error:
        raise unreadable(name, error) from error


def standard_input() -> BufferedReader:
    if sys.stdin is None:  # as after `numberline stats - <&-`
        raise CorpusError(f"cannot read {STANDARD_INPUT}: it is closed")
    return cast(BufferedReader, sys.stdin.buffer)


def text_stream(
    chunks: Iterator[bytes], name: str, settings: ReadingSettings, report: Report
) -> Stream:
    head, rest = peek(decompress(chunks, name), SNIFF_BYTES)
    refuse_binary(head[:SNIFF_BYTES], name)
    head = head.removeprefix(codecs.BOM_UTF8)
    content, fields = chain([head], rest), settings.text_field
    kind = format_of(name, head, fields is not None)
    if kind == "text":
        return Stream(content, name)
    if kind == "delimited":
        return Stream(delimited_lines(content, name, fields, report), name)
    if JSON_LINES_NAME.search(name) and not fields:
        fields = (DEFAULT_TEXT_FIELD,)
    records = RECORDS[kind](content, name)
    return Stream(lines_of_records(records, name, fields, report), name)


def format_of(name: str, head: bytes, has_fields: bool) -> str:
    """Tell how a file is to be read: by its name, or if a field is wanted by its first sign."""
    if DELIMITED_NAME.search(name):
        return "delimited"
    if JSON_LINES_NAME.search(name):
        return "json lines"
    is_json = JSON_NAME.search(name) is not None
    if not (is_json or has_fields):
        return "text"
    sign = head.lstrip()[:1]
    if sign == b"[":
        return "json array"
    return "json lines" if is_json or sign == b"{" else "delimited"


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

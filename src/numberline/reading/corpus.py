"""A path, folder, standard input or iterable → blocks of text or of tokens, cut at line ends.

A source opens into a stream of chunks of any size; one cutter turns every stream into blocks.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

from numberline.errors import CorpusError, describe
from numberline.reading.blocks import Block, Stream, cut_into_blocks
from numberline.reading.decompression import READ_BYTES, decompress, peek
from numberline.reading.records import (
    Table,
    as_line,
    json_lines,
    pack_sentence,
    table_kind,
    to_utf8,
)
from numberline.settings import ReadingSettings

DEFAULTS = ReadingSettings()
BLOCK_BYTES = 4 << 20
SNIFF_BYTES = 64 << 10  # how much of a text must look like text

CorpusSource: TypeAlias = (
    str | os.PathLike[str] | Iterable[os.PathLike[str]] | Iterable[str] | Iterable[Sequence[str]]
)
_Consumed: TypeAlias = Callable[[int], None]  # told how many stored bytes of a source are done

_JSON_LINES_NAME = re.compile(r"\.(jsonl|ndjson)(\.(gz|bz2|xz|zst|zstd))?$", re.IGNORECASE)
_OTHER_BYTE_ORDER_MARKS = (  # UTF-32 first: its mark begins as that of UTF-16
    ("UTF-32", codecs.BOM_UTF32_LE),
    ("UTF-32", codecs.BOM_UTF32_BE),
    ("UTF-16", codecs.BOM_UTF16_LE),
    ("UTF-16", codecs.BOM_UTF16_BE),
)


def open_corpus(source: CorpusSource, settings: ReadingSettings = DEFAULTS) -> Corpus:
    """Find out what `source` is. A missing file is reported here, a broken one when it is read."""
    if isinstance(source, (str, os.PathLike)):
        return Corpus(_shown(source), _sources_at(source), settings)
    first, elements = _peek_element(source)
    if isinstance(first, os.PathLike):
        paths = list(_all_of(os.PathLike, elements))
        name = _shown(first) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
        return Corpus(name, [found for path in paths for found in _sources_at(path)], settings)
    return Corpus(_Elements.name, [_Elements(elements, isinstance(first, (list, tuple)))], settings)


class Corpus:
    """All the text of a source. While blocks are read, `bytes_read` of `size_bytes` are done."""

    def __init__(self, name: str, sources: Sequence[_Source], settings: ReadingSettings) -> None:
        sizes = [source.size_bytes for source in sources]
        known = [size for size in sizes if size is not None]
        self.size_bytes = sum(known) if len(known) == len(sizes) else None
        self.bytes_read = 0
        self.name = name
        self._sources = sources
        self._settings = settings
        self._was_read = False

    def blocks(self, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
        """Blocks of at most `block_bytes`, unless a longer line has no place to be cut."""
        if self._was_read and not all(source.rereadable for source in self._sources):
            raise CorpusError(
                f"{self.name} can be read only once; save it to a file or pass a list instead"
            )
        self._was_read = True
        return self._read(block_bytes)

    def _read(self, block_bytes: int) -> Iterator[Block]:
        self.bytes_read = 0
        holds_text = False
        for source in self._sources:
            stream = source.open(self._settings, partial(self._advance, self.bytes_read))
            for block in cut_into_blocks(stream, block_bytes):
                holds_text = holds_text or not block.data.isspace()
                yield block
        if not holds_text:
            raise CorpusError(f"{self.name} holds no text")

    def _advance(self, bytes_before: int, position: int) -> None:
        self.bytes_read = max(self.bytes_read, bytes_before + position)


# ---- Sources become streams ----


class _Source(Protocol):
    @property
    def size_bytes(self) -> int | None: ...

    @property
    def rereadable(self) -> bool: ...

    def open(self, settings: ReadingSettings, consumed: _Consumed) -> Stream: ...


@dataclass(frozen=True)
class _File:
    path: str
    size_bytes: int | None  # None: a pipe or a device

    @property
    def rereadable(self) -> bool:
        return self.size_bytes is not None

    def open(self, settings: ReadingSettings, consumed: _Consumed) -> Stream:
        chunks = _read_chunks(self.path, consumed)
        head, rest = peek(chunks, SNIFF_BYTES)
        kind = table_kind(head)
        if kind and self.rereadable:
            table = Table(self.path, kind, settings.text_field)
            return Stream(table.chunks(consumed), self.path, tokenised=table.tokenised)
        return _open_text(chain([head], rest), self.path, settings)


@dataclass(frozen=True)
class _StandardInput:
    name = "<stdin>"
    size_bytes = None
    rereadable = False

    def open(self, settings: ReadingSettings, consumed: _Consumed) -> Stream:
        return _open_text(_read_chunks(None, consumed), self.name, settings)


@dataclass(frozen=True)
class _Elements:
    elements: Iterable[Any]
    tokenised: bool
    name = "<iterable>"
    size_bytes = None

    @property
    def rereadable(self) -> bool:
        return iter(self.elements) is not self.elements

    def open(self, settings: ReadingSettings, consumed: _Consumed) -> Stream:
        if self.tokenised and settings.text_field:
            raise CorpusError(f"text_field={settings.text_field!r}, but token lists have no fields")
        if self.tokenised:
            return Stream(self._sentences(), self.name, tokenised=True)
        lines = (as_line(to_utf8(text)) for text in _all_of(str, self.elements))
        return _stream_of(lines, self.name, settings)

    def _sentences(self) -> Iterator[bytes]:
        for position, tokens in enumerate(_all_of((list, tuple), self.elements)):
            yield pack_sentence(tokens, f"{self.name}, element {position}")


def _read_chunks(path: str | None, consumed: _Consumed) -> Iterator[bytes]:
    """The bytes of a file, or of standard input if `path` is None."""
    position = 0
    try:
        with nullcontext(standard_input()) if path is None else open(path, "rb") as file:
            # Not `read`, which waits for a full chunk and so lets signals wait too.
            while chunk := file.read1(READ_BYTES):
                position += len(chunk)
                consumed(position)
                yield chunk
    except OSError as error:
        raise _unreadable(path or _StandardInput.name, error) from error


def standard_input() -> BufferedReader:
    if sys.stdin is None:  # as after `numberline stats - <&-`
        raise CorpusError(f"cannot read {_StandardInput.name}: it is closed")
    return cast(BufferedReader, sys.stdin.buffer)


def _open_text(chunks: Iterator[bytes], name: str, settings: ReadingSettings) -> Stream:
    head, rest = peek(decompress(chunks, name), SNIFF_BYTES)
    _refuse_binary(head[:SNIFF_BYTES], name)
    offset = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    return _stream_of(chain([head[offset:]], rest), name, settings, offset)


def _stream_of(
    lines: Iterable[bytes], name: str, settings: ReadingSettings, offset: int = 0
) -> Stream:
    if settings.text_field or _JSON_LINES_NAME.search(name):
        texts = json_lines(lines, name, settings.text_field)
        return Stream(texts, name)
    return Stream(lines, name, offset)


def _refuse_binary(head: bytes, name: str) -> None:
    if kind := table_kind(head):
        raise CorpusError(f"{name} holds {kind} data; give it as an uncompressed file")
    for encoding, mark in _OTHER_BYTE_ORDER_MARKS:
        if head.startswith(mark):
            raise CorpusError(
                f"{name} looks like a binary file: it begins as {encoding}; convert it to UTF-8"
            )
    if b"\0" in head:
        raise CorpusError(f"{name} looks like a binary file: byte {head.index(0)} is NUL")


# ---- What the caller gave becomes sources ----


def _sources_at(source: str | os.PathLike[str]) -> Sequence[_Source]:
    path = os.fsdecode(source)
    if path == "-":
        return [_StandardInput()]
    advice = "; to train on the text itself pass a list of strings"
    if stat.S_ISDIR(_stat(path, advice if isinstance(source, str) else "").st_mode):
        return [_file_at(found) for found in _files_under(path)]
    return [_file_at(path)]


def _file_at(path: str) -> _File:
    status = _stat(path)
    return _File(path, status.st_size if stat.S_ISREG(status.st_mode) else None)


def _stat(path: str, advice: str = "") -> os.stat_result:
    try:
        return os.stat(path)
    except ValueError as error:  # a NUL in the name
        raise CorpusError(f"{_shown(path)}: no such file{advice}") from error
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL):
            raise CorpusError(f"{_shown(path)}: no such file{advice}") from error
        raise _unreadable(path, error) from error


def _files_under(folder: str) -> list[str]:
    """All files that are not hidden, sorted by path. Links are followed, each folder once."""
    found: list[Path] = []
    seen: set[str] = set()
    try:
        for parent, folders, files in os.walk(folder, onerror=_raise, followlinks=True):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            if os.path.realpath(parent) in seen:
                folders.clear()
                continue
            seen.add(os.path.realpath(parent))
            found += [Path(parent, name) for name in files if not name.startswith(".")]
    except OSError as error:
        raise _unreadable(folder, error) from error
    if not found:
        raise CorpusError(f"{folder}: the folder holds no files")
    return [str(path) for path in sorted(found, key=lambda path: path.as_posix())]


def _peek_element(source: Any) -> tuple[Any, Iterable[Any]]:
    """The first element, and an iterable that still has it."""
    try:
        iterator = iter(source)
    except TypeError:
        raise _no_corpus(source) from None
    if isinstance(source, (bytes, bytearray, Mapping)):
        raise _no_corpus(source)
    taken = list(islice(iterator, 1))
    first = taken[0] if taken else ""
    if not isinstance(first, (str, list, tuple, os.PathLike)):
        raise CorpusError(
            f"{_Elements.name}: element 0 is {describe(first)}; "
            "give strings, lists of tokens, or Path objects"
        )
    return first, chain(taken, iterator) if iterator is source else source


def _all_of(kind: type[Any] | tuple[type[Any], ...], elements: Iterable[Any]) -> Iterator[Any]:
    for position, element in enumerate(elements):
        if not isinstance(element, kind):
            raise CorpusError(
                f"{_Elements.name}: element {position} is {describe(element)}, "
                "but the elements before it are of another kind"
            )
        yield element


def _no_corpus(source: object) -> CorpusError:
    return CorpusError(
        f"a corpus is a path or an iterable of strings or token lists, not {describe(source)}"
    )


def _unreadable(name: str, error: OSError) -> CorpusError:
    return CorpusError(f"cannot read {_shown(error.filename or name)}: {error.strerror or error}")


def _raise(error: OSError) -> None:
    raise error


def _shown(path: str | os.PathLike[str]) -> str:
    """A path for a message of one line, though it may be a text given by mistake."""
    text = os.fsdecode(path)
    if text == "-":
        return _StandardInput.name
    return text if text.isprintable() and len(text) <= 200 else repr(text[:60]) + "…"

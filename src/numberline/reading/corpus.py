"""A path, folder, standard input or iterable → blocks of its text or tokens, cut at line ends."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any, TypeAlias

from numberline.errors import CorpusError, describe, first_of
from numberline.files.regular import NotRegularError
from numberline.reading.blocks import Block, cut_into_blocks
from numberline.reading.frames import Frame, Records, TableWithColumns, columns_of
from numberline.reading.report import Report
from numberline.reading.sources import (
    ITERABLE,
    Elements,
    File,
    Source,
    StandardInput,
    all_of,
    shown,
    unreadable,
)
from numberline.reading.text_fields import is_missing
from numberline.settings import ReadingSettings

DEFAULTS = ReadingSettings()
BLOCK_BYTES = 4 << 20
MOST_FILES = 5_000_000  # in a folder

CorpusSource: TypeAlias = (
    str
    | os.PathLike[str]
    | Iterable[os.PathLike[str]]
    | Iterable[str | None]
    | Iterable[Sequence[str]]
    | Iterable[Mapping[str, Any]]
    | TableWithColumns
)


def open_corpus(source: CorpusSource, settings: ReadingSettings = DEFAULTS) -> Corpus:
    """Return the corpus in a file, in several, or in an iterable; a missing file is an error.

    Unreadable and broken files raise errors only when their text is read.
    """
    if isinstance(source, (str, os.PathLike)):
        return Corpus(shown(source), sources_at(source), settings)
    if (columns := columns_of(source)) is not None:
        frame = Frame(source, columns)
        return Corpus(frame.name, [frame], settings)
    first, elements = peek_element(source)
    if isinstance(first, Mapping):
        return Corpus(ITERABLE, [Records(elements)], settings)
    if isinstance(first, os.PathLike):
        paths = list(all_of(os.PathLike, elements))
        name = shown(first) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
        return Corpus(name, [file for path in paths for file in sources_at(path)], settings)
    return Corpus(ITERABLE, [Elements(elements, isinstance(first, (list, tuple)))], settings)


class Corpus:
    """The text of some sources, `size_bytes` long (None: unknown), and what was read so far."""

    def __init__(self, name: str, sources: Sequence[Source], settings: ReadingSettings) -> None:
        sizes = [source.size_bytes for source in sources if source.size_bytes is not None]
        self.size_bytes = sum(sizes) if len(sizes) == len(sources) else None
        self.report = Report()
        self.name = name
        self._sources = sources
        self._settings = settings
        self._was_read = False

    def blocks(self, block_bytes: int = BLOCK_BYTES) -> Iterator[Block]:
        """Return blocks of at most `block_bytes`; only a line that cannot be cut may be longer."""
        if self._was_read and not all(source.rereadable for source in self._sources):
            raise CorpusError(
                f"{self.name} can be read only once; save it to a file or pass a list instead"
            )
        self._was_read = True
        return self._read(block_bytes)

    def _read(self, block_bytes: int) -> Iterator[Block]:
        self.report = Report()
        holds_text = False
        for source in self._sources:
            self.report.next_source()
            stream = source.open(self._settings, self.report)
            for block in cut_into_blocks(stream, block_bytes):
                holds_text = holds_text or not block.data.isspace()
                yield block
        if not holds_text:
            raise CorpusError(f"{self.name} holds no text")

    @property
    def bytes_read(self) -> int:
        return self.report.bytes_read


def sources_at(source: str | os.PathLike[str]) -> Sequence[Source]:
    path = os.fsdecode(source)
    if path == "-":
        return [StandardInput()]
    advice = "; to train on the text itself pass a list of strings"
    status = status_of(path, advice if isinstance(source, str) else "")
    if stat.S_ISDIR(status.st_mode):
        return [file_at(file) for file in files_under(path)]
    if stat.S_ISFIFO(status.st_mode) or stat.S_ISCHR(status.st_mode):
        return [File(path, None)]  # as a shell passes the output of a command, or a terminal
    return [file_at(path)]


def file_at(path: str) -> File:
    status = status_of(path)
    if not stat.S_ISREG(status.st_mode):
        raise unreadable(path, NotRegularError(path, status.st_mode))
    return File(path, status.st_size)


def status_of(path: str, advice: str = "") -> os.stat_result:
    try:
        return os.stat(path)
    except ValueError as error:  # a NUL in the name
        raise CorpusError(f"{shown(path)}: no such file{advice}") from error
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL):
            raise CorpusError(f"{shown(path)}: no such file{advice}") from error
        raise unreadable(path, error) from error


def files_under(folder: str) -> list[str]:
    """Return all files that are not hidden, sorted by path; links are followed, but only once."""
    paths: list[str] = []
    seen: set[tuple[int, int]] = set()
    folders = [folder]
    while folders:
        parent = folders.pop()
        try:
            identity = os.stat(parent)
            if (identity.st_dev, identity.st_ino) in seen:
                continue
            seen.add((identity.st_dev, identity.st_ino))
            below, files = entries_of(parent)
        except OSError as error:
            raise unreadable(parent, error) from error
        folders += sorted(below, reverse=True)  # the first is taken next
        paths += files
        if len(paths) + len(folders) > MOST_FILES:
            raise CorpusError(f"{shown(folder)}: the folder holds more than {MOST_FILES:,} files")
    if not paths:
        raise CorpusError(f"{folder}: the folder holds no files")
    return sorted(paths, key=lambda path: Path(path).as_posix())


def entries_of(folder: str) -> tuple[list[str], list[str]]:
    """Return the paths of the folders and of the files in a folder, without hidden ones."""
    folders: list[str] = []
    files: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith("."):
                (folders if entry.is_dir() else files).append(entry.path)
    return folders, files


def peek_element(source: Any) -> tuple[Any, Iterable[Any]]:
    """Return the first element that is not missing, and an iterable that still holds it."""
    if isinstance(source, (bytes, bytearray, Mapping)):
        raise no_corpus(source)
    try:
        iterator = iter(source)
    except TypeError:
        raise no_corpus(source) from None
    missing, taken = 0, []
    for element in iterator:
        if isinstance(element, str) or not is_missing(element):
            taken.append(element)
            break
        missing += 1
    first = taken[0] if taken else ""
    if not isinstance(first, (str, list, tuple, os.PathLike, Mapping)):
        raise CorpusError(
            f"{ITERABLE}: element {missing} is {describe(first)}; "
            "pass strings, lists of tokens, dicts, or Path objects"
        )
    rest = chain(repeat(None, missing), taken, iterator)
    return first, rest if iterator is source else source


def no_corpus(source: Any) -> CorpusError:
    if isinstance(source, Mapping) and hasattr(source, "column_names"):
        splits = first_of(map(repr, source))
        return CorpusError(f"a corpus is one split of a dataset; pass one of these: {splits}")
    return CorpusError(
        "a corpus is a path, a table, or an iterable of strings, token lists or dicts, not "
        f"{describe(source)}"
    )

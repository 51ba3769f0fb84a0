"""The bytes of a CSV or TSV file → the texts in some of its columns, each as a line of bytes.

Files are read as spreadsheets write them: with commas, semicolons, tabs or bars, named by a first
line such as `sep=;` or not, with line ends inside of quotes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any

from numberline.errors import CorpusError
from numberline.files.decompression import peek
from numberline.reading.records import LONGEST_RECORD, split_lines, too_long
from numberline.reading.report import Report
from numberline.reading.text_fields import (
    as_line,
    is_missing,
    refuse_without_field,
    require_column,
)

SEPARATORS = ",;\t|"  # the first of those that divide the header into most columns
SAMPLE_BYTES = 64 << 10  # start of a file, from which its separator is told
SEPARATOR_LINE = re.compile(rb'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)  # Excel's own


@dataclass(frozen=True)
class Dialect:
    separator: str
    is_quoted: bool  # False: quotes are part of the texts

    def reader(self, lines: Iterable[str]) -> Any:
        """Return rows of values; what is no CSV is a csv.Error."""
        if self.is_quoted:
            return csv.reader(lines, delimiter=self.separator, strict=True)
        return csv.reader(lines, delimiter=self.separator, quoting=csv.QUOTE_NONE)


class Rows:
    """The rows of a file that are not empty, the header first, each with the number of its line."""

    def __init__(
        self, lines: Iterable[bytes], name: str, dialect: Dialect, lines_before: int
    ) -> None:
        self._lines, self._name = lines, name
        self._line = lines_before  # number of the last line that was read
        self._bytes = 0  # of the row that is being read
        # The limit holds for the process. Of rows it is checked here, before Python joins them.
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST_RECORD))
        self._reader = dialect.reader(self._decoded())

    def _decoded(self) -> Iterator[str]:
        for line in self._lines:
            self._line += 1
            self._bytes += len(line)
            if self._bytes > LONGEST_RECORD:
                raise too_long(f"{self._name}, the row that ends in line {self._line} or later")
            yield line.decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        while True:
            first_line, self._bytes = self._line + 1, 0
            try:
                row = next(self._reader, None)
            except csv.Error as error:
                where = f"{self._name}, line {first_line}"
                raise CorpusError(
                    f"{where}: this row is no CSV ({error}); write quotes in texts twice"
                ) from error
            if row is None:
                return
            if row:
                yield first_line, row


def delimited_lines(
    chunks: Iterator[bytes], name: str, fields: Sequence[str] | None, report: Report
) -> Iterator[bytes]:
    """Yield the texts of the fields, row by row; report those that are missing."""
    head, rest = peek(chunks, SAMPLE_BYTES)
    if b"\n" not in head:  # as Excel for Mac once wrote
        head, rest = head.replace(b"\r", b"\n"), (part.replace(b"\r", b"\n") for part in rest)
    is_whole = len(head) < SAMPLE_BYTES
    lines = split_lines(chain([head], rest), name)
    if start := SEPARATOR_LINE.match(head):
        dialect = dialect_of(head[start.end() :], is_whole, start[1].decode())
        next(lines)
    else:
        dialect = dialect_of(head, is_whole)
    rows = iter(Rows(lines, name, dialect, lines_before=1 if start else 0))
    _, header = next(rows, (0, []))
    if not fields:
        refuse_without_field((dict(zip(header, row, strict=False)) for _, row in rows), name)
    for field in fields:
        require_column(field, header, name)
    columns = [header.index(field) for field in fields]
    for line, row in rows:
        if any(row[len(header) :]):
            raise CorpusError(
                f"{name}, line {line}: {len(row)} values, but there are {len(header)} columns; "
                f"put texts with {dialect.separator!r} in quotes"
            )
        for column in columns:
            text = row[column] if column < len(row) else ""
            if is_missing(text):
                report.missing_texts += 1
            else:
                yield as_line(text.encode("utf-8", "surrogateescape"))


def dialect_of(head: bytes, is_whole: bool, separators: str = SEPARATORS) -> Dialect:
    """Tell the separator from the header, and whether a file with tabs has quotes at all.

    `head` is the start of a file, or the whole.
    """
    lines = [line.decode("utf-8", "replace") for line in BytesIO(head)]
    widths = {one: len(first_row(lines, one)) for one in separators}
    separator = max(separators, key=lambda one: widths[one])
    is_quoted = separator != "\t" or reads_as_quoted(lines, widths[separator], is_whole)
    return Dialect(separator, is_quoted)


def first_row(lines: list[str], separator: str) -> list[str]:
    try:
        row: list[str] = next(Dialect(separator, is_quoted=True).reader(lines), [])
    except csv.Error:
        return []
    return row


def reads_as_quoted(lines: list[str], width: int, is_whole: bool) -> bool:
    """Tell whether quotes enclose values here, so that each row has a value for each column.

    Excel writes such files; in most others with tabs a quote is a part of a text.
    """
    rows = Dialect("\t", is_quoted=True).reader(lines)

    def is_at_the_cut() -> bool:
        return not is_whole and rows.line_num == len(lines)

    try:
        return all(not row or len(row) == width or is_at_the_cut() for row in rows)
    except csv.Error:
        return is_at_the_cut()

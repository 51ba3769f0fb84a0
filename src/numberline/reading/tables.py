"""A Parquet or Arrow file → the lines or token lists in one of its columns, as chunks of bytes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from numberline.errors import CorpusError, first_of, setting_name
from numberline.extras import optional
from numberline.reading.arrow_sizes import require_small_file, require_small_stream
from numberline.reading.columns import ROWS_AT_A_TIME, checked_bytes, pieces
from numberline.reading.records import DEFAULT_TEXT_FIELD, LONGEST_RECORD, pack_tokens
from numberline.reading.report import Report
from numberline.reading.text_fields import as_line

DECODING_ERRORS = (OSError, ValueError, KeyError, EOFError, MemoryError)

SIGNATURES = {
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"\xff\xff\xff\xff": "Arrow stream",  # begins a message; no text begins with it
}


def table_kind(head: bytes) -> str | None:
    """Return the kind of table whose first bytes are `head`, or None for text."""
    if b"\0" not in head:
        return None
    return next((kind for mark, kind in SIGNATURES.items() if head.startswith(mark)), None)


class Table:
    """The columns of texts of one Parquet or Arrow file, which may be damaged."""

    def __init__(self, path: str, kind: str, fields: Sequence[str] | None) -> None:
        self._path, self._kind = path, kind
        with self._errors_in_one_line():
            self._content = OPENERS[kind](path)
            schema = self._content.schema
            self._columns = choose_columns(schema, fields, path)
            self.tokenised = is_list_of_strings(schema.field(self._columns[0]).type)

    def chunks(self, report: Report) -> Iterator[bytes]:
        """Yield lines or packed sentences, one column after the other; report what was read."""
        to_chunk = self._sentences if self.tokenised else self._lines
        with self._errors_in_one_line():
            size_bytes = os.path.getsize(self._path)
            for index, column in enumerate(self._columns):
                rows_before = 0
                for values, fraction_read in self._content.read(column):
                    for start, rows in pieces(checked_bytes(values), self._path, rows_before):
                        texts = rows.to_pylist()
                        report.missing_texts += sum(map(is_empty, texts))
                        yield to_chunk(texts, rows_before + start)
                    rows_before += len(values)
                    fraction = (index + fraction_read) / len(self._columns)
                    report.bytes_of_source(int(fraction * size_bytes))
        report.bytes_of_source(size_bytes)  # the footer included

    def _lines(self, texts: list[bytes | None], rows_before: int) -> bytes:
        return b"".join(as_line(text) for text in texts if text is not None)

    def _sentences(self, rows: list[list[bytes | None] | None], rows_before: int) -> bytes:
        return b"".join(
            pack_tokens([token for token in tokens if token], f"{self._path}, row {row}")
            for row, tokens in enumerate(rows, start=rows_before + 1)
            if tokens is not None
        )

    @contextmanager
    def _errors_in_one_line(self) -> Iterator[None]:
        try:
            yield
        except CorpusError:
            raise
        except (pyarrow().ArrowException, *DECODING_ERRORS) as error:
            reason = str(error).partition("\n")[0] or "it needs more memory than there is"
            raise CorpusError(f"{self._path}: cannot read it as {self._kind}: {reason}") from error


def is_empty(text: bytes | list[bytes | None] | None) -> bool:
    """Tell whether a row holds no text, or no tokens."""
    return not text or (isinstance(text, bytes) and text.isspace())


class Content(NamedTuple):
    schema: Any
    read: Callable[[str], Iterator[tuple[Any, float]]]  # column → values, fraction of file read


def open_parquet(path: str) -> Content:
    file = pyarrow("parquet").ParquetFile(
        path, buffer_size=1 << 20, pre_buffer=False, page_checksum_verification=True
    )

    def read(column: str) -> Iterator[tuple[Any, float]]:
        require_small_rows(file.metadata)
        rows = 0
        for batch in file.iter_batches(ROWS_AT_A_TIME, columns=[column], use_threads=False):
            rows += len(batch)
            yield batch.column(column), rows / file.metadata.num_rows

    return Content(file.schema_arrow, read)


def require_small_rows(metadata: Any) -> None:
    """Refuse a table of huge rows, since Arrow unpacks each as a whole.

    The sizes of single columns are not asked for: pyarrow ends the process where those are damaged.
    """
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        if group.total_byte_size > LONGEST_RECORD * max(1, group.num_rows):
            raise ValueError(f"its rows have more than {LONGEST_RECORD:,} bytes; split them")


def open_arrow_file(path: str) -> Content:
    file = pyarrow().memory_map(path)
    schema = pyarrow("ipc").open_file(file).schema
    require_small_file(file)

    def read(column: str) -> Iterator[tuple[Any, float]]:
        reader = pyarrow("ipc").open_file(file, options=only(column, schema))
        count = reader.num_record_batches
        for index in range(count):
            yield reader.get_batch(index).column(column), (index + 1) / count

    return Content(schema, read)


def open_arrow_stream(path: str) -> Content:
    file = pyarrow().memory_map(path)
    schema = pyarrow("ipc").open_stream(file).schema
    file.seek(0)
    require_small_stream(file)

    def read(column: str) -> Iterator[tuple[Any, float]]:
        file.seek(0)
        for batch in pyarrow("ipc").open_stream(file, options=only(column, schema)):
            yield batch.column(column), file.tell() / file.size()

    return Content(schema, read)


def only(column: str, schema: Any) -> Any:
    """Return options that leave other columns unread, which may be damaged or huge."""
    return pyarrow("ipc").IpcReadOptions(included_fields=[schema.get_field_index(column)])


OPENERS = {
    "Parquet": open_parquet,
    "Arrow": open_arrow_file,
    "Arrow stream": open_arrow_stream,
}


def pyarrow(module: str = "") -> Any:
    return optional(f"pyarrow.{module}" if module else "pyarrow", "arrow")


def choose_columns(schema: Any, fields: Sequence[str] | None, path: str) -> Sequence[str]:
    """Return the columns to read: all of strings, or all of lists of strings."""
    texts = [f.name for f in schema if is_string(f.type)]
    lists = [f.name for f in schema if is_list_of_strings(f.type)]
    only = texts + lists if DEFAULT_TEXT_FIELD not in schema.names else []
    wanted = fields or (only if len(only) == 1 else [DEFAULT_TEXT_FIELD])
    columns = first_of(f"{f.name!r} ({f.type})" for f in schema) or "none"
    for field in wanted:
        if (texts + lists).count(field) != 1:
            raise CorpusError(
                f"{path}: no column {field!r} of strings or of token lists; "
                f"set {setting_name('text_field')} to one of its columns: {columns}"
            )
    if {*wanted} & {*texts} and {*wanted} & {*lists}:
        raise CorpusError(f"{path}: some of the columns hold strings, others token lists")
    return wanted


def is_string(kind: Any) -> bool:
    types = pyarrow().types
    if types.is_dictionary(kind):
        return is_string(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_list_of_strings(kind: Any) -> bool:
    types = pyarrow().types
    return (types.is_list(kind) or types.is_large_list(kind)) and is_string(kind.value_type)

"""JSON lines, Parquet and Arrow tables, token lists → chunks of text, a line end after each record.

Token lists become tokens with a NUL after each, and one more NUL after each sentence.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any, NamedTuple

from numberline.errors import CorpusError, describe
from numberline.extras import optional

DEFAULT_TEXT_FIELD = "text"
TABLE_ROWS = 256  # rows held as Python objects at a time

_TABLE_SIGNATURES = {
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"\xff\xff\xff\xff": "Arrow stream",  # marks a message; no text begins so
}


def to_utf8(text: str, errors: str = "strict") -> bytes:
    try:
        return text.encode("utf-8", errors)
    except UnicodeEncodeError:  # lone surrogates
        return text.encode("utf-8", "replace")


def as_line(text: bytes) -> bytes:
    return text if text.endswith(b"\n") else text + b"\n"


def pack_sentence(tokens: Sequence[str], where: str) -> bytes:
    kept = [token for token in tokens if token != ""]
    try:
        joined = "\0".join(kept)
    except TypeError:
        stray = next(token for token in kept if not isinstance(token, str))
        raise CorpusError(f"{where}: a token is {describe(stray)}, not a string") from None
    if joined.count("\0") != max(0, len(kept) - 1):
        raise CorpusError(f"{where}: a token holds a NUL character")
    return to_utf8(joined) + b"\0\0" if kept else b""


# ---- JSON lines ----


def json_lines(chunks: Iterable[bytes], name: str, field: str | None) -> Iterator[bytes]:
    """Yield the text field of each line."""
    field = field or DEFAULT_TEXT_FIELD
    for number, line in enumerate(_split_lines(chunks), start=1):
        text = _text_of(line, field, f"{name}, line {number}")
        if text is not None:
            # Bytes that were not UTF-8 come out as they went in, for the scanner to count.
            yield as_line(to_utf8(text, "surrogateescape"))


def _split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    parts: list[bytes] = []
    for chunk in chunks:
        for part in BytesIO(chunk):
            parts.append(part)
            if part.endswith(b"\n"):
                yield b"".join(parts)
                parts.clear()
    if parts:
        yield b"".join(parts)


def _text_of(line: bytes, field: str, where: str) -> str | None:
    if line.isspace():
        return None
    record = _parse(line, where)
    if not isinstance(record, dict):
        raise CorpusError(f"{where}: {describe(record)} is no JSON object")
    if field not in record:
        there = ", ".join(map(repr, record)) or "none"
        raise CorpusError(f"{where}: no field {field!r}; set text_field to one of: {there}")
    text = record[field]
    if text is not None and not isinstance(text, str):
        raise CorpusError(f"{where}: field {field!r} is {describe(text)}, not a string")
    return text


def _parse(line: bytes, where: str) -> Any:
    try:
        return json.loads(line.rstrip().decode("utf-8", "surrogateescape"))
    except json.JSONDecodeError as error:
        raise CorpusError(f"{where}: bad JSON ({error.msg}, column {error.colno})") from error
    except (ValueError, RecursionError) as error:  # endless digits, endless nesting
        raise CorpusError(f"{where}: bad JSON ({error})") from error


# ---- Parquet and Arrow tables ----


def table_kind(head: bytes) -> str | None:
    """Which kind of table begins with `head`, its first 64 KiB. Tables hold NULs, text does not."""
    if b"\0" not in head:
        return None
    return next((kind for s, kind in _TABLE_SIGNATURES.items() if head.startswith(s)), None)


class Table:
    """The text column of one Parquet or Arrow file."""

    def __init__(self, path: str, kind: str, field: str | None) -> None:
        self._path, self._kind = path, kind
        with self._errors_in_one_line():
            self._content = _OPENERS[kind](path)
        schema = self._content.schema
        self._column = _choose_column(schema, field, path)
        self.tokenised = _is_list_of_strings(schema.field(self._column).type)

    def chunks(self, consumed: Callable[[int], None]) -> Iterator[bytes]:
        """Lines or packed sentences; `consumed` is told how many bytes of the file are done."""
        to_chunk = self._sentences if self.tokenised else self._lines
        rows_before = 0
        with self._errors_in_one_line():
            size_bytes = os.path.getsize(self._path)
            for values, share_read in self._content.read(self._column):
                for start in range(0, len(values), TABLE_ROWS):
                    yield to_chunk(values.slice(start, TABLE_ROWS), rows_before + start)
                rows_before += len(values)
                consumed(int(share_read * size_bytes))
        consumed(size_bytes)  # with the footer

    def _lines(self, values: Any, rows_before: int) -> bytes:
        # As bytes, because Arrow does not promise that its strings are UTF-8.
        texts = values.cast("large_string").cast("large_binary").to_pylist()
        return b"".join(as_line(text) for text in texts if text is not None)

    def _sentences(self, values: Any, rows_before: int) -> bytes:
        return b"".join(
            pack_sentence([t for t in tokens if t is not None], f"{self._path}, row {row}")
            for row, tokens in enumerate(values.to_pylist(), start=rows_before + 1)
            if tokens is not None
        )

    @contextmanager
    def _errors_in_one_line(self) -> Iterator[None]:
        try:
            yield
        except (_arrow().ArrowException, OSError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise CorpusError(f"{self._path}: cannot read it as {self._kind}: {reason}") from error


class _Content(NamedTuple):
    schema: Any
    read: Callable[[str], Iterator[tuple[Any, float]]]  # column → its values, share of file read


def _open_parquet(path: str) -> _Content:
    file = _arrow("parquet").ParquetFile(
        path, buffer_size=1 << 20, pre_buffer=False, page_checksum_verification=True
    )

    def read(column: str) -> Iterator[tuple[Any, float]]:
        rows = 0
        for batch in file.iter_batches(TABLE_ROWS, columns=[column], use_threads=False):
            rows += len(batch)
            yield batch.column(column), rows / file.metadata.num_rows

    return _Content(file.schema_arrow, read)


def _open_arrow_file(path: str) -> _Content:
    reader = _arrow("ipc").open_file(_arrow().memory_map(path))

    def read(column: str) -> Iterator[tuple[Any, float]]:
        count = reader.num_record_batches
        for index in range(count):
            yield reader.get_batch(index).column(column), (index + 1) / count

    return _Content(reader.schema, read)


def _open_arrow_stream(path: str) -> _Content:
    file = _arrow().memory_map(path)
    reader = _arrow("ipc").open_stream(file)

    def read(column: str) -> Iterator[tuple[Any, float]]:
        for batch in reader:
            yield batch.column(column), file.tell() / file.size()

    return _Content(reader.schema, read)


_OPENERS = {
    "Parquet": _open_parquet,
    "Arrow": _open_arrow_file,
    "Arrow stream": _open_arrow_stream,
}


def _arrow(module: str | None = None) -> Any:
    return optional(f"pyarrow.{module}" if module else "pyarrow", "arrow")


def _choose_column(schema: Any, field: str | None, path: str) -> str:
    texts = [f.name for f in schema if _is_string(f.type) or _is_list_of_strings(f.type)]
    only = texts[0] if len(texts) == 1 and DEFAULT_TEXT_FIELD not in schema.names else None
    wanted = field or only or DEFAULT_TEXT_FIELD
    if texts.count(wanted) != 1:
        there = ", ".join(f"{f.name!r} ({f.type})" for f in schema) or "none"
        raise CorpusError(
            f"{path}: no column {wanted!r} of strings or of token lists; "
            f"set text_field to one of its columns: {there}"
        )
    return wanted


def _is_string(kind: Any) -> bool:
    types = _arrow().types
    if types.is_dictionary(kind):
        return _is_string(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_list_of_strings(kind: Any) -> bool:
    types = _arrow().types
    return (types.is_list(kind) or types.is_large_list(kind)) and _is_string(kind.value_type)

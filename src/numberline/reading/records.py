"""JSON lines → lines of text; token lists → bytes, a NUL after each token and each list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Any

from numberline.errors import CorpusError, describe

DEFAULT_TEXT_FIELD = "text"


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


def json_lines(chunks: Iterable[bytes], name: str, field: str | None) -> Iterator[bytes]:
    """Yield the text field of each record as a line."""
    field = field or DEFAULT_TEXT_FIELD
    for number, line in enumerate(split_lines(chunks), start=1):
        text = text_of(line, field, f"{name}, line {number}")
        if text is not None:
            # Bytes that were not UTF-8 are restored, so that the scanner counts them.
            yield as_line(to_utf8(text, "surrogateescape"))


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    parts: list[bytes] = []
    for chunk in chunks:
        for part in BytesIO(chunk):
            parts.append(part)
            if part.endswith(b"\n"):
                yield b"".join(parts)
                parts.clear()
    if parts:
        yield b"".join(parts)


def text_of(line: bytes, field: str, where: str) -> str | None:
    if line.isspace():
        return None
    record = parse_record(line, where)
    if not isinstance(record, dict):
        raise CorpusError(f"{where}: {describe(record)} is no JSON object")
    if field not in record:
        fields = ", ".join(map(repr, record)) or "none"
        raise CorpusError(f"{where}: no field {field!r}; set text_field to one of: {fields}")
    text = record[field]
    if text is not None and not isinstance(text, str):
        raise CorpusError(f"{where}: field {field!r} is {describe(text)}, not a string")
    return text


def parse_record(line: bytes, where: str) -> Any:
    try:
        return json.loads(line.rstrip().decode("utf-8", "surrogateescape"))
    except json.JSONDecodeError as error:
        raise CorpusError(f"{where}: bad JSON ({error.msg}, column {error.colno})") from error
    except (ValueError, RecursionError) as error:  # too many digits, too deep nesting
        raise CorpusError(f"{where}: bad JSON ({error})") from error

"""JSON lines → lines of text; token lists → bytes, a NUL after each token and each list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Any

from numberline.errors import CorpusError, describe, first_of
from numberline.reading.shapes import without_surrogates

DEFAULT_TEXT_FIELD = "text"
LONGEST_RECORD = 32 << 20  # bytes of a line of JSON or a row of a table; parsing takes 30 times it
SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")  # in JSON, half of a character


def to_utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return without_surrogates(text).encode()


def as_line(text: bytes) -> bytes:
    return text if text.endswith(b"\n") else text + b"\n"


def pack_sentence(tokens: Sequence[str], where: str) -> bytes:
    kept = [token for token in tokens if token != ""]
    try:
        joined = "\0".join(kept)
    except TypeError:
        stray = next(token for token in kept if not isinstance(token, str))
        raise CorpusError(f"{where}: a token is {describe(stray)}, not a string") from None
    return with_ends(to_utf8(joined), len(kept), where)


def pack_tokens(tokens: Sequence[bytes], where: str) -> bytes:
    """Return tokens that are not empty as bytes."""
    return with_ends(b"\0".join(tokens), len(tokens), where)


def with_ends(joined: bytes, tokens: int, where: str) -> bytes:
    """Return tokens that were joined by NULs with the end of the last one, and of the list."""
    if joined.count(b"\0") != max(0, tokens - 1):
        raise CorpusError(f"{where}: a token holds a NUL character")
    return joined + b"\0\0" if tokens else b""


def json_lines(chunks: Iterable[bytes], name: str, field: str | None) -> Iterator[bytes]:
    """Yield the text field of each record as a line."""
    field = field or DEFAULT_TEXT_FIELD
    for number, line in enumerate(split_lines(chunks, name), start=1):
        text = text_of(line, field, f"{name}, line {number}")
        if text is not None:
            yield as_line(text)


def split_lines(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    parts: list[bytes] = []
    number, size = 1, 0
    for chunk in chunks:
        for part in BytesIO(chunk):
            parts.append(part)
            size += len(part)
            if size > LONGEST_RECORD:
                raise too_long(f"{name}, line {number}")
            if part.endswith(b"\n"):
                yield b"".join(parts)
                parts.clear()
                number, size = number + 1, 0
    if parts:
        yield b"".join(parts)


def too_long(where: str) -> CorpusError:
    return CorpusError(f"{where} has more than {LONGEST_RECORD:,} bytes; split it into several")


def text_of(line: bytes, field: str, where: str) -> bytes | None:
    if line.isspace():
        return None
    decoded_line, errors = decoded(line.rstrip())
    record = parse_record(decoded_line, where)
    if not isinstance(record, dict):
        raise CorpusError(f"{where}: {describe(record)} is no JSON object")
    if field not in record:
        fields = first_of(map(repr, record)) or "none"
        raise CorpusError(f"{where}: no field {field!r}; set text_field to one of: {fields}")
    text = record[field]
    if text is not None and not isinstance(text, str):
        raise CorpusError(f"{where}: field {field!r} is {describe(text)}, not a string")
    if text is None:
        return None
    return text.encode("utf-8", errors) if errors == "surrogateescape" else to_utf8(text)


def decoded(line: bytes) -> tuple[str, str]:
    """Return a line as text, and how bytes were decoded that are not UTF-8.

    They are kept, so that they are counted. Kept bytes look like the halves of characters that JSON
    can write, as in "\\ud800"; in a line with both they are replaced.
    """
    try:
        return line.decode(), "strict"
    except UnicodeDecodeError:
        errors = "replace" if SURROGATE_ESCAPE.search(line) else "surrogateescape"
        return line.decode("utf-8", errors), errors


def parse_record(line: str, where: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise CorpusError(f"{where}: bad JSON ({error.msg}, column {error.colno})") from error
    except RecursionError:
        raise CorpusError(f"{where}: bad JSON (it is nested too deeply)") from None
    except ValueError as error:  # too many digits
        raise CorpusError(f"{where}: bad JSON ({error})") from error

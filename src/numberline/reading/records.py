"""JSON lines → records; token lists → bytes, a NUL after each token and each list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from numberline.errors import CorpusError, describe
from numberline.reading.text_fields import to_utf8

DEFAULT_TEXT_FIELD = "text"
LONGEST_RECORD = 32 << 20  # bytes of a line of JSON or a row of a table; parsing takes 30 times it
SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")  # in JSON, half of a character


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


def records_of_lines(
    chunks: Iterable[bytes], name: str
) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield where each record is, the record, and whether bytes were kept in it."""
    for number, line in enumerate(split_lines(chunks, name), start=1):
        if line.isspace():
            continue
        where = f"{name}, line {number}"
        decoded_line, keeps_bytes = decoded(line.rstrip())
        with json_errors(where):
            record = json.loads(decoded_line)
        yield where, require_object(record, where), keeps_bytes


def require_object(record: Any, where: str) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise CorpusError(f"{where}: {describe(record)} is no JSON object")
    return record


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


def decoded(line: bytes) -> tuple[str, bool]:
    """Return a line as text, and whether bytes that are not UTF-8 were kept, so that they count.

    Kept bytes look like the halves of characters that JSON can write, as in "\\ud800"; in a line
    with both they are replaced.
    """
    try:
        return line.decode(), False
    except UnicodeDecodeError:
        text = line.decode("utf-8", "surrogateescape")
        if not SURROGATE_ESCAPE.search(text):
            return text, True
        return line.decode("utf-8", "replace"), False


@contextmanager
def json_errors(where: str) -> Iterator[None]:
    """Raise what JSON's parser raises as an error of one line."""
    try:
        yield
    except json.JSONDecodeError as error:
        raise CorpusError(f"{where}: bad JSON ({error.msg}, column {error.colno})") from error
    except RecursionError:
        raise CorpusError(f"{where}: bad JSON (it is nested too deeply)") from None
    except ValueError as error:  # too many digits
        raise CorpusError(f"{where}: bad JSON ({error})") from error

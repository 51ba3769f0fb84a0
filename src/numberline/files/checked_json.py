"""A dictionary ↔ the bytes of a JSON file that begins with a checksum of all its bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

_START = b'{\n "checksum": "'
_DIGITS = 8  # of a CRC-32


def to_bytes(content: Mapping[str, Any]) -> bytes:
    """Return the file for a dictionary, whose first key will be `checksum`."""
    text = json.dumps({"checksum": "0" * _DIGITS, **content}, ensure_ascii=False, indent=1)
    data = text.encode()
    return with_digits(data, checksum(data))


def from_bytes(data: bytes) -> dict[str, Any]:
    """Return the dictionary; a ValueError says what is wrong with the bytes."""
    if not begins(data):
        raise ValueError("it is no file of numberline, or its beginning is damaged")
    if data != with_digits(data, checksum(data)):
        raise ValueError("it is damaged: its checksum is not that of its bytes")
    try:
        content = json.loads(data.decode())
    except RecursionError:
        raise ValueError("its brackets are nested too deep") from None
    if not isinstance(content, dict):
        raise ValueError("it is no JSON object")
    return content


def begins(data: bytes) -> bool:
    """Tell whether bytes begin as `to_bytes` lets them begin; the rest may be damaged."""
    return data.startswith(_START)


def checksum(data: bytes) -> str:
    """Return the digits of a file, computed as if they were zeros."""
    return f"{zlib.crc32(with_digits(data, '0' * _DIGITS)):0{_DIGITS}x}"


def with_digits(data: bytes, digits: str) -> bytes:
    start = len(_START)
    return data[:start] + digits.encode() + data[start + _DIGITS :]

"""The bytes of a JSON array of objects → the objects, one at a time."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from numberline.errors import CorpusError
from numberline.reading.records import LONGEST_RECORD, SURROGATE_ESCAPE, json_errors, too_long

DECODER = json.JSONDecoder()
BLANKS = re.compile(r"[ \t\r\n]*")
LONGEST_CUT = 16  # characters before an end where a cut element may seem wrong, as in `-Infini`


def records_of_array(
    chunks: Iterable[bytes], name: str
) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield where each object is, the object, and whether bytes were kept in it."""
    text = GrowingText(chunks)
    text.take("[", name)
    number, sign = 0, text.next_sign()
    while sign != "]":
        where = f"{name}, element {number}"
        if number:
            text.take(",", where)
        if text.next_sign() != "{":
            raise CorpusError(f"{where} is no JSON object")
        yield where, *text.take_object(where)
        number, sign = number + 1, text.next_sign()
    text.take("]", name)
    if text.next_sign():
        raise CorpusError(f"{name}: bad JSON (there is more after the array)")


class GrowingText:
    """A part of a file, decoded, that grows while an element is incomplete."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._text, self._at = "", 0  # and where the part begins that is still to be read
        self._is_last = False  # True: the file holds no more

    def next_sign(self) -> str:
        """Go to the next character that is not blank and return it; "" at the end."""
        while True:
            blanks = BLANKS.match(self._text, self._at)
            self._at = blanks.end() if blanks else self._at
            if self._at < len(self._text) or not self._grow():
                return self._text[self._at : self._at + 1]

    def take(self, sign: str, where: str) -> None:
        if (found := self.next_sign()) != sign:
            reason = f"{found!r} where" if found else "the file ends where"
            raise CorpusError(f"{where}: bad JSON ({reason} {sign!r} is needed)")
        self._at += 1

    def take_object(self, where: str) -> tuple[dict[str, Any], bool]:
        """Return an object, and whether bytes were kept in it."""
        while True:
            with json_errors(where):
                try:
                    record, end = DECODER.raw_decode(self._text, self._at)
                    break
                except json.JSONDecodeError as error:
                    if not self._is_cut(error):
                        raise
                    if len(self._text) - self._at > LONGEST_RECORD:
                        raise too_long(where) from error
                    if not self._grow():
                        raise
        if end - self._at > LONGEST_RECORD:
            raise too_long(where)
        has_escapes = SURROGATE_ESCAPE.search(self._text, self._at, end) is not None
        self._at = end
        return record, not has_escapes

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        """Tell whether more text could remove the error."""
        is_at_end = error.pos >= len(self._text) - LONGEST_CUT
        return is_at_end or error.msg.startswith("Unterminated string")

    def _grow(self) -> bool:
        """Drop what has been read, and double the rest, so that few parses are in vain."""
        rest = self._text[self._at :]
        parts, size = [rest], 0
        while size <= len(rest) and not self._is_last:
            chunk = next(self._chunks, None)
            self._is_last = chunk is None
            parts.append(self._decoder.decode(chunk or b"", final=self._is_last))
            size += len(parts[-1])
        self._text, self._at = "".join(parts), 0
        return size > 0

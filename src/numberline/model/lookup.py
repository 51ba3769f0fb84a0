"""Tokens → what each of them is: the id of a word, or the value of a numeral."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import repeat
from numbers import Real
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from numberline.errors import TokensError, UnknownWordError, describe
from numberline.reading.scanner import parse_numeral
from numberline.reading.shapes import fold
from numberline.settings import TextSettings

Query = str | int | float | np.integer[Any] | np.floating[Any]
UNKNOWN = -1
NUMERAL = -2
_UNREAD = -3
HINTED_WORDS = 20_000  # frequent ones, among which close spellings are looked for
_DIGITS = re.compile(r"[0-9]{1,15}", re.ASCII)
_DECIMAL = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)


@dataclass(frozen=True, eq=False)
class Found:
    ids: npt.NDArray[np.int64]  # of words; or NUMERAL, or UNKNOWN
    values: npt.NDArray[np.float64]  # of the numerals, in their order


@dataclass(frozen=True, eq=False)
class Lookup:
    words: list[str]
    word_ids: dict[str, int]
    text: TextSettings
    has_numerals: bool  # False: none were learnt, so none is known

    def find(self, tokens: Iterable[Query]) -> Found:
        """What is no word as it is written is read, every distinct one once: that takes time."""
        asked = list(tokens)
        ids = self._spelled_ids(asked)
        known: dict[Any, tuple[int, float]] = {}
        values = []
        for place in np.flatnonzero(ids == _UNREAD).tolist():
            token = asked[place]
            # 1, 1.0 and True are one key, and one number.
            found = known.get(token)
            if found is None:
                found = known[token] = self.read(token)
            ids[place] = found[0]
            if found[0] == NUMERAL:
                values.append(found[1])
        return Found(ids, np.array(values, np.float64))

    def _spelled_ids(self, asked: list[Query]) -> npt.NDArray[np.int64]:
        """Of words that are written as in the vocabulary; _UNREAD for all else."""
        try:
            # A number is never a key there, but asking is cheaper than knowing.
            spelled = map(self.word_ids.get, asked, repeat(_UNREAD))  # type: ignore[arg-type]
            return np.fromiter(spelled, np.int64, len(asked))
        except TypeError:
            for token in asked:  # what has no hash is neither word nor number, and refused here
                self.read(token)
            raise

    def read(self, token: Query) -> tuple[int, float]:
        """Its id, and its value if it is a numeral."""
        word = self.word_id(token)
        if word is not None:
            return word, 0.0
        value = self.value_of(token)
        return (UNKNOWN, 0.0) if value is None else (NUMERAL, value)

    def word_id(self, token: Query) -> int | None:
        if not isinstance(token, str):
            return None
        found = self.word_ids.get(token)
        return self.word_ids.get(fold(token, self.text.lowercase)) if found is None else found

    def value_of(self, token: Query) -> float | None:
        """None: it is no numeral, or none were learnt."""
        if isinstance(token, str):
            if not self.has_numerals:
                return None
            plain = _DIGITS if self.text.decimal_comma else _DECIMAL
            if plain.fullmatch(token):  # what most numerals look like, read at once
                return float(token)
            return parse_numeral(token, self.text)
        value = number_of(token)
        return value if self.has_numerals else None

    def refuse(self, token: Query) -> NoReturn:
        raise UnknownWordError(f"{describe(token)} is unknown{self._hint(token)}")

    def _hint(self, token: Query) -> str:
        is_number = not isinstance(token, str) or parse_numeral(token, self.text) is not None
        if is_number and not self.has_numerals:
            return ": no numerals were learnt"
        if not isinstance(token, str):
            return ": it is no finite number"
        spelled = fold(token, self.text.lowercase)
        close = difflib.get_close_matches(spelled, self.words[:HINTED_WORDS], n=3)
        return f"; close words are {', '.join(close)}" if close else ""


def number_of(token: object) -> float | None:
    """None: it is not finite."""
    if not isinstance(token, Real | Decimal):
        raise TokensError(f"{describe(token)} is neither a word nor a number")
    try:
        value = float(token)
    except OverflowError:  # 10**400
        return None
    return value if math.isfinite(value) else None

"""Text or tokens → what a model knows of each: the id of a word, or the value of a numeral."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, repeat
from numbers import Real
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import TokensError, UnknownWordError, describe, first_of
from numberline.kernels import native
from numberline.reading import scanner
from numberline.reading.shapes import fold
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

Query = str | int | float | np.integer[Any] | np.floating[Any] | Token
Ids = npt.NDArray[np.int64]
UNKNOWN = -1
HINT_WORDS = 20_000  # most frequent words, searched for close spellings
_DIGITS = re.compile(r"[0-9]{1,15}", re.ASCII)
_DECIMAL = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)


@dataclass(frozen=True, eq=False)
class TokenIds:
    """Tokens as a model knows them. Ids below `words` are words; `words + k` is `values[k]`."""

    words: int  # in the vocabulary
    ids: Ids  # [tokens] of words and numerals, or UNKNOWN
    values: Floats  # of the numerals

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def is_known(self) -> npt.NDArray[np.bool_]:
        return np.not_equal(self.ids, UNKNOWN)

    @property
    def is_word(self) -> npt.NDArray[np.bool_]:
        return (self.ids >= 0) & (self.ids < self.words)

    @property
    def is_numeral(self) -> npt.NDArray[np.bool_]:
        return self.ids >= self.words

    @property
    def numerals(self) -> Floats:
        """The value of each numeral, in the order of the tokens."""
        return self.values[self.ids[self.is_numeral] - self.words]


class ReadTexts(NamedTuple):
    """Texts as a model knows them. Text t has the tokens bounds[t] to bounds[t + 1] - 1."""

    tokens: TokenIds
    bounds: npt.NDArray[np.int64]  # [texts + 1]
    numerals: list[list[Token]]  # of each text


@dataclass(frozen=True, eq=False)
class Lookup:
    """A vocabulary, and the settings that its corpus was read with."""

    words: list[str]
    word_ids: dict[str, int]
    settings: TextSettings
    has_numerals: bool  # False: no numerals were learnt, so all are unknown

    def read_text(self, text: str) -> TokenIds:
        """Return the ids of a text's tokens."""
        return self.read_texts([text]).tokens

    def read_texts(self, texts: Iterable[str]) -> ReadTexts:
        """Return the ids of the tokens of texts; each numeral has a value of its own."""
        words: list[str | None] = []
        bounds, numerals = [0], []
        for text in texts:
            of_text, numerals_of_text = self.words_and_numerals(text)
            words += of_text
            bounds.append(len(words))
            numerals.append(numerals_of_text)
        known = map(self.word_ids.get, words, repeat(UNKNOWN))  # type: ignore[arg-type]
        ids = np.fromiter(known, np.int64, len(words))
        values = [token.value for token in chain.from_iterable(numerals)] * self.has_numerals
        if values:
            is_numeral = np.array([word is None for word in words])
            ids[is_numeral] = len(self.words) + np.arange(len(values))
        tokens = TokenIds(len(self.words), ids, np.array(values, np.float64))
        return ReadTexts(tokens, np.array(bounds, np.int64), numerals)

    def words_and_numerals(self, text: str) -> tuple[list[str | None], list[Token]]:
        """Split a text; return each word's spelling, None for a numeral, and the numerals."""
        if native() is None:
            return scanner.words_and_numerals(text, self.settings)
        from numberline.reading.native import words_and_numerals

        return words_and_numerals(text, self.settings)

    def tokens(self, text: str) -> list[Token]:
        """Split a text as the corpus was split."""
        if native() is None:
            return scanner.tokenize(text, self.settings)
        from numberline.reading.native import tokenize

        return tokenize(text, self.settings)

    def read_tokens(self, tokens: Iterable[Query]) -> TokenIds:
        """Return the ids of tokens. One that is not spelled as a word is parsed, once."""
        queries = list(tokens)
        ids = self._ids_as_spelled(queries)
        values: list[float] = []
        parsed: dict[Query, int] = {}  # 1 and 1.0 are one key, and one number
        for index in np.flatnonzero(ids == UNKNOWN).tolist():
            query = queries[index]
            id = None if isinstance(query, bool) else parsed.get(query)
            if id is None:
                id = parsed[query] = self._parsed_id(query, values)
            ids[index] = id
        return TokenIds(len(self.words), ids, np.array(values, np.float64))

    def _ids_as_spelled(self, queries: list[Query]) -> Ids:
        """Return the ids of words that are spelled as in the vocabulary, UNKNOWN for all others."""
        try:
            # A number is never a key there, but trying is cheaper than finding out.
            ids = map(self.word_ids.get, queries, repeat(UNKNOWN))  # type: ignore[arg-type]
            return np.fromiter(ids, np.int64, len(queries))
        except TypeError:  # an unhashable token is neither word nor number, and refused here
            for query in queries:
                self._parsed_id(query, [])
            raise

    def _parsed_id(self, query: Query, values: list[float]) -> int:
        """Return the id of a token; the value of a numeral is appended to `values`."""
        if isinstance(query, Token):
            if query.value is None:
                return self.word_ids.get(query.text, UNKNOWN)
            query = query.value
        if isinstance(query, str):
            id = self.word_ids.get(fold(query, self.settings.lowercase), UNKNOWN)
            if id != UNKNOWN:
                return id
        value = self.value_of(query)
        if value is None:
            return UNKNOWN
        values.append(value)
        return len(self.words) + len(values) - 1

    def value_of(self, token: Query) -> float | None:
        """Return the value of a numeral; None for anything else, or if no numerals were learnt."""
        if not isinstance(token, str):
            value = number_of(token)
            return value if self.has_numerals else None
        if not self.has_numerals:
            return None
        plain = _DIGITS if self.settings.decimal_comma else _DECIMAL
        if plain.fullmatch(token):  # most numerals look like this and need no scanner
            return float(token)
        return scanner.parse_numeral(token, self.settings)

    def refuse(self, token: Query) -> NoReturn:
        """Raise the error that says why a token is unknown."""
        spelled = token.text if isinstance(token, Token) else token
        raise UnknownWordError(f"{describe(spelled)} is unknown{self._hint(spelled)}")

    def _hint(self, token: object) -> str:
        is_text = isinstance(token, str)
        is_number = not is_text or scanner.parse_numeral(str(token), self.settings) is not None
        if is_number and not self.has_numerals:
            return ": no numerals were learnt"
        if not is_text:
            return ": it is not a finite number"
        read = [one.text for one in self.tokens(str(token))]
        if len(read) != 1:
            return f": it reads as {first_of(read, ' ')}" if read else ": it reads as nothing"
        folded = fold(str(token), self.settings.lowercase)
        close = difflib.get_close_matches(folded, self.words[:HINT_WORDS], n=3)
        return f"; close words are {', '.join(close)}" if close else ""


def number_of(token: object) -> float | None:
    """Return a number as a float; None if it is not finite. Anything else is refused."""
    if isinstance(token, bool) or not isinstance(token, Real | Decimal):
        raise TokensError(f"{describe(token)} is neither a word nor a number")
    try:
        value = float(token)
    except OverflowError:  # 10**400
        return None
    return value if math.isfinite(value) else None

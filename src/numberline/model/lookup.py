"""Text or tokens → what a model knows of each: the id of a word, or a numeral's value and kind."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Sequence
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
from numberline.reading import scanner, tokenizer
from numberline.reading.kinds import KIND_INDEX, UNKNOWN_KIND, kind_index
from numberline.reading.numerals import Line
from numberline.reading.quantities import Quantity, kind_of, quantities
from numberline.reading.shapes import fold
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

Number = str | int | float | np.integer[Any] | np.floating[Any]
Query = Number | Token | Quantity | tuple[Number, str]  # a pair: a number, and its kind's name
Ids = npt.NDArray[np.int64]
UNKNOWN = -1
HINT_WORDS = 20_000  # most frequent words, searched for close spellings
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"[0-9]{1,15}", re.ASCII)
_DECIMAL = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)


class Numeral(NamedTuple):
    """A numeral as a model knows it."""

    value: float
    kind: int = UNKNOWN_KIND


@dataclass(frozen=True, eq=False)
class TokenIds:
    """Tokens as a model knows them. Ids below `words` are words; `words + k` is numeral k."""

    words: int  # in the vocabulary
    ids: Ids  # [tokens] of words and numerals, or UNKNOWN
    values: Floats  # of the numerals
    kinds: npt.NDArray[np.int32]  # of the numerals, UNKNOWN_KIND where nothing tells

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
    kinds: int = 0  # of numerals that have a vector

    def read_text(self, text: str) -> TokenIds:
        """Return the ids of a text's tokens."""
        return self.read_texts([text]).tokens

    def read_texts(self, texts: Iterable[str]) -> ReadTexts:
        """Return the ids of the tokens of texts; each numeral is one of its own."""
        words: list[str | None] = []
        bounds, numerals = [0], []
        for text in texts:
            of_text, numerals_of_text = self.words_and_numerals(text)
            words += of_text
            bounds.append(len(words))
            numerals.append(numerals_of_text)
        tokens = self._ids_of(words, [*chain.from_iterable(numerals)])
        return ReadTexts(tokens, np.array(bounds, np.int64), numerals)

    def read_scanned(self, tokens: Sequence[Token]) -> TokenIds:
        """Return the ids of tokens that `tokens` returned; each numeral is one of its own."""
        words = [token.text if token.value is None else None for token in tokens]
        return self._ids_of(words, [token for token in tokens if token.value is not None])

    def _ids_of(self, words: list[str | None], numerals: list[Token]) -> TokenIds:
        """Return the ids of words, in which None is the place of the next numeral."""
        known = map(self.word_ids.get, words, repeat(UNKNOWN))  # type: ignore[arg-type]
        ids = np.fromiter(known, np.int64, len(words))
        read = numerals * self.has_numerals
        if read:
            is_numeral = np.array([word is None for word in words])
            ids[is_numeral] = len(self.words) + np.arange(len(read))
        values = np.array([token.value for token in read], np.float64)
        kinds = np.array([token.kind for token in read], np.int32)
        kinds[kinds >= self.kinds] = UNKNOWN_KIND
        return TokenIds(len(self.words), ids, values, kinds)

    def words_and_numerals(self, text: str) -> tuple[list[str | None], list[Token]]:
        """Split a text; return each word's spelling, None for a numeral, and the numerals."""
        if native() is None:
            return tokenizer.words_and_numerals(text, self.settings)
        from numberline.reading.quantities.native import words_and_numerals

        return words_and_numerals(text, self.settings)

    def tokens(self, text: str) -> list[Token]:
        """Split a text as the corpus was split."""
        if native() is None:
            return tokenizer.tokenize(text, self.settings)
        from numberline.reading.quantities.native import tokenize

        return tokenize(text, self.settings)

    def read_tokens(self, tokens: Iterable[Query]) -> TokenIds:
        """Return the ids of tokens. One that is not spelled as a word is parsed, once."""
        queries = list(tokens)
        ids = self._ids_as_spelled(queries)
        numerals: list[Numeral] = []
        parsed: dict[Query, int] = {}  # 1 and 1.0 are one key, and one number
        for index in np.flatnonzero(ids == UNKNOWN).tolist():
            query = queries[index]
            id = None if isinstance(query, bool) else parsed.get(query)
            if id is None:
                id = parsed[query] = self._parsed_id(query, numerals)
            ids[index] = id
        values = np.array([one.value for one in numerals], np.float64)
        kinds = np.array([one.kind for one in numerals], np.int32)
        return TokenIds(len(self.words), ids, values, kinds)

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

    def _parsed_id(self, query: Query, numerals: list[Numeral]) -> int:
        """Return the id of a token; a numeral is appended to `numerals`."""
        if isinstance(query, Token) and query.value is None:
            return self.word_ids.get(query.text, UNKNOWN)
        if isinstance(query, str):
            id = self.word_ids.get(fold(query, self.settings.lowercase), UNKNOWN)
            if id != UNKNOWN:
                return id
        numeral = self.numeral_of(query)
        if numeral is None:
            return UNKNOWN
        numerals.append(numeral)
        return len(self.words) + len(numerals) - 1

    def numeral_of(self, query: Query) -> Numeral | None:
        """Return a numeral, or a number with its kind; None for anything else.

        Without learnt numerals it is always None; without learnt kinds, the kind is unknown.
        """
        if isinstance(query, Token):
            numeral = None if query.value is None else Numeral(query.value, query.kind)
        elif isinstance(query, tuple):
            numeral = self._of_kind(query)
        elif isinstance(query, Quantity):
            numeral = self._of_quantity(query)
        elif not isinstance(query, str):
            value = number_of(query)
            numeral = None if value is None else Numeral(value)
        else:
            numeral = self._spelled_numeral(query) if self.has_numerals else None
        if numeral is None or not self.has_numerals:
            return None
        return numeral if numeral.kind < self.kinds else Numeral(numeral.value)

    def _of_kind(self, pair: tuple[Any, ...]) -> Numeral | None:
        """Read a pair of a number and the name of its kind, such as ("2019", "year")."""
        if len(pair) != 2 or isinstance(pair[0], tuple) or not isinstance(pair[1], str):
            raise TokensError(
                f'{describe(pair)} is no token; write a number and its kind, as in ("2019", "year")'
            )
        kind = kind_index(pair[1])
        if self.has_numerals and kind >= self.kinds:
            raise TokensError("the model has learnt no kinds of numbers; ask for the number alone")
        numeral = self.numeral_of(pair[0])
        return None if numeral is None else Numeral(numeral.value, kind)

    def _spelled_numeral(self, text: str) -> Numeral | None:
        plain = _DIGITS if self.settings.decimal_comma else _DECIMAL
        if plain.fullmatch(text):  # most numerals look like this and need no scanner
            return Numeral(float(text))
        value = scanner.parse_numeral(text, self.settings)
        if value is None:
            return self._of_quantity(one_quantity(text, self.settings))
        return Numeral(value)

    def _of_quantity(self, quantity: Quantity | None) -> Numeral | None:
        if quantity is None or quantity.value is None:
            return None
        return Numeral(quantity.value, KIND_INDEX[kind_of(quantity)])

    def refuse(self, token: Query) -> NoReturn:
        """Raise the error that says why a token is unknown."""
        spelled = token.text if isinstance(token, Token | Quantity) else token
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


def one_quantity(text: str, settings: TextSettings) -> Quantity | None:
    """Return the quantity that a text is, such as 10 km or $3.5M; None if it is something else."""
    tokens = scanner.tokens_of(Line(text, settings)) if _DIGIT.search(text) else []
    if all(token.value is None for token in tokens):
        return None  # such as mp3, which is a word in texts, too
    found = quantities(text, settings, {})
    is_whole = len(found) == 1 and found[0].text == text.strip()
    return found[0] if is_whole else None


def number_of(token: object) -> float | None:
    """Return a number as a float; None if it is not finite. Anything else is refused."""
    if isinstance(token, bool) or not isinstance(token, Real | Decimal):
        raise TokensError(f"{describe(token)} is neither a word nor a number")
    try:
        value = float(token)
    except OverflowError:  # 10**400
        return None
    return value if math.isfinite(value) else None

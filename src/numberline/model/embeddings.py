"""A trained model: vectors for words, and for every numeral there is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.config import ModelConfig
from numberline.encoders.base import NumeralEncoder, Side
from numberline.encoders.weights import Array
from numberline.errors import describe
from numberline.text.numerals import plain_number
from numberline.text.scanner import parse_numeral
from numberline.text.shapes import fold
from numberline.text.vocabulary import Vocabulary

Query = str | int | float


class Neighbour(NamedTuple):
    token: str
    similarity: float  # cosine


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Vectors of words and numerals, on the input and on the output side."""

    vocabulary: Vocabulary
    word_input: Array  # [words, dim]
    word_output: Array  # [words, dim]
    encoder: NumeralEncoder | None  # None: the corpus held no numerals
    config: ModelConfig
    training: Mapping[str, Any] = field(default_factory=dict)  # how it went

    @property
    def words(self) -> list[str]:
        """The vocabulary, most frequent first."""
        return self.vocabulary.words

    @property
    def dim(self) -> int:
        return int(self.word_input.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        encoder = self.config.encoder.encoder if self.encoder else "no numerals"
        return f"<Embeddings of {len(self):,} words, {self.dim} dimensions, {encoder}>"

    def __contains__(self, token: object) -> bool:
        if not isinstance(token, str | int | float | np.number):
            return False
        return self._value_of(token) is not None or self._word_id(token) is not None

    def __getitem__(self, token: Query) -> Array:
        return self.vector(token)

    def vector(self, token: Query, side: Side = "input") -> Array:
        """The vector of a word, or of a numeral in any format; KeyError for an unknown word."""
        rows: Array = self.vectors([token], side)[0]
        return rows

    def vectors(self, tokens: Iterable[Query], side: Side = "input") -> Array:
        """One row per token."""
        asked = list(tokens)
        values = [self._value_of(token) for token in asked]
        ids = [
            -1 if value is not None else self._known_word_id(token)
            for token, value in zip(asked, values, strict=True)
        ]
        table = self.word_input if side == "input" else self.word_output
        rows = np.empty((len(asked), self.dim), np.float32)
        is_word = np.array(ids, np.int64) >= 0
        rows[is_word] = table[np.array(ids, np.int64)[is_word]]
        if not is_word.all():
            assert self.encoder is not None
            numbers = np.array([value for value in values if value is not None])
            rows[~is_word] = self.encoder.compose(numbers, side)
        return rows

    def similar(
        self, token: Query | Array, count: int = 10, kind: str = "words"
    ) -> list[Neighbour]:
        """The nearest words, or among the numerals of the corpus the nearest ones (by cosine)."""
        query = token if isinstance(token, np.ndarray) else self.vector(token)
        if kind == "words":
            names, rows, itself = self.words, self._unit_words, self._word_id(token)
        elif kind == "numerals":
            names, rows, itself = self._numeral_names, self._unit_numerals, None
        else:
            raise ValueError(f"kind={kind!r}, but it must be words or numerals")
        similarity = rows @ unit(query)
        if itself is not None:
            similarity[itself] = -np.inf
        nearest = np.argsort(-similarity, kind="stable")[:count]
        return [Neighbour(names[at], float(similarity[at])) for at in nearest.tolist()]

    @cached_property
    def _unit_words(self) -> Array:
        return unit(self.word_input)

    @cached_property
    def _unit_numerals(self) -> Array:
        if self.encoder is None:
            return np.zeros((0, self.dim), np.float32)
        return unit(self.encoder.compose(self.vocabulary.numeral_values))

    @cached_property
    def _numeral_names(self) -> list[str]:
        return [plain_number(value) for value in self.vocabulary.numeral_values.tolist()]

    def _value_of(self, token: Any) -> float | None:
        """The number that a token is; None for a word, and if no numerals were learnt."""
        if self.encoder is None:
            return None
        if isinstance(token, str):
            return parse_numeral(token, self.config.text)
        value = float(token)
        return value if np.isfinite(value) else None

    def _word_id(self, token: Any) -> int | None:
        if not isinstance(token, str):
            return None
        return self.vocabulary.word_ids.get(fold(token, self.config.text.lowercase))

    def _known_word_id(self, token: Any) -> int:
        found = self._word_id(token)
        if found is None:
            raise KeyError(f"{describe(token)} is unknown{self._hint(token)}")
        return found

    def _hint(self, token: Any) -> str:
        if not isinstance(token, str):
            return ": it is no finite number" if self.encoder else ": no numerals were learnt"
        close = difflib.get_close_matches(token, self.words[:20_000], n=3)
        return f"; close words are {', '.join(close)}" if close else ""

    def save(self, folder: str | Path) -> None:
        """Write the model folder, whole or not at all; one that is there is replaced."""
        from numberline.model.folder import save

        save(self, Path(folder))


def unit(rows: Array) -> npt.NDArray[np.float32]:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: npt.NDArray[np.float32] = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled

"""A trained model → a source of vectors for spaCy: the hash of a token's text → its vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from spacy.attrs import ORTH
from spacy.strings import StringStore
from spacy.vectors import BaseVectors
from thinc.api import get_current_ops

from numberline.arrays import Array
from numberline.errors import NumberlineError, StoreError
from numberline.model.embeddings import Embeddings


class NumberlineVectors(BaseVectors):  # type: ignore[misc]  # spaCy gives it no type
    """Vectors by the hash of a token's text. spaCy uses all of the names here."""

    attr = ORTH
    mode = "numberline"
    is_full = False

    def __init__(
        self,
        model: Embeddings | None = None,
        missing: str | None = None,  # a folder that did not exist when the model was to be loaded
        pickled_strings: StringStore | None = None,
    ) -> None:
        self.model = model
        self.missing = missing
        self.name = "numberline"
        self._strings = StringStore() if pickled_strings is None else pickled_strings
        self._was_pickled = pickled_strings is not None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self.missing, self._strings)

    @property
    def strings(self) -> StringStore:
        """The strings of the vocabulary that has these vectors; spaCy assigns it."""
        return self._strings

    @strings.setter
    def strings(self, strings: StringStore) -> None:
        # An unpickled vocabulary first assigns a new store, but then uses the pickled one itself.
        if not self._was_pickled:
            self._strings = strings
        self._was_pickled = False

    def __contains__(self, key: int | str) -> bool:
        return self._text(key) in self.required_model()

    def __getitem__(self, key: int | str) -> Array:
        return self.required_model()[self._text(key)]

    def get_batch(self, keys: Iterable[int | str]) -> Any:
        """Return one row per key; those of unknown words are zeros."""
        rows: Any = self.required_model().vectors(map(self._text, keys), unknown="zero")
        return get_current_ops().asarray2f(rows)

    def _text(self, key: int | str) -> str:
        return key if isinstance(key, str) else str(self.strings[int(key)])

    def required_model(self) -> Embeddings:
        """Return the model; without one, raise an error that says how to get it."""
        if self.model is not None:
            return self.model
        if self.missing is not None:
            raise StoreError(f"path={self.missing!r} holds no model; correct it or train one")
        raise NumberlineError("no model yet; give the component a path, or call its use(model)")

    @property
    def data(self) -> Array:
        return np.zeros((0, 0), np.float32) if self.model is None else self.model.word_input

    @property
    def shape(self) -> tuple[int, int]:
        return self.data.shape[0], self.data.shape[1]

    @property
    def size(self) -> int:
        return int(self.data.size)

    @property
    def vectors_length(self) -> int:
        return self.shape[1]

    @property
    def n_keys(self) -> int:
        return len(self)

    def __len__(self) -> int:
        return len(self.data)

    def add(self, key: int | str, *, vector: Any = None, row: int | None = None) -> int:
        raise NumberlineError("vectors come from a numberline model and cannot be set one by one")

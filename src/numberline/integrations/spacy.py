"""A trained model → the vectors of a spaCy pipeline, also for numerals never seen.

    nlp.add_pipe("numberline", config={"path": "shop-model"})
    nlp.add_pipe("numberline").use(model)

The component gives the pipeline's vocabulary its vectors and leaves docs unchanged. So
token.vector, doc.similarity and layers with static vectors all use the model, which is saved with
the pipeline.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from numberline.arrays import Array
from numberline.errors import MissingExtraError, NumberlineError, StoreError
from numberline.integrations.arguments import as_model
from numberline.model.embeddings import Embeddings
from numberline.model.folder import load

try:
    import srsly
    from spacy.attrs import ORTH
    from spacy.language import Language
    from spacy.strings import StringStore
    from spacy.tokens import Doc
    from spacy.vectors import BaseVectors
    from thinc.api import get_current_ops
except ImportError as error:
    raise MissingExtraError("spacy", "spacy", error) from error

__all__ = ["NumberlineComponent", "NumberlineVectors"]

MODEL_FOLDER = "model"  # within the component's folder of a saved pipeline


class NumberlineVectors(BaseVectors):  # type: ignore[misc]  # spaCy gives it no type
    """Vectors by the hash of a token's text. spaCy needs all public names of this class."""

    attr = ORTH
    mode = "numberline"
    is_full = False

    def __init__(
        self,
        model: Embeddings | None = None,
        missing: str | None = None,  # the path of a model folder that does not exist
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


class NumberlineComponent:
    """Gives a pipeline the vectors of a model, and saves the model with it."""

    def __init__(self, vectors: NumberlineVectors) -> None:
        self.vectors = vectors

    def __call__(self, doc: Doc) -> Doc:
        """Return the doc unchanged; raise an error if the component has no model."""
        self.vectors.required_model()
        return doc

    def use(self, model: Embeddings | str | Path) -> Self:
        """Use the vectors of a model, or of the model in a folder."""
        self.vectors.model = as_model(model)
        return self

    def to_disk(self, path: str | Path, *, exclude: Sequence[str] = ()) -> None:
        """Write the model into the component's folder."""
        Path(path).mkdir(parents=True, exist_ok=True)
        if self.vectors.model is not None:
            self.vectors.model.save(Path(path) / MODEL_FOLDER, overwrite=True)

    def from_disk(self, path: str | Path, *, exclude: Sequence[str] = ()) -> Self:
        """Load the model from the component's folder, if one was saved."""
        folder = Path(path) / MODEL_FOLDER
        return self.use(load(folder)) if folder.exists() else self

    def to_bytes(self, *, exclude: Sequence[str] = ()) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            self.to_disk(folder)
            files = (path for path in Path(folder).rglob("*") if path.is_file())
            packed: bytes = srsly.msgpack_dumps({path.name: path.read_bytes() for path in files})
            return packed

    def from_bytes(self, data: bytes, *, exclude: Sequence[str] = ()) -> Self:
        files = srsly.msgpack_loads(data)
        if not files:
            return self
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                (Path(folder) / Path(name).name).write_bytes(content)
            return self.use(copy.deepcopy(load(folder)))  # in memory, not mapped from the folder


@Language.factory("numberline", default_config={"path": None})
def make_component(nlp: Language, name: str, path: str | None) -> NumberlineComponent:
    """Return the component; a missing folder is an error only once it is used.

    A saved pipeline brings its model along, while its config names a folder of another machine.
    """
    exists = path is not None and Path(path).exists()
    model = load(path) if path is not None and exists else None
    vectors = NumberlineVectors(model, missing=None if exists else path)
    nlp.vocab.vectors = vectors
    return NumberlineComponent(vectors)

"""A trained model → the vectors of a spaCy pipeline, also for numerals never seen.

    nlp.add_pipe("numberline", config={"path": "shop-model"})
    nlp.add_pipe("numberline").use(model)

The component gives the pipeline's vocabulary a source of vectors and does not touch docs. So
token.vector, doc.similarity and layers with static vectors all use the model. The model is saved
with the pipeline.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from numberline.errors import MissingExtraError
from numberline.integrations.arguments import as_model
from numberline.model.embeddings import Embeddings
from numberline.model.folder import load

try:
    import srsly
    from spacy.language import Language
    from spacy.tokens import Doc
except ImportError as error:
    raise MissingExtraError("spacy", "spacy") from error

from numberline.integrations.spacy_vectors import NumberlineVectors

__all__ = ["NumberlineComponent", "NumberlineVectors"]

MODEL_FOLDER = "model"  # within the component's folder of a saved pipeline


class NumberlineComponent:
    """Holds the vectors, and writes their model into the pipeline's folder."""

    def __init__(self, vectors: NumberlineVectors) -> None:
        self.vectors = vectors

    def __call__(self, doc: Doc) -> Doc:
        """Return the doc as it is; a component without a model is an error."""
        self.vectors.required_model()
        return doc

    def use(self, model: Embeddings | str | Path) -> Self:
        """Take the vectors of a model, or of one in a model folder."""
        self.vectors.model = as_model(model)
        return self

    def to_disk(self, path: str | Path, *, exclude: Sequence[str] = ()) -> None:
        """Write the model into the component's folder."""
        Path(path).mkdir(parents=True, exist_ok=True)
        if self.vectors.model is not None:
            self.vectors.model.save(Path(path) / MODEL_FOLDER)

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
    """Return the component; a missing folder is an error only when a text comes.

    A saved pipeline brings its model along, while its config names a folder of another machine.
    """
    exists = path is not None and Path(path).exists()
    model = load(path) if path is not None and exists else None
    vectors = NumberlineVectors(model, missing=None if exists else path)
    nlp.vocab.vectors = vectors
    return NumberlineComponent(vectors)

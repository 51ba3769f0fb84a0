"""A model → LangChain's `Embeddings`: texts → lists of floats, for its vector stores.

    InMemoryVectorStore(NumberlineEmbeddings("shop-model"))

LangChain is not imported: its vector stores call these methods and ask for nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from numberline.errors import InputError, describe
from numberline.fields import as_count
from numberline.integrations.arguments import as_model, as_texts
from numberline.model.embeddings import Embeddings
from numberline.model.neighbours import unit
from numberline.model.text_vectors import text_vectors

__all__ = ["NumberlineEmbeddings"]


class NumberlineEmbeddings:
    """Embeds texts as the mean of their words and numerals, scaled to length 1.

    - model: an Embeddings, or the path of a model folder
    - batch_size: texts whose numerals are composed together
    """

    def __init__(self, model: Embeddings | str | Path, *, batch_size: int = 1024) -> None:
        self.model = as_model(model)
        self.batch_size = as_count("batch_size", batch_size)

    def embed_documents(self, texts: Iterable[str]) -> list[list[float]]:
        """Return one vector per text; that of a text without a known token is all zeros."""
        listed = texts if isinstance(texts, str) else list(texts)
        if listed == []:
            return []
        rows = text_vectors(self.model, as_texts(listed), self.batch_size)
        vectors: list[list[float]] = unit(rows).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text."""
        if not isinstance(text, str):
            raise InputError(f"a query is one text, not {describe(text)}")
        return self.embed_documents([text])[0]

    __call__ = embed_query  # some stores take a function

    async def aembed_documents(self, texts: Iterable[str]) -> list[list[float]]:
        """Return what `embed_documents` does, computed in another thread."""
        return await asyncio.to_thread(self.embed_documents, texts)

    async def aembed_query(self, text: str) -> list[float]:
        """Return what `embed_query` does, computed in another thread."""
        return await asyncio.to_thread(self.embed_query, text)

    def save(self, folder: str | Path, overwrite: bool = False) -> None:
        """Write the model folder."""
        self.model.save(folder, overwrite)

    @classmethod
    def load(cls, folder: str | Path, *, batch_size: int = 1024) -> NumberlineEmbeddings:
        """Return the embeddings of the model in a folder."""
        return cls(folder, batch_size=batch_size)

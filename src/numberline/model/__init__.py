"""Vocabulary, numerals and tables → a model that answers: vectors, neighbours, predict, check."""

from typing import TYPE_CHECKING

from numberline.extras import lazy_names

if TYPE_CHECKING:
    from numberline.model.folder import MODEL as MODEL
    from numberline.model.folder import is_model as is_model
    from numberline.model.interchange import read_vectors as read_vectors
    from numberline.model.scores import Candidates as Candidates
    from numberline.model.token_vectors import TokenVectors as TokenVectors
    from numberline.model.word_vectors import WordVectors as WordVectors
else:
    __all__, __getattr__ = lazy_names(
        __name__,
        folder="MODEL is_model",
        interchange="read_vectors",
        scores="Candidates",
        token_vectors="TokenVectors",
        word_vectors="WordVectors",
    )

"""A model → rows of torch tensors for tokens: frozen, or as parameters to be tuned.

Each distinct token is read once (`read`); a batch then takes rows by their indices.
"""

from __future__ import annotations

from abc import abstractmethod

from numberline.integrations.torch import NumberlineEmbedding
from numberline.integrations.with_torch import Tensor, nn, torch
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import Query
from numberline.model.token_vectors import TokenVectors
from numberline.model.word_vectors import WordVectors

ReadTokens = tuple[Tensor, ...]


class TokenRows(nn.Module):
    """Rows of tokens. Those of unknown words are zeros; the network replaces them."""

    dim: int

    @abstractmethod
    def read(self, tokens: list[Query]) -> ReadTokens:
        """Return what `rows` needs to know about these tokens."""

    @abstractmethod
    def rows(self, read: ReadTokens, indices: Tensor) -> Tensor:
        """Return the rows [..., dim] of the tokens with these indices."""

    @abstractmethod
    def to_model(self) -> TokenVectors:
        """Return a model with the current rows."""


class FrozenRows(TokenRows):
    def __init__(self, model: TokenVectors) -> None:
        super().__init__()
        self.model = model
        self.dim = int(model.vectors(()).shape[1])

    def read(self, tokens: list[Query]) -> ReadTokens:
        return (torch.tensor(self.model.vectors(tokens, unknown="zero")),)

    def rows(self, read: ReadTokens, indices: Tensor) -> Tensor:
        return read[0][indices]

    def to_model(self) -> TokenVectors:
        return self.model


class TunedModel(TokenRows):
    """The rows of words and prototypes are trained, so that unseen numerals move with seen ones."""

    def __init__(self, model: Embeddings) -> None:
        super().__init__()
        self.dim = model.dim
        self.embedding = NumberlineEmbedding(model, freeze=False, unknown="zero")

    def read(self, tokens: list[Query]) -> ReadTokens:
        return self.embedding.read(tokens)

    def rows(self, read: ReadTokens, indices: Tensor) -> Tensor:
        ids, numerals = read
        rows: Tensor = self.embedding(ids[indices], numerals)
        return rows

    def to_model(self) -> TokenVectors:
        return self.embedding.to_model()


class TunedWords(TokenRows):
    def __init__(self, model: WordVectors) -> None:
        super().__init__()
        self.model = model
        self.dim = model.dim
        self.table = nn.Parameter(torch.tensor(model.table))

    def read(self, tokens: list[Query]) -> ReadTokens:
        return (torch.from_numpy(self.model.lookup.read_tokens(tokens).ids),)

    def rows(self, read: ReadTokens, indices: Tensor) -> Tensor:
        ids = read[0][indices]
        return self.table[ids.clamp_min(0)] * (ids >= 0).unsqueeze(-1)

    def to_model(self) -> TokenVectors:
        return WordVectors(self.model.words, self.table.detach().numpy().copy())


def rows_of(model: TokenVectors, fine_tune: bool) -> TokenRows:
    if not fine_tune:
        return FrozenRows(model)
    if isinstance(model, Embeddings):
        return TunedModel(model)
    assert isinstance(model, WordVectors), "the only other kind of TokenVectors"
    return TunedWords(model)

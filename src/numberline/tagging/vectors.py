"""A model → rows of torch tensors for tokens: as they are, or as parameters to be tuned.

Tokens are read once, each distinct one (`read`); a batch then asks for places among them.
"""

from __future__ import annotations

from abc import abstractmethod

from numberline.errors import MissingExtraError
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import Query
from numberline.model.token_vectors import TokenVectors
from numberline.model.word_vectors import WordVectors

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

from numberline.integrations.torch import NumberlineEmbedding

Read = tuple[Tensor, ...]


class TokenRows(nn.Module):
    """What unknown words get is no matter of this module; here it is zeros."""

    dim: int

    @abstractmethod
    def read(self, tokens: list[str]) -> Read:
        """What `rows` needs to know of these tokens."""

    @abstractmethod
    def rows(self, read: Read, places: Tensor) -> Tensor:
        """The rows [..., dim] of the tokens at these places among those read."""

    @abstractmethod
    def to_model(self) -> TokenVectors:
        """A model with the rows as they are now."""


class FrozenRows(TokenRows):
    def __init__(self, model: TokenVectors) -> None:
        super().__init__()
        self.model = model
        self.dim = len_of_rows(model)

    def read(self, tokens: list[str]) -> Read:
        asked: list[Query] = [*tokens]
        return (torch.tensor(self.model.vectors(asked, unknown="zero")),)

    def rows(self, read: Read, places: Tensor) -> Tensor:
        return read[0][places]

    def to_model(self) -> TokenVectors:
        return self.model


class TunedModel(TokenRows):
    """The rows of words and prototypes are trained, so that unseen numerals move with seen ones."""

    def __init__(self, model: Embeddings) -> None:
        super().__init__()
        self.dim = model.dim
        self.embedding = NumberlineEmbedding(model, freeze=False, unknown="zero")

    def read(self, tokens: list[str]) -> Read:
        return self.embedding.read(tokens)

    def rows(self, read: Read, places: Tensor) -> Tensor:
        ids, values = read
        rows: Tensor = self.embedding(ids[places], values)
        return rows

    def to_model(self) -> TokenVectors:
        return self.embedding.to_model()


class TunedWords(TokenRows):
    def __init__(self, model: WordVectors) -> None:
        super().__init__()
        self.model = model
        self.dim = model.dim
        self.table = nn.Parameter(torch.tensor(model.table))

    def read(self, tokens: list[str]) -> Read:
        return (torch.from_numpy(self.model.lookup.read_tokens(tokens).ids),)

    def rows(self, read: Read, places: Tensor) -> Tensor:
        ids = read[0][places]
        return self.table[ids.clamp_min(0)] * (ids >= 0).unsqueeze(-1)

    def to_model(self) -> TokenVectors:
        return WordVectors(self.model.words, self.table.detach().numpy().copy())


def rows_of(model: TokenVectors, fine_tune: bool) -> TokenRows:
    if not fine_tune:
        return FrozenRows(model)
    if isinstance(model, Embeddings):
        return TunedModel(model)
    assert isinstance(model, WordVectors), "there are models, and words with vectors"
    return TunedWords(model)


def len_of_rows(model: TokenVectors) -> int:
    empty: list[Query] = []
    return int(model.vectors(empty).shape[1])

"""A trained model → a torch module: tokens → rows of floats, also for numerals never seen.

    embedding = NumberlineEmbedding(model, freeze=False)
    embedding([["size", "xl"], ["187.3"]])            [2, 2, dim], padded with zeros
    embedding(embedding.collate(sentences))           the same in two steps; the second compiles
    ids, numerals = embedding.read(sentences)         keep these for embedding(ids[:8], numerals)

Parameters are the rows of the words and of the prototypes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from numberline.errors import TokensError
from numberline.fields import one_of
from numberline.integrations.arguments import as_model
from numberline.integrations.torch_batch import PADDING, TokenBatch, TokenReader
from numberline.integrations.torch_numerals import numeral_module, tuned
from numberline.integrations.with_torch import Tensor, nn, torch
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import UNKNOWN, Query
from numberline.model.token_vectors import UNKNOWN_CHOICES
from numberline.numerals.base import SIDES, Side

__all__ = ["PADDING", "UNKNOWN", "NumberlineEmbedding", "TokenBatch"]

MODES = ("rows", "mean")


class NumberlineEmbedding(nn.Module):
    """Replaces nn.Embedding, or with mode="mean" nn.EmbeddingBag.

    - model: an Embeddings, or the path of a model folder
    - freeze: whether all parameters stay as they are
    - side: the "input" or "output" vectors
    - unknown: what an unknown word gets: an "error", a row of zeros ("zero"), or a row that starts
      as the mean of all words ("mean")
    - mode: one row per token ("rows"), or their mean without padding ("mean")
    """

    def __init__(
        self,
        model: Embeddings | str | Path,
        *,
        freeze: bool = True,
        side: Side = "input",
        unknown: str = "error",
        mode: str = "rows",
    ) -> None:
        super().__init__()
        one_of(*SIDES)("side", side)
        one_of(*UNKNOWN_CHOICES)("unknown", unknown)
        one_of(*MODES)("mode", mode)
        self.model, self.side, self.mode = as_model(model), side, mode
        self.reader = TokenReader(self.model.lookup, self.model.numerals, unknown, side)
        self.words = nn.Parameter(torch.tensor(self.model.word_table(side)))
        mean = self.words.detach().sum(dim=0) / max(len(self.words), 1)
        self.unknown_row = nn.Parameter(mean) if unknown == "mean" else None
        self.numerals = None
        if self.model.numerals is not None:
            self.numerals = numeral_module(self.model.numerals, side, freeze)
        if freeze:
            self.requires_grad_(False)

    @property
    def embedding_dim(self) -> int:
        return int(self.words.shape[1])

    def read(self, tokens: Sequence[Any]) -> tuple[Tensor, Tensor]:
        """Return the ids of tokens or token lists, and the values and kinds of their numerals."""
        return self.reader.read(tokens)

    @property
    def collate(self) -> Callable[[Sequence[Sequence[Query]]], TokenBatch]:
        """The function for a DataLoader: token lists → a padded batch on the CPU.

        It belongs to the reader, so that workers get no copy of the word vectors.
        """
        return self.reader.collate

    def forward(self, tokens: Any, numerals: Tensor | None = None) -> Tensor:
        """Return rows [..., tokens, dim], or their mean, for tokens, token lists, a batch, or ids.

        Ids need the numerals that `read` returned with them.
        """
        batch = tokens if isinstance(tokens, TokenBatch) else self._batch(tokens, numerals)
        rows = self._rows(batch)
        return rows if self.mode == "rows" else mean_of_tokens(rows, batch.mask)

    @torch.compiler.disable  # type: ignore[untyped-decorator]
    def _batch(self, tokens: Any, numerals: Tensor | None) -> TokenBatch:
        if numerals is not None:
            return self.reader.batch(tokens, numerals).to(self.words.device)
        if isinstance(tokens, Tensor):
            raise TokensError("ids came without numerals; both are needed, as read() returns them")
        return self.reader.batch(*self.reader.read(tokens)).to(self.words.device)

    def _rows(self, batch: TokenBatch) -> Tensor:
        ids, words = batch.ids, len(self.words)
        rows = rows_where((ids >= 0) & (ids < words), ids, self.words)
        if self.numerals is not None:
            numerals = self.numerals(*batch.numerals)
            rows = rows + rows_where(ids >= words, ids - words, numerals)
        if self.unknown_row is not None:
            rows = rows + (ids == UNKNOWN).unsqueeze(-1) * self.unknown_row
        return rows

    def to_model(self) -> Embeddings:
        """Return a model with the rows of this module; its other side is unchanged."""
        words = self.words.detach().cpu().float().numpy().copy()
        numerals = self.model.numerals
        if numerals is not None and self.numerals is not None:
            numerals = tuned(numerals, self.numerals, self.side)
        if self.side == "input":
            return replace(self.model, word_input=words, numerals=numerals)
        return replace(self.model, word_output=words, numerals=numerals)

    def extra_repr(self) -> str:
        unknown = self.reader.unknown
        return f"{len(self.words)}, {self.embedding_dim}, unknown={unknown!r}, mode={self.mode!r}"


def rows_where(is_row: Tensor, indices: Tensor, table: Tensor) -> Tensor:
    """Return rows of a table, and zeros where `is_row` is False."""
    if not len(table):  # a model of numerals alone has no word to take the place of others
        return table.new_zeros(*indices.shape, table.shape[1])
    rows = nn.functional.embedding(torch.where(is_row, indices, 0), table)
    return rows.masked_fill(~is_row.unsqueeze(-1), 0)


def mean_of_tokens(rows: Tensor, mask: Tensor) -> Tensor:
    """Return the mean row of each list without its padding; of an empty list, zeros."""
    return rows.sum(dim=-2) / mask.sum(dim=-1, keepdim=True).clamp(min=1)

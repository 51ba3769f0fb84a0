"""A trained model → a torch module: tokens in, rows of floats out, numerals seen or unseen.

    embedding = NumberlineEmbedding(model, freeze=False)
    embedding([["size", "xl"], ["187.3"]])            [2, 2, dim], padded with zeros
    embedding(embedding.collate(sentences))           the same in two steps, the second compiles
    ids, values = embedding.read(sentences)           to keep; then embedding(ids, values)

Parameters are the rows of the words and of the prototypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numberline.errors import MissingExtraError, TokensError, describe
from numberline.model.arguments import one_of
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import NUMERAL, UNKNOWN, Query
from numberline.model.token_vectors import UNKNOWN_CHOICES
from numberline.numerals.base import SIDES, Side

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise MissingExtraError("torch", "torch") from error

from numberline.integrations.torch_batch import PADDING, TokenBatch, TokenReader
from numberline.integrations.torch_numerals import numeral_module, tuned

__all__ = ["NUMERAL", "PADDING", "UNKNOWN", "NumberlineEmbedding", "TokenBatch", "TokenReader"]

MODES = ("rows", "mean")


class NumberlineEmbedding(nn.Module):
    """Stands where nn.Embedding would, or with mode="mean" nn.EmbeddingBag.

    - freeze: no parameter is trained
    - side: the "input" or "output" vectors
    - mode: one row per token ("rows"), or their mean without padding ("mean")
    - unknown: what an unknown word gets, an "error", a row of zeros ("zero"), or a row that begins
      as the mean of all words ("mean")
    """

    def __init__(
        self,
        model: Embeddings,
        *,
        freeze: bool = True,
        side: Side = "input",
        unknown: str = "error",
        mode: str = "rows",
    ) -> None:
        super().__init__()
        if not isinstance(model, Embeddings):
            raise TypeError(f"{describe(model)} is no model; numberline.load reads a folder")
        one_of("side", side, SIDES)
        one_of("unknown", unknown, UNKNOWN_CHOICES)
        one_of("mode", mode, MODES)
        self.model, self.side, self.mode = model, side, mode
        self.reader = TokenReader(model.lookup, model.numerals, unknown, side)
        self.words = nn.Parameter(torch.tensor(model.word_table(side)))
        mean = self.words.detach().mean(dim=0)
        self.unknown_row = nn.Parameter(mean) if unknown == "mean" else None
        self.numerals = None
        if model.numerals is not None:
            self.numerals = numeral_module(model.numerals, side, freeze)
        if freeze:
            self.requires_grad_(False)

    @property
    def embedding_dim(self) -> int:
        return int(self.words.shape[1])

    def read(self, tokens: Sequence[Any]) -> tuple[Tensor, Tensor]:
        """The ids and values of tokens, or of token lists, padded to the longest."""
        return self.reader.read(tokens)

    def collate(self, sentences: Sequence[Sequence[Query]]) -> TokenBatch:
        """Token lists, padded to the longest, on the CPU: for a DataLoader."""
        return self.reader.collate(sentences)

    def forward(self, tokens: Any, values: Tensor | None = None) -> Tensor:
        """Tokens, token lists, a batch, or ids with values → [..., tokens, dim], or their mean."""
        batch = tokens if isinstance(tokens, TokenBatch) else self._batch(tokens, values)
        rows = self._rows(batch)
        return rows if self.mode == "rows" else mean_of_tokens(rows, batch.mask)

    @torch.compiler.disable  # type: ignore[untyped-decorator]
    def _batch(self, tokens: Any, values: Tensor | None) -> TokenBatch:
        if values is not None:
            return self.reader.batch(tokens, values).to(self.words.device)
        if isinstance(tokens, Tensor):
            raise TokensError("ids came without values; both are needed, as read() gives them")
        return self.reader.batch(*self.reader.read(tokens)).to(self.words.device)

    def _rows(self, batch: TokenBatch) -> Tensor:
        ids = batch.ids
        rows = rows_where(ids >= 0, ids, self.words)
        if self.numerals is not None:
            numerals = self.numerals(*batch.numerals)
            rows = rows + rows_where(ids == NUMERAL, batch.places, numerals)
        if self.unknown_row is not None:
            rows = rows + (ids == UNKNOWN).unsqueeze(-1) * self.unknown_row
        return rows

    def to_model(self) -> Embeddings:
        """The model with the rows as they are now; its other side stays as it was."""
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


def rows_where(is_asked: Tensor, places: Tensor, table: Tensor) -> Tensor:
    """Rows of a table, zero where none is asked for."""
    if not len(table):  # a model of numerals alone has no word to stand for the others
        return table.new_zeros(*places.shape, table.shape[1])
    rows = nn.functional.embedding(torch.where(is_asked, places, 0), table)
    return rows.masked_fill(~is_asked.unsqueeze(-1), 0)


def mean_of_tokens(rows: Tensor, mask: Tensor) -> Tensor:
    """Padding does not count; no tokens at all give zeros."""
    return rows.sum(dim=-2) / mask.sum(dim=-1, keepdim=True).clamp(min=1)

"""Tokens → tensors: their ids, and what a torch module needs to compose the numerals.

Ids below V, the number of words, are words; V + k is the k-th numeral; UNKNOWN is any other token.
PADDING fills short lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from numberline.errors import TokensError, describe
from numberline.integrations.torch_numerals import numeral_tensors
from numberline.integrations.with_torch import Tensor, torch
from numberline.model.lookup import UNKNOWN, Lookup, Query
from numberline.numerals.base import Side
from numberline.numerals.vectors import NumeralVectors
from numberline.reading.tokens import Token

PADDING = UNKNOWN - 1  # of token lists in a tensor; it is no token
LISTS = (list, tuple, np.ndarray)


class TokenBatch(NamedTuple):
    """Everything a forward pass needs, as tensors, for vectors of the reader's side."""

    ids: Tensor  # [..., tokens]
    numerals: tuple[Tensor, ...]  # one row per distinct numeral, as numeral_tensors returns them

    @property
    def mask(self) -> Tensor:
        """True where there is a token, False where there is padding."""
        return self.ids != PADDING

    def to(self, device: torch.device | str) -> TokenBatch:
        return TokenBatch(self.ids.to(device), tuple(rows.to(device) for rows in self.numerals))


@dataclass(frozen=True, eq=False)
class TokenReader:
    """Reads tokens as the model does. Without word vectors, it is cheap to copy to workers."""

    lookup: Lookup
    numerals: NumeralVectors | None
    unknown: str
    side: Side  # of the vectors that batches are for

    def collate(self, sentences: Sequence[Sequence[Query]]) -> TokenBatch:
        """Return token lists as a batch, padded to the longest."""
        return self.batch(*self.read(sentences))

    def read(self, tokens: Iterable[Any]) -> tuple[Tensor, Tensor]:
        """Return ids, and the numerals [numerals, 2], values and kinds: V + k is the id of row k.

        Tokens give ids [tokens]; token lists give ids [lists, tokens], padded to the longest.
        """
        if isinstance(tokens, str | bytes):
            raise TokensError(f"{describe(tokens)} is not a list of tokens; tokenize a text first")
        listed = list(tokens)
        if not any(is_list(sentence) for sentence in listed):
            return self._read_flat(listed)
        for sentence in listed:
            if not is_list(sentence):
                raise TokensError(f"{describe(sentence)} is among lists of tokens; make it a list")
        lengths = np.array([len(sentence) for sentence in listed])
        ids, numerals = self._read_flat([token for sentence in listed for token in sentence])
        is_token = torch.from_numpy(np.arange(lengths.max()) < lengths[:, None])
        padded = torch.full(is_token.shape, PADDING)
        padded[is_token] = ids
        return padded, numerals

    def _read_flat(self, tokens: list[Any]) -> tuple[Tensor, Tensor]:
        for token in tokens:
            if not isinstance(token, str | int | float | np.number | Token):
                raise TokensError(f"{describe(token)} is not a token; use a string or a number")
        read = self.lookup.read_tokens(tokens)
        for index in np.flatnonzero(~read.is_known).tolist():
            require_one_token(tokens[index])
        if self.unknown == "error" and not read.is_known.all():
            self.lookup.refuse(tokens[int(np.argmin(read.is_known))])
        return torch.from_numpy(read.ids), torch.from_numpy(np.stack([read.values, read.kinds], 1))

    def batch(self, ids: Tensor, numerals: Tensor) -> TokenBatch:
        """Return ids, all that `read` returned or some rows of them, for the forward pass."""
        self._check(ids, numerals)
        words = len(self.lookup.words)
        is_numeral = ids >= words
        distinct, inverse = torch.unique(ids[is_numeral], return_inverse=True)
        renumbered = ids.clone()
        renumbered[is_numeral] = words + inverse
        if self.numerals is None:
            return TokenBatch(renumbered, ())
        # A batch without numerals gets a row that no id refers to, so that no shape is empty.
        chosen = numerals[distinct - words] if len(distinct) else torch.zeros(1, 2)
        values, kinds = chosen.detach().cpu().double().numpy().T
        rows = numeral_tensors(self.numerals, values, kinds.astype(np.int32), self.side)
        return TokenBatch(renumbered, tuple(row.to(ids.device) for row in rows))

    def _check(self, ids: Tensor, numerals: Tensor) -> None:
        is_table = numerals.ndim == 2 and numerals.shape[1] == 2
        if ids.dtype != torch.int64 or not numerals.is_floating_point() or not is_table:
            raise TokensError(
                f"ids are {ids.dtype}, numerals {numerals.dtype} of shape "
                f"{tuple(numerals.shape)}; int64, and rows of two floats are needed, as read() "
                "returns them"
            )
        words = len(self.lookup.words)
        is_foreign = (ids >= words + len(numerals)) | (ids < PADDING)
        if is_foreign.any():
            raise TokensError(
                f"id {int(ids[is_foreign][0])} came with {len(numerals)} numerals, but this model "
                f"has {words} words; below 0 are unknown words ({UNKNOWN}) and padding ({PADDING})"
            )
        if self.unknown == "error" and (ids == UNKNOWN).any():
            raise TokensError("ids hold an unknown word; choose unknown='zero' or 'mean' for those")
        if self.numerals is None and (ids >= words).any():
            raise TokensError("ids hold a numeral, but this model was trained without numerals")


def require_one_token(token: Any) -> None:
    """Refuse a sentence in the place of a token."""
    if isinstance(token, str) and len(token.split()) > 1:
        raise TokensError(
            f"{describe(token)} is a text, not a token; give a list of tokens for each text, as in "
            "[[token.text for token in numberline.tokenize(text)] for text in texts]"
        )


def is_list(tokens: Any) -> bool:
    """Tell whether this is a list of tokens. A Token is none, although it is a tuple."""
    return isinstance(tokens, LISTS) and not isinstance(tokens, Token)

"""Tokens → tensors: what each token is, and what a torch module needs to compose numerals.

Ids are those of the model's words, or UNKNOWN, NUMERAL, PADDING; the value of a numeral stands in a
second tensor of the same shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from numberline.errors import TokensError, describe
from numberline.integrations.torch_numerals import numeral_tensors
from numberline.model.lookup import NUMERAL, UNKNOWN, Lookup, Query
from numberline.numerals.base import Side
from numberline.numerals.vectors import NumeralVectors

PADDING = -3
TOKEN_TYPES = (str, int, float, np.number)


class TokenBatch(NamedTuple):
    """Everything a forward pass needs, as tensors alone; for vectors of the reader's side."""

    ids: Tensor  # [..., tokens]
    places: Tensor  # of each numeral's row in `numerals`, same shape; 0 for other tokens
    numerals: tuple[Tensor, ...]  # the batch's distinct numerals, as numeral_tensors gives them

    @property
    def mask(self) -> Tensor:
        """True where there is a token, False where there is padding."""
        return self.ids != PADDING

    def to(self, device: torch.device | str) -> TokenBatch:
        numerals = tuple(tensor.to(device) for tensor in self.numerals)
        return TokenBatch(self.ids.to(device), self.places.to(device), numerals)


@dataclass(frozen=True, eq=False)
class TokenReader:
    """Reads tokens as the model does. Without the words' vectors, so cheap to send to workers."""

    lookup: Lookup
    numerals: NumeralVectors | None
    unknown: str
    side: Side  # of the vectors that batches are for

    def collate(self, sentences: Sequence[Sequence[Query]]) -> TokenBatch:
        """Token lists, padded to the longest."""
        return self.batch(*self.read(sentences))

    def read(self, tokens: Iterable[Any]) -> tuple[Tensor, Tensor]:
        """The ids and values of tokens, or of token lists, padded to the longest."""
        if isinstance(tokens, str | bytes):
            raise TokensError(f"{describe(tokens)} is no list of tokens; tokenize a text first")
        asked = list(tokens)
        if not any(isinstance(sentence, list | tuple | np.ndarray) for sentence in asked):
            return self._read_flat(asked)
        lengths = np.array([len(checked_sentence(sentence)) for sentence in asked])
        ids, values = self._read_flat([token for sentence in asked for token in sentence])
        is_token = torch.from_numpy(np.arange(lengths.max()) < lengths[:, None])
        padded_ids = torch.full(is_token.shape, PADDING)
        padded_values = torch.zeros(is_token.shape, dtype=torch.float64)
        padded_ids[is_token], padded_values[is_token] = ids, values
        return padded_ids, padded_values

    def _read_flat(self, tokens: list[Any]) -> tuple[Tensor, Tensor]:
        for token in tokens:
            if not isinstance(token, TOKEN_TYPES):
                raise TokensError(f"{describe(token)} is no token; a string or number is needed")
        found = self.lookup.find(tokens)
        is_unknown = found.ids == UNKNOWN
        if self.unknown == "error" and is_unknown.any():
            self.lookup.refuse(tokens[int(np.argmax(is_unknown))])
        values = np.zeros(len(tokens))
        values[found.ids == NUMERAL] = found.values
        return torch.from_numpy(found.ids), torch.from_numpy(values)

    def batch(self, ids: Tensor, values: Tensor) -> TokenBatch:
        """What `read` gave, or a part of it, as the forward pass takes it."""
        self._check(ids, values)
        is_numeral = ids == NUMERAL
        numbers = values[is_numeral].detach().cpu().double().numpy()
        distinct, inverse = np.unique(numbers, return_inverse=True)
        places = torch.zeros_like(ids)
        places[is_numeral] = torch.from_numpy(inverse).to(ids)
        if self.numerals is None:
            return TokenBatch(ids, places, ())
        # A batch without numerals gets one that nobody asks for, so that no shape is empty.
        asked = distinct if len(distinct) else np.zeros(1)
        rows = numeral_tensors(self.numerals, asked, self.side)
        return TokenBatch(ids, places, tuple(row.to(ids.device) for row in rows))

    def _check(self, ids: Tensor, values: Tensor) -> None:
        if ids.dtype != torch.int64 or not values.is_floating_point() or ids.shape != values.shape:
            raise TokensError(
                f"ids are {ids.dtype} of shape {tuple(ids.shape)}, values {values.dtype} of shape "
                f"{tuple(values.shape)}; int64 and floats of one shape are needed, as read() gives"
            )
        self._check_ids(ids)

    def _check_ids(self, ids: Tensor) -> None:
        words = len(self.lookup.words)
        is_foreign = (ids >= words) | (ids < PADDING)
        if is_foreign.any():
            raise TokensError(
                f"id {int(ids[is_foreign][0])} came, but this model has {words} words; below 0 are "
                f"unknown words ({UNKNOWN}), numerals ({NUMERAL}) and padding ({PADDING})"
            )
        if self.unknown == "error" and (ids == UNKNOWN).any():
            raise TokensError("ids hold an unknown word; choose unknown='zero' or 'mean' for those")
        if self.numerals is None and (ids == NUMERAL).any():
            raise TokensError("ids hold a numeral, but this model was trained without numerals")


def checked_sentence(sentence: Any) -> Any:
    if not isinstance(sentence, list | tuple | np.ndarray):
        raise TokensError(f"{describe(sentence)} stands among lists of tokens; make it a list")
    return sentence

"""Sentences → batches of sentences of similar length: token indices, labels and a mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numberline.integrations.with_torch import Tensor, torch
from numberline.model.token_vectors import TokenVectors
from numberline.tagging.kinds import in_their_kinds
from numberline.tagging.vectors import ReadTokens, TokenRows

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Batch:
    sentences: Ids  # indices of the sentences
    tokens: Tensor  # [batch, length] indices into the distinct tokens
    mask: Tensor  # [batch, length] True where there is a token
    labels: Tensor | None  # [batch, length]


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentences whose distinct tokens were looked up once. No sentence is empty."""

    read: ReadTokens  # the distinct tokens
    is_unknown: Tensor  # [distinct tokens]
    tokens: list[Ids]  # of each sentence, indices into the distinct tokens
    labels: list[Ids] | None

    def in_order(self, size: int) -> Iterator[Batch]:
        """Yield each sentence once, the shortest first."""
        order = np.argsort([len(one) for one in self.tokens], kind="stable")
        for start in range(0, len(order), size):
            yield self.batch(order[start : start + size])

    def shuffled(self, size: int, rng: np.random.Generator) -> Iterator[Batch]:
        """Yield each sentence once, in random batches of similar length, in random order."""
        order = rng.permutation(len(self.tokens))
        lengths = np.array([len(one) for one in self.tokens])
        order = order[np.argsort(lengths[order], kind="stable")]
        starts = np.arange(0, len(order), size)
        for start in rng.permutation(starts):
            yield self.batch(order[start : start + size])

    def batch(self, sentences: Ids) -> Batch:
        lengths = np.array([len(self.tokens[one]) for one in sentences])
        mask = np.arange(lengths.max()) < lengths[:, None]
        return Batch(
            sentences,
            padded([self.tokens[one] for one in sentences], mask),
            torch.from_numpy(mask),
            None if self.labels is None else padded([self.labels[one] for one in sentences], mask),
        )


def padded(rows: list[Ids], mask: npt.NDArray[np.bool_]) -> Tensor:
    ids = np.zeros(mask.shape, np.int64)
    ids[mask] = np.concatenate(rows)
    return torch.from_numpy(ids)


def look_up(
    sentences: Sequence[Sequence[str]],
    rows: TokenRows,
    model: TokenVectors,
    labels: list[Ids] | None = None,
) -> Sentences:
    queries = in_their_kinds(model, sentences)
    distinct = list(dict.fromkeys(token for sentence in queries for token in sentence))
    index = {token: number for number, token in enumerate(distinct)}
    return Sentences(
        rows.read(distinct),
        torch.tensor([token not in model for token in distinct], dtype=torch.bool),
        [np.array([index[token] for token in sentence], np.int64) for sentence in queries],
        labels,
    )

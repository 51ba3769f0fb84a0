"""Gaps → one row per gap and side: the weighted sum of the vectors of the tokens around the gap.

In training, a token at some distance is a context as often as the randomly drawn window reaches it,
and a frequent word only as often as it is kept; words that are dropped bring the others nearer. So
the expected weight of a token is

    keepᵖ · (window + 1 - distance) / window,    distance = 1 + sum of `keep` of those in between

with `keep` the probability that an occurrence is kept, and p = 1. By default p is 0.5, between that
and no thinning: frequent words say less, but in text of one domain the telling words are frequent,
too. The task `prediction` measures both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from numberline.arrays import Floats
from numberline.model.gaps import Gaps, Indices
from numberline.model.lookup import Ids, TokenIds
from numberline.numerals.base import SIDES

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

KEEP_POWER = 0.5
TRAINING_KEEP_POWER = 1.0


@dataclass(frozen=True, eq=False)
class Contexts:
    """The tokens around each gap. Gap g has the entries offsets[g] to offsets[g + 1] - 1."""

    tokens: TokenIds  # of the texts
    offsets: Indices  # [gaps + 1]
    ids: Ids  # [entries] of words and numerals
    weights: Floats  # [entries] above 0

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def entries(self, gap: int) -> slice:
        """Return where the entries of one gap are."""
        return slice(int(self.offsets[gap]), int(self.offsets[gap + 1]))


@dataclass(frozen=True, eq=False)
class ContextRows:
    """Contexts as scores need them: one row per side, and the sum of the weights."""

    input: Floats  # [gaps, dim]
    output: Floats  # [gaps, dim]
    weight: Floats  # [gaps]; 0 where no token around the gap is known

    def __len__(self) -> int:
        return len(self.weight)

    def __getitem__(self, part: slice) -> ContextRows:
        return ContextRows(self.input[part], self.output[part], self.weight[part])


def contexts_of(model: Embeddings, gaps: Gaps, keep_power: float = KEEP_POWER) -> Contexts:
    """Return the contexts of gaps, with the weights that the module's formula gives."""
    window, keep = model.settings.window, keep_of(model, gaps.tokens)
    before = np.concatenate([[0.0], np.cumsum(keep)])  # sum of `keep` before each token
    left, right = before[gaps.starts], before[gaps.ends]
    # Skip tokens beyond the window, or time would grow with the square of the text.
    firsts = np.searchsorted(before, left - window, side="right") - 1
    lasts = np.searchsorted(before, right + window)
    gap, token = tokens_around(gaps, firsts, lasts)
    between = np.where(
        token < gaps.starts[gap], left[gap] - before[token + 1], before[token] - right[gap]
    )
    weights = keep[token] ** keep_power * np.maximum(0, window - between) / window
    return weighted_contexts(gaps, gap, token, weights)


def keep_of(model: Embeddings, tokens: TokenIds) -> Floats:
    """Return how likely training was to keep each token: numerals always, unknown words never."""
    keep = tokens.is_numeral.astype(np.float64)
    keep[tokens.is_word] = model.keep_probabilities[tokens.ids[tokens.is_word]]
    return keep


def tokens_around(gaps: Gaps, firsts: Indices, lasts: Indices) -> tuple[Indices, Indices]:
    """Return pairs of a gap and a token outside it: firsts … lasts - 1, within the gap's text."""
    firsts = np.maximum(firsts, gaps.text_starts)
    lengths = np.minimum(lasts, gaps.text_ends) - firsts
    gap = np.repeat(np.arange(len(gaps)), lengths)
    token = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths - firsts, lengths)
    is_outside = (token < gaps.starts[gap]) | (token >= gaps.ends[gap])
    return gap[is_outside], token[is_outside]


def weighted_contexts(gaps: Gaps, gap: Indices, token: Indices, weights: Floats) -> Contexts:
    """Return contexts of pairs of a gap and a token; gaps ascend. Weights of 0 are left out."""
    is_kept = (weights > 0) & gaps.tokens.is_known[token]
    offsets = np.searchsorted(gap[is_kept], np.arange(len(gaps) + 1))
    return Contexts(gaps.tokens, offsets, gaps.tokens.ids[token[is_kept]], weights[is_kept])


def context_rows(model: Embeddings, contexts: Contexts) -> ContextRows:
    """Sum the vectors of each context by their weights."""
    ids, columns = np.unique(contexts.ids, return_inverse=True)
    distinct = replace(contexts.tokens, ids=ids)
    tables = [model.rows(distinct, side) for side in SIDES]
    inputs, outputs = sums = np.zeros((len(SIDES), len(contexts), model.dim))
    weight = np.zeros(len(contexts))
    for gap, entries in enumerate(map(contexts.entries, range(len(contexts)))):
        weights = contexts.weights[entries]
        weight[gap] = weights.sum()
        for side_sums, table in zip(sums, tables, strict=True):
            side_sums[gap] = weights @ table[columns[entries]]
    return ContextRows(inputs, outputs, weight)

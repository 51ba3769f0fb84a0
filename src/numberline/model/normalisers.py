"""Rows of numerals → what their products with the vectors of all words sum to, as logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from numberline.encoders.squash import Floats
from numberline.encoders.weights import Array
from numberline.training.negatives import negative_shares

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

SCORES_AT_A_TIME = 1 << 24  # of numerals and all words, in memory at once


def log_normaliser(model: Embeddings, input_rows: Array) -> Floats:
    """log Z(n) of S_A: log Σ_c exp(v_n · o_c) over all words."""
    return log_sums(input_rows, model.word_output)


def lift_offset(model: Embeddings, input_rows: Array, output_rows: Array) -> Floats:
    """What a context of weight 1 says of each numeral on average, so that lift can leave it out.

    Half of log Σ_c q(c) exp(v_n · o_c), c drawn as negatives are, which training brings near 0, and
    half of log Σ_c p(c) exp(o_n · v_c), c drawn as contexts are. The latter is log p(n) / q(n):
    since negatives are drawn by counts to the power 3/4, contexts speak for frequent numerals.
    """
    if not len(model):
        return np.zeros(len(input_rows))
    drawn = negative_shares(model.vocabulary.word_counts, np.zeros(0))
    met = model.vocabulary.word_counts * model.keep_shares.astype(np.float64)
    told = log_sums(input_rows, model.word_output, drawn)
    telling = log_sums(output_rows, model.word_input, met / met.sum())
    return (told + telling) / 2


def log_sums(rows: Array, table: Array, shares: Floats | None = None) -> Floats:
    """log Σ_c shares_c exp(row · table_c) of each row; without shares, each counts as 1."""
    found = np.zeros(len(rows))
    if not len(table):
        return found  # a corpus of numerals alone
    offsets = np.float32(0) if shares is None else np.log(shares).astype(np.float32)
    rows_at_a_time = max(1, SCORES_AT_A_TIME // len(table))
    for first in range(0, len(rows), rows_at_a_time):
        part = slice(first, first + rows_at_a_time)
        scores = rows[part] @ table.T
        scores += offsets
        largest = scores.max(axis=1, keepdims=True)
        np.exp(scores - largest, out=scores)
        found[part] = largest[:, 0] + np.log(scores.sum(axis=1, dtype=float))
    return found

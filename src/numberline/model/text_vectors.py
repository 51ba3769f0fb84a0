"""A model and texts → one vector per text: the mean of its tokens, frequent words counting less.

A word counts as much as the fraction of its occurrences that training keeps (`sample`), a numeral
1, an unknown word nothing. `benchmarks/matching.py` compares this with plain means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import TokenIds


def text_vectors(model: Embeddings, texts: Sequence[str], batch_size: int = 1024) -> Array:
    """Return one row per text; a text without a known token becomes zeros.

    The numerals of `batch_size` texts are composed together, each distinct one once.
    """
    rows = np.zeros((len(texts), model.dim), np.float32)
    for first in range(0, len(texts), batch_size):
        batch = mean_rows(model, texts[first : first + batch_size])
        for index, row in enumerate(batch, start=first):
            rows[index] = row
    return rows


def mean_rows(model: Embeddings, texts: Sequence[str]) -> Iterator[Array]:
    """Yield the weighted mean of the tokens of each text."""
    tokens = [model.lookup.tokens(text) for text in texts]
    read = model.lookup.read_tokens([token for one in tokens for token in one])
    rows, weights = model.rows(read), token_weights(model, read)
    end = 0
    for one in tokens:
        start, end = end, end + len(one)
        total = weights[start:end].sum()
        yield weights[start:end] @ rows[start:end] / (total if total > 0 else 1)


def token_weights(model: Embeddings, read: TokenIds) -> npt.NDArray[np.float32]:
    """Return how much each token counts in the vector of its text."""
    weights = read.is_numeral.astype(np.float32)
    weights[read.is_word] = model.keep_probabilities[read.ids[read.is_word]]
    return weights

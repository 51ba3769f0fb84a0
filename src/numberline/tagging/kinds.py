"""Sentences of tokens → the same, in which numerals have the kind that their sentence tells.

The vector of a numeral then is that of its number in its kind: 7 is an age, a time or a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from numberline.model.embeddings import Embeddings
from numberline.model.lookup import Query
from numberline.model.token_vectors import TokenVectors
from numberline.reading.tokens import Token


def in_their_kinds(
    model: TokenVectors, sentences: Sequence[Sequence[str]]
) -> list[Sequence[Query]]:
    """Return the sentences with tokens of a kind in place of numerals, if the model has kinds."""
    if not isinstance(model, Embeddings) or not model.lookup.kinds:
        return [*sentences]
    scanned = [model.lookup.tokens(" ".join(sentence)) for sentence in sentences]
    read = model.lookup.read_scanned([token for tokens in scanned for token in tokens])
    bounds = np.array([0, *accumulate(map(len, scanned))])
    in_context = model.in_context(read, bounds)
    kinds = iter(in_context.kinds[in_context.ids[in_context.is_numeral] - in_context.words])
    found: list[Sequence[Query]] = []
    for sentence, tokens in zip(sentences, scanned, strict=True):
        numerals = {
            (token.start, token.end): Token(token.text, token.value, 0, 0, int(next(kinds)))
            for token in tokens
            if token.value is not None
        }
        ends = [*accumulate(len(token) + 1 for token in sentence)]
        spans = [(end - 1 - len(token), end - 1) for token, end in zip(sentence, ends, strict=True)]
        found.append(
            [numerals.get(span, token) for span, token in zip(spans, sentence, strict=True)]
        )
    return found

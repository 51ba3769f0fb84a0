"""A model with prototypes → the words nearest to some of them, beside those of the paper."""

from __future__ import annotations

import numpy as np

import numberline as nl
from numberline.numerals import prototype_values, squash
from numberline_paper.published import PROTOTYPE_WORDS
from numberline_paper.report.parts import ShownCell, ShownTable

MOST_WORDS = 7  # as in the paper


def prototype_words(name: str, model: nl.Embeddings) -> ShownTable:
    """Show, for each prototype of the paper's table, the nearest one of the model."""
    prototypes = prototype_values(model.numerals)
    rows = []
    for value, words in PROTOTYPE_WORDS.items():
        nearest = float(prototypes[np.abs(squash(prototypes) - squash(value)).argmin()])
        ours = ", ".join(word.token for word in model.similar(nearest, count=MOST_WORDS))
        texts = (f"{value:,.2f}", words, f"{nearest:,.2f}", ours)
        rows.append([ShownCell(text) for text in texts])
    return ShownTable(
        "Prototypes and their nearest words",
        ["the paper's", "words", "ours", "words"],
        rows,
        (f"Ours are of {name}; each is the prototype nearest on the number line.",),
    )

"""A model with prototypes → the words nearest to some of them, beside those of the paper."""

from __future__ import annotations

import numpy as np

from numberline.model.embeddings import Embeddings
from numberline.numerals.squash import squash
from numberline.numerals.vectors import prototype_values
from numberline_paper.published import PROTOTYPE_WORDS
from numberline_paper.report_parts import ShownCell, ShownTable

WORDS = 7  # as many as the paper shows at most


def prototype_words(name: str, model: Embeddings) -> ShownTable:
    """For each prototype that the paper shows, the nearest one of the model on the number line."""
    prototypes = prototype_values(model.numerals)
    rows = []
    for value, words in PROTOTYPE_WORDS.items():
        nearest = float(prototypes[np.abs(squash(prototypes) - squash(value)).argmin()])
        ours = ", ".join(found.token for found in model.similar(nearest, count=WORDS))
        texts = (f"{value:,.2f}", words, f"{nearest:,.2f}", ours)
        rows.append([ShownCell(text) for text in texts])
    return ShownTable(
        "Prototypes and their nearest words",
        ["the paper's", "words", "ours", "words"],
        rows,
        (f"Ours are of {name}; the prototype is the nearest one on the number line.",),
    )

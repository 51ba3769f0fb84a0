"""Vectors of numerals and of number words → whether the word for a numeral is its nearest one.

The measures are defined in numeracy.py. Targets are the numerals that the number words of the
vocabulary name, candidates are those words. Of several words for one numeral (twelve, dozen) all
are its nearest under protocol "naik", the last in the vocabulary under "paper". Each word is an
item: their numeral is asked about once for each of them.
"""

from __future__ import annotations

import numpy as np

from numberline.errors import EvaluationModelError
from numberline.evaluation.number_words import number_words
from numberline.evaluation.numeracy import distances_between, numeracy_cells
from numberline.evaluation.numerals import FEWEST, known_values, numeral_rows
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress
from numberline.model.token_vectors import TokenVectors

BEST_RANK = 0


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    progress("numeration", 0.0)
    named = number_words(model.lookup.words)
    words = sorted(named, key=lambda word: named[word])
    values = np.array([named[word] for word in words])
    known = known_values(model, values)
    if len(np.unique(known)) < FEWEST:
        raise EvaluationModelError(
            f"numeration needs {FEWEST} number words at least whose numerals have vectors; of the "
            f"{len(words)} in the vocabulary {len(known)} have"
        )
    distances = distances_between(
        numeral_rows(model, known), model.vectors(words).astype(np.float64)
    )
    gaps = np.abs(known[:, None] - values)
    cells = numeracy_cells(distances, gaps, settings.protocol, BEST_RANK)
    row: dict[str, Cell] = {
        "protocol": settings.protocol,
        **cells,
        "coverage": 100 * len(known) / len(words),
        "number words": len(words),
    }
    note = f"OVA, SC, BC in percent; AVGR is a mean rank, {BEST_RANK} is the best."
    return [Table("Numeration", [row], (note,))]

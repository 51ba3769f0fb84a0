"""Vectors of numerals → whether numerals near on the number line have similar vectors.

The measures are defined in numeracy.py. Under protocol "naik" the triples that Naik et al. publish
are tested as well: the vector of an anchor should be closer to that of the close numeral than to
that of the far one.
"""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats
from numberline.evaluation.numeracy import distances_between, gaps_between, numeracy_cells
from numberline.evaluation.numerals import (
    EvaluatedNumerals,
    evaluated_numerals,
    known_values,
    numeral_rows,
    read_triples,
)
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.sets import find_set
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress
from numberline.model.token_vectors import TokenVectors

BEST_RANK = 1  # the numeral itself has rank 0


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    progress("magnitude", 0.0)
    evaluated = evaluated_numerals(model, settings, "magnitude")
    distances = distances_between(evaluated.rows, evaluated.rows)
    test: dict[str, Cell] = {"protocol": settings.protocol, "set": settings.numerals}
    cells = magnitude_cells(distances, evaluated, settings.protocol)
    note = f"OVA, SC, BC in percent; AVGR is a mean rank, at best {BEST_RANK}."
    tables = [Table("Magnitude", [test | cells], (note,))]
    if settings.protocol == settings.numerals == "naik":
        tables.append(Table("Magnitude, Naik's triples", triple_rows(model, settings)))
    return tables


def magnitude_cells(
    distances: Floats, evaluated: EvaluatedNumerals, protocol: str
) -> dict[str, Cell]:
    """Return the four measures of these distances between numerals, and the coverage."""
    gaps = gaps_between(evaluated.values)
    return numeracy_cells(distances, gaps, protocol, BEST_RANK) | evaluated.coverage()


def triple_rows(model: TokenVectors, settings: EvaluationSettings) -> list[dict[str, Cell]]:
    files = {"SC": "naik/sc.tsv", "BC": "naik/bc.tsv"}
    triples = {name: read_triples(find_set(settings, file)) for name, file in files.items()}
    return [{"test": name, **triple_cells(model, rows)} for name, rows in triples.items()]


def triple_cells(model: TokenVectors, triples: Floats) -> dict[str, Cell]:
    values = known_values(model, np.unique(triples))
    complete = triples[np.isin(triples, values).all(axis=1)]
    right = None
    if len(complete):
        rows = numeral_rows(model, values)
        anchor, close, far = (rows[np.searchsorted(values, side)] for side in complete.T)
        is_right = np.linalg.norm(anchor - close, axis=1) < np.linalg.norm(anchor - far, axis=1)
        right = 100 * float(is_right.mean())
    return {
        "right": right,
        "coverage": 100 * len(complete) / len(triples),
        "triples": len(triples),
    }

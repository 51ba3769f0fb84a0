"""Vectors of numerals → whether numerals near on the number line are near there too.

The measures are defined in numeracy.py. Under protocol "naik" the triples that Naik et al. publish
are asked as well: of an anchor, a close and a far numeral the close one should be closer.
"""

from __future__ import annotations

import numpy as np

from numberline.arrays import Floats
from numberline.evaluation.numeracy import distances_between, gaps_between, numeracy_cells
from numberline.evaluation.numerals import asked_numerals, known_values, numeral_rows, read_triples
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.sets import find_set
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress
from numberline.model.token_vectors import TokenVectors

BEST_RANK = 1  # the numeral itself has position 0


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    progress("magnitude", 0.0)
    found = asked_numerals(model, settings, "magnitude")
    distances = distances_between(found.rows, found.rows)
    cells = numeracy_cells(distances, gaps_between(found.values), settings.protocol, BEST_RANK)
    asked: dict[str, Cell] = {"protocol": settings.protocol, "set": settings.numerals}
    note = f"OVA, SC, BC in percent; AVGR is a mean rank, {BEST_RANK} is the best."
    tables = [Table("Magnitude", [asked | cells | found.coverage()], (note,))]
    if settings.protocol == settings.numerals == "naik":
        tables.append(Table("Magnitude, Naik's triples", triple_rows(model, settings)))
    return tables


def triple_rows(model: TokenVectors, settings: EvaluationSettings) -> list[dict[str, Cell]]:
    files = {"SC": "naik/sc.tsv", "BC": "naik/bc.tsv"}
    triples = {name: read_triples(find_set(settings, file)) for name, file in files.items()}
    return [{"test": name, **triple_cells(model, rows)} for name, rows in triples.items()]


def triple_cells(model: TokenVectors, triples: Floats) -> dict[str, Cell]:
    known = known_values(model, np.unique(triples))
    asked = triples[np.isin(triples, known).all(axis=1)]
    right = None
    if len(asked):
        rows = numeral_rows(model, known)
        anchor, close, far = (rows[np.searchsorted(known, side)] for side in asked.T)
        is_right = np.linalg.norm(anchor - close, axis=1) < np.linalg.norm(anchor - far, axis=1)
        right = 100 * float(is_right.mean())
    return {
        "right": right,
        "coverage": 100 * len(asked) / len(triples),
        "triples": len(triples),
    }

"""A model → the numerals it is asked about, with their vectors in double precision."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.errors import EvaluationDataError, EvaluationModelError
from numberline.evaluation.result import Cell
from numberline.evaluation.sets import find_set, read_set
from numberline.evaluation.settings import EvaluationSettings
from numberline.model.embeddings import Embeddings
from numberline.model.token_vectors import TokenVectors
from numberline.model.word_vectors import WordVectors
from numberline.reading.numerals import plain_number
from numberline.reading.scanner import parse_numeral

MOST_FREQUENT = 2342  # numerals of a corpus, as in the paper
FEWEST = 3  # a numeral, one that is near and one that is far


class AskedNumerals(NamedTuple):
    values: Floats  # distinct, ascending, of those that the model knows
    rows: Floats  # [values, dim]
    asked: int

    def coverage(self) -> dict[str, Cell]:
        return {"coverage": 100 * len(self.values) / self.asked, "numerals": self.asked}


def asked_numerals(
    model: TokenVectors, settings: EvaluationSettings, task: str, fewest: int = FEWEST
) -> AskedNumerals:
    if settings.numerals == "naik":
        asked = np.unique(read_numerals(find_set(settings, "naik/numerals.txt")))
    else:
        asked = np.sort(frequent_numerals(model))
    values = known_values(model, asked)
    if len(values) < fewest:
        raise EvaluationModelError(
            f"{task} needs vectors of {fewest} numerals at least; {len(values)} of the "
            f"{len(asked)} asked for are known"
        )
    return AskedNumerals(values, numeral_rows(model, values), len(asked))


def known_values(model: TokenVectors, values: Floats) -> Floats:
    is_known = np.array([value in model for value in values.tolist()], bool)
    known: Floats = values[is_known]
    return known


def numeral_rows(model: TokenVectors, values: Floats) -> Floats:
    """Input vectors. Those of numerals are computed in double precision: in single precision
    rounding would say which of two large neighbours is the closer one.
    """
    if isinstance(model, Embeddings) and model.numerals is not None:
        rows: Floats = model.numerals.in_double().vectors(values)
        return rows
    return model.vectors(values.tolist()).astype(np.float64)


def frequent_numerals(model: TokenVectors) -> Floats:
    """Of the corpus; files of vectors are taken to have frequent words first."""
    if isinstance(model, Embeddings):
        vocabulary = model.vocabulary
        order = np.argsort(-vocabulary.numeral_counts, kind="stable")
        return vocabulary.numeral_values[order[:MOST_FREQUENT]]
    assert isinstance(model, WordVectors)
    read = ((word, parse_numeral(word)) for word in model.words if any(map(str.isdigit, word)))
    # Spelled otherwise, a number would not be found under its value.
    found = [value for word, value in read if value is not None and plain_number(value) == word]
    return np.array(found[:MOST_FREQUENT], np.float64)


def read_numerals(path: Path) -> Floats:
    """One numeral per line."""
    numbers = [read_row(path, line, 1) for line in numbered_lines(path)]
    if not numbers:
        raise EvaluationDataError(f"{path} holds no numerals")
    return np.array(numbers)[:, 0]


def read_triples(path: Path) -> Floats:
    """Anchor, close and far, under a line that says so."""
    lines = numbered_lines(path)
    rows = [read_row(path, line, 3) for line in lines[1:]]
    if not rows:
        raise EvaluationDataError(f"{path} holds no triples")
    return np.array(rows)


def numbered_lines(path: Path) -> list[tuple[int, str]]:
    lines = enumerate(read_set(path).splitlines(), start=1)
    return [(number, line) for number, line in lines if line.strip()]


def read_row(path: Path, line: tuple[int, str], count: int) -> list[float]:
    number, text = line
    try:
        row = [float(field) for field in text.split()]
    except ValueError:
        row = []
    if len(row) != count or not np.isfinite(row).all():
        needed = "a number is" if count == 1 else f"{count} numbers are"
        raise EvaluationDataError(f"{path}, line {number}: {needed} needed, not {text!r:.40}")
    return row

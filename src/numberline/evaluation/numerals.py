"""A model → the numerals that tasks test, with their vectors in double precision."""

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
FEWEST = 3  # numerals: a target, a near one and a far one


class EvaluatedNumerals(NamedTuple):
    values: Floats  # distinct, ascending, only those with a vector
    rows: Floats  # [values, dim]
    listed: int  # numerals on the list, with or without a vector

    def coverage(self) -> dict[str, Cell]:
        return {"coverage": 100 * len(self.values) / self.listed, "numerals": self.listed}


def evaluated_numerals(
    model: TokenVectors, settings: EvaluationSettings, task: str, fewest: int = FEWEST
) -> EvaluatedNumerals:
    if settings.numerals == "naik":
        listed = np.unique(read_numerals(find_set(settings, "naik/numerals.txt")))
    else:
        listed = np.sort(frequent_numerals(model))
    values = known_values(model, listed)
    if len(values) < fewest:
        raise EvaluationModelError(
            f"{task} needs vectors of at least {fewest} numerals; the model has {len(values)} of "
            f"the {len(listed)} on the list"
        )
    return EvaluatedNumerals(values, numeral_rows(model, values), len(listed))


def known_values(model: TokenVectors, values: Floats) -> Floats:
    """Return the values that the model has vectors for."""
    is_known = np.array([value in model for value in values.tolist()], bool)
    with_vector: Floats = values[is_known]
    return with_vector


def numeral_rows(model: TokenVectors, values: Floats) -> Floats:
    """Return input vectors, composed in double precision where the model composes them.

    In single precision rounding would decide which of two large neighbours is closer.
    """
    if isinstance(model, Embeddings) and model.numerals is not None:
        rows: Floats = model.numerals.in_double().vectors(values)
        return rows
    return model.vectors(values.tolist()).astype(np.float64)


def frequent_numerals(model: TokenVectors) -> Floats:
    """Return the most frequent numerals; files of vectors should begin with frequent words."""
    if isinstance(model, Embeddings):
        vocabulary = model.vocabulary
        order = np.argsort(-vocabulary.numeral_counts, kind="stable")
        return vocabulary.numeral_values[order[:MOST_FREQUENT]]
    assert isinstance(model, WordVectors)
    read = ((word, parse_numeral(word)) for word in model.words if any(map(str.isdigit, word)))
    # A number with another spelling is not found by its value.
    values = [value for word, value in read if value is not None and plain_number(value) == word]
    return np.array(values[:MOST_FREQUENT], np.float64)


def read_numerals(path: Path) -> Floats:
    """Read one numeral per line."""
    numbers = [read_row(path, line, 1) for line in numbered_lines(path)]
    if not numbers:
        raise EvaluationDataError(f"{path} holds no numerals")
    return np.array(numbers)[:, 0]


def read_triples(path: Path) -> Floats:
    """Read rows of an anchor, a close and a far numeral, below a header line."""
    rows = [read_row(path, line, 3) for line in numbered_lines(path)[1:]]
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

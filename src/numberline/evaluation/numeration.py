"""Vectors of numerals and of number words → whether the word for a numeral is its nearest one.

The measures are defined in numeracy.py. Targets are the numerals that the number words of the
vocabulary name, candidates are those words. Of several words for one numeral (twelve, dozen) all
are its nearest under protocol "naik", the last in the vocabulary under "paper". Each word is an
item: a numeral with two words is a target twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from numberline.errors import EvaluationModelError
from numberline.evaluation.numeracy import distances_between, numeracy_cells
from numberline.evaluation.numerals import FEWEST, known_values, numeral_rows
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress
from numberline.model.token_vectors import TokenVectors
from numberline.reading.number_phrases import COUNTING_WORDS, SCALE_VALUES
from numberline.reading.scanner import parse_numeral
from numberline.settings import TextSettings

BEST_RANK = 0
# In running text these count something, as in "a hundred", and are not read as a number alone.
ALONE = {"hundred": 100, **SCALE_VALUES, "dozen": 12}
HYPHEN = re.compile("[-_]")  # vectors of other tools have twenty-five and twenty_five


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    progress("numeration", 0.0)
    value_of = number_words(model.lookup.words)
    words = sorted(value_of, key=lambda word: value_of[word])
    values = np.array([value_of[word] for word in words])
    targets = known_values(model, values)
    if len(np.unique(targets)) < FEWEST:
        raise EvaluationModelError(
            f"numeration needs at least {FEWEST} number words whose numerals have vectors; "
            f"{len(targets)} of the {len(words)} in the vocabulary do"
        )
    distances = distances_between(
        numeral_rows(model, targets), model.vectors(words).astype(np.float64)
    )
    gaps = np.abs(targets[:, None] - values)
    cells = numeracy_cells(distances, gaps, settings.protocol, BEST_RANK)
    row: dict[str, Cell] = {
        "protocol": settings.protocol,
        **cells,
        "coverage": 100 * len(targets) / len(words),
        "number words": len(words),
    }
    note = f"OVA, SC, BC in percent; AVGR is a mean rank, at best {BEST_RANK}."
    return [Table("Numeration", [row], (note,))]


def number_words(words: Iterable[str]) -> dict[str, float]:
    """Return the number words among `words`, each with its value.

    Ordinals, numerals and words in capitals are not number words.
    """
    values = {word: value_of(word) for word in words}
    return {word: value for word, value in values.items() if value is not None}


def value_of(word: str) -> float | None:
    if word in ALONE:
        return float(ALONE[word])
    parts = HYPHEN.split(word)
    if not COUNTING_WORDS.issuperset(parts):
        return None
    return parse_numeral(" ".join(parts), TextSettings(number_words=True))

"""Held-out text → how well the words around a gap predict the numeral that was there.

Items are sentences with a numeral that has no other one near it. Candidates are the numerals of all
items; one that occurs twice is there twice. For each item they are ranked by the scores of
model/scores.py:

    AVGR    mean rank of the true numeral, 1 for the best; candidates that tie share the middle rank
    MdAE    median of |n - p|, p being the best candidate (of several, the middle one by value)
    MdAPE   median of |n - p| / max(|n|, 1e-4)
    MdLE    median distance of n and p on the squashed number line, in powers of ten
    AVGLE   mean of that distance

Contexts are flat, the five tokens on each side, as in the paper; with the weights of training; or
weighted as in model.predict (see model/contexts.py). Unknown words are skipped; an item without
any known word counts with all candidates tied. Chance is a candidate drawn at random; the most
frequent numeral is that of the training text; the middle one is the median of the candidates. Where
half of all numerals are years, the middle one has small median errors: look at AVGR and AVGLE. A
method that ignores the context always has the AVGR of chance, since every candidate is the right
one of one item.
"""

from __future__ import annotations

import math

import numpy as np

from numberline.arrays import Floats
from numberline.errors import EvaluationDataError
from numberline.evaluation.candidates import (
    CONTEXT_WORDS,
    middle_best,
    middle_ranks,
    numeral_candidates,
    scores_in_gaps,
)
from numberline.evaluation.gaps import Gap, sample_gaps
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress, require_embeddings
from numberline.model.embeddings import Embeddings
from numberline.model.prediction import GAP_MODEL
from numberline.model.token_vectors import TokenVectors
from numberline.numerals.squash import squash
from numberline.reading.corpus import open_corpus

SMALLEST_DENOMINATOR = 1e-4  # of relative errors, as in the paper


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    trained = require_embeddings(model, "prediction")
    progress("reading held-out text", 0.0)
    gaps = held_out_gaps(trained, settings)
    progress("prediction", 0.5)
    values = np.array([gap.value for gap in gaps])
    is_known = np.isin(values, trained.vocabulary.numeral_values)
    notes = (
        f"{len(gaps):,} items of the {settings.part} part; "
        f"{is_known.sum():,} of their numerals occur in the training text.",
    )
    return [Table("Numeral prediction", prediction_rows(trained, gaps), notes, decimals=3)]


def held_out_gaps(model: Embeddings, settings: EvaluationSettings) -> list[Gap]:
    """Return the gaps of the chosen part; the two parts have different sentences."""
    if settings.text is None:
        raise EvaluationDataError("text=FILE is needed: text that the model was not trained on")
    is_test = settings.part == "test"
    count = settings.items if is_test else 2 * settings.items
    random = np.random.default_rng(settings.seed)
    corpus = open_corpus(settings.text)
    gaps = sample_gaps(corpus, count, random, model.settings, CONTEXT_WORDS)
    return gaps if is_test else gaps[settings.items :]


def prediction_rows(model: Embeddings, gaps: list[Gap]) -> list[dict[str, Cell]]:
    items = sorted(gaps, key=lambda gap: gap.value)  # so that "middle" is by value
    values = np.array([gap.value for gap in items])
    candidates, indices = numeral_candidates(model, values)
    counts = model.vocabulary.counts_of(values).astype(np.float64)
    all_tied = np.zeros_like(counts)
    rows: list[dict[str, Cell]] = []
    if model.gap_model is not None:
        rows.append({"score": GAP_MODEL, **measures(values, gap_model_scores(model, items))})
    return [
        *rows,
        *(
            {**names, **measures(values, scores[:, indices])}
            for names, scores in scores_in_gaps(model, [gap[:2] for gap in items], candidates)
        ),
        {"score": "most frequent", **measures(values, np.tile(counts, (len(values), 1)))},
        {"score": "middle", **measures(values, np.tile(all_tied, (len(values), 1)))},
        {"score": "chance", **chance(values)},
    ]


def gap_model_scores(model: Embeddings, items: list[Gap]) -> Floats:
    """Return the lifts of all items' numerals in each gap; all 0 where no word is known."""
    values, indices = np.unique([gap.value for gap in items], return_inverse=True)
    lifts = model.score_gaps([gap[:2] for gap in items], values.tolist())
    return np.nan_to_num(lifts)[:, indices]


def measures(values: Floats, scores: Floats) -> dict[str, Cell]:
    """Measure scores, one row per item and one column per candidate; both have these values."""
    ranks = middle_ranks(scores, np.arange(len(values)))
    return {"AVGR": float(ranks.mean()), **error_medians(values, values[middle_best(scores)])}


def chance(values: Floats) -> dict[str, Cell]:
    """Measure a random choice: its errors are those of all pairs of an item and a candidate."""
    true, predicted = np.repeat(values, len(values)), np.tile(values, len(values))
    return {"AVGR": (len(values) + 1) / 2, **error_medians(true, predicted)}


def error_medians(true: Floats, predicted: Floats) -> dict[str, Cell]:
    errors = np.abs(true - predicted)
    relative = errors / np.maximum(np.abs(true), SMALLEST_DENOMINATOR)
    logarithmic = np.abs(squash(true) - squash(predicted)) / math.log(10)
    return {
        "MdAE": float(np.median(errors)),
        "MdAPE": float(np.median(relative)),
        "MdLE": float(np.median(logarithmic)),
        "AVGLE": float(np.mean(logarithmic)),
    }

"""Titles with a numeral taken out → how well the words around it tell its class of magnitude.

A class has a vector: the mean of those of some numerals of the class, drawn from the titles to
train on. It stands in the place of a numeral's vector in the scores of model/scores.py. Classes
that the titles to train on do not have are the last choice.

    AVGR       mean rank of the true class, 1 for the best; classes that tie share the middle rank
    micro-F1   share of titles whose best class is the true one, in percent
    macro-F1   mean of the F1 of all classes, in percent; one that is never found counts as 0

Contexts are of three kinds, as in prediction.py; another numeral of the title is one of them.
The most frequent class is ranked first by its row, the second next, and so on; chance is what a
class drawn at random is to be expected to give.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import EvaluationDataError
from numberline.evaluation.candidates import all_kinds, score_all
from numberline.evaluation.gaps import CONTEXT_WORDS, Gap, gap_at
from numberline.evaluation.ranking import middle_best, middle_ranks
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress, require_embeddings
from numberline.evaluation.titles import CLASSES, Title, find_titles
from numberline.model.embeddings import Embeddings
from numberline.model.scores import Candidates
from numberline.model.token_vectors import TokenVectors
from numberline.numerals.base import SIDES
from numberline.reading.scanner import tokenize

Classes = npt.NDArray[np.intp]

CLASS_NUMERALS = 100  # numerals whose mean vector stands for a class, as in the paper


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    trained = require_embeddings(model, "magnitude-class")
    progress("reading titles", 0.0)
    training, asked = find_titles(settings, "train"), find_titles(settings, settings.part)
    found = [(gap, title.magnitude) for title in asked if (gap := gap_of(title, trained))]
    if not found:
        raise EvaluationDataError("in no title a numeral stands where its record says")
    progress("magnitude-class", 0.5)
    random = np.random.default_rng(settings.seed)
    vectors = class_vectors(trained, training, CLASS_NUMERALS, random)
    counts = np.bincount([title.magnitude for title in training], minlength=CLASSES)
    gaps, classes = [gap for gap, _ in found], np.array([magnitude for _, magnitude in found])
    rows = class_rows(trained, gaps, classes, vectors, counts, CONTEXT_WORDS)
    notes = (
        f"{len(found):,} titles of the {settings.part} part; {len(asked) - len(found):,} more "
        "are left out: what stands there is not read as a numeral.",
    )
    return [Table("Classes of magnitude", rows, notes)]


def gap_of(title: Title, model: Embeddings) -> Gap | None:
    """None: no numeral stands there as the model reads text."""
    tokens = tokenize(title.text, model.settings)
    for place, token in enumerate(tokens):
        if token.value is not None and token.start <= title.start and title.end <= token.end:
            return gap_at(tokens, place)
    return None


def class_vectors(
    model: Embeddings, titles: list[Title], numerals: int, random: np.random.Generator
) -> Candidates:
    """The means of so many numerals of each class; of fewer where there are no more."""
    classes = np.array([title.magnitude for title in titles])
    values = np.array([title.value for title in titles])
    means = np.zeros((len(SIDES), CLASSES, model.dim), np.float32)
    for magnitude in np.unique(classes):
        drawn = random.permutation(values[classes == magnitude])[:numerals]
        for side, rows in zip(SIDES, means, strict=True):
            rows[magnitude] = model.numeral_vectors(drawn, side).mean(axis=0, dtype=float)
    return Candidates(model, *means)


def class_rows(
    model: Embeddings,
    gaps: list[Gap],
    classes: Classes,
    vectors: Candidates,
    counts: npt.NDArray[np.intp],
    words: int,
) -> list[dict[str, Cell]]:
    """`counts` are those of the classes in the titles to train on."""
    rows: list[dict[str, Cell]] = []
    for kind, contexts in all_kinds(model, (gap[:2] for gap in gaps), words).items():
        for name, scores in score_all(contexts, vectors).items():
            possible = np.where(counts > 0, scores, -np.inf)
            rows.append({"context": kind, "score": name, **measures(possible, classes)})
    by_count = np.tile(counts, (len(gaps), 1)).astype(np.float64)
    return [
        *rows,
        {"score": "most frequent", **measures(by_count, classes)},
        {"score": "chance", **chance(classes)},
    ]


def measures(scores: Floats, classes: Classes) -> dict[str, Cell]:
    predicted = middle_best(scores)
    return {
        "AVGR": float(middle_ranks(scores, classes).mean()),
        "micro-F1": 100 * float((predicted == classes).mean()),
        "macro-F1": 100 * macro_f1(classes, predicted),
    }


def macro_f1(true: Classes, predicted: Classes) -> float:
    """Of a class, F1 is twice what is right over what is true plus what is predicted."""
    right = np.bincount(true[true == predicted], minlength=CLASSES)
    either = np.bincount(true, minlength=CLASSES) + np.bincount(predicted, minlength=CLASSES)
    return float((2 * right / np.maximum(either, 1)).mean())


def chance(classes: Classes) -> dict[str, Cell]:
    shares = np.bincount(classes, minlength=CLASSES) / len(classes)
    f1 = 2 * shares / CLASSES / (shares + 1 / CLASSES)
    return {
        "AVGR": (CLASSES + 1) / 2,
        "micro-F1": 100 / CLASSES,
        "macro-F1": 100 * float(f1.mean()),
    }

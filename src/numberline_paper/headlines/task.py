"""Titles without their numeral → how well the words around the gap predict its magnitude class.

A class has a vector: the mean vector of some numerals of the class, drawn from the training titles.
It replaces a numeral's vector in the scores of the task `prediction`. Classes that do not occur in
the training titles are ranked last.

    AVGR       mean rank of the true class, 1 for the best; classes that tie share the middle rank
    micro-F1   percentage of titles whose best class is the true one
    macro-F1   mean F1 of all classes, in percent; one that is never predicted counts as 0

Contexts are of three kinds, as in `prediction`, and may hold other numerals of the title. The row
"most frequent" ranks classes by their counts; "chance" is the expected result of a random class.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numberline import Embeddings
from numberline.arrays import Floats
from numberline.errors import EvaluationDataError
from numberline.evaluation import (
    Cell,
    Gap,
    Progress,
    Table,
    gap_at,
    middle_best,
    middle_ranks,
    require_embeddings,
    scores_in_gaps,
)
from numberline.model import Candidates, TokenVectors
from numberline.numerals import SIDES
from numberline_paper.headlines.titles import CLASSES, Title, find_titles
from numberline_paper.settings import HeadlineSettings

Classes = npt.NDArray[np.intp]

CLASS_NUMERALS = 100  # numerals whose mean vector stands for a class, as in the paper


def evaluate(model: TokenVectors, settings: HeadlineSettings, progress: Progress) -> list[Table]:
    trained = require_embeddings(model, "magnitude-class")
    progress("reading titles", 0.0)
    training, tested = find_titles(settings, "train"), find_titles(settings, settings.part)
    items = [(gap, title.magnitude) for title in tested if (gap := gap_of(title, trained))]
    if not items:
        raise EvaluationDataError("no title has a numeral where its record says")
    progress("magnitude-class", 0.5)
    random = np.random.default_rng(settings.seed)
    vectors = class_vectors(trained, training, CLASS_NUMERALS, random)
    counts = np.bincount([title.magnitude for title in training], minlength=CLASSES)
    gaps, classes = [gap for gap, _ in items], np.array([magnitude for _, magnitude in items])
    rows = class_rows(trained, gaps, classes, vectors, counts)
    notes = (
        f"{len(items):,} titles of the {settings.part} part; {len(tested) - len(items):,} more "
        "are left out: their numeral is not read as one.",
    )
    return [Table("Classes of magnitude", rows, notes)]


def gap_of(title: Title, model: Embeddings) -> Gap | None:
    """Return the gap of a title, or None if the model does not read a numeral there."""
    tokens = model.lookup.tokens(title.text)
    for index, token in enumerate(tokens):
        if token.value is not None and token.start <= title.start and title.end <= token.end:
            return gap_at(tokens, index)
    return None


def class_vectors(
    model: Embeddings, titles: list[Title], numerals: int, random: np.random.Generator
) -> Candidates:
    """Return the mean vectors of at most `numerals` numerals of each class."""
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
) -> list[dict[str, Cell]]:
    """Return the rows of the table; `counts` are of the classes in the training titles."""
    by_count = np.tile(counts, (len(gaps), 1)).astype(np.float64)
    return [
        *(
            {**names, **measures(np.where(counts > 0, scores, -np.inf), classes)}
            for names, scores in scores_in_gaps(model, [gap[:2] for gap in gaps], vectors)
        ),
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
    """Return the mean F1 of all classes: 2 · right / (true + predicted)."""
    right = np.bincount(true[true == predicted], minlength=CLASSES)
    either = np.bincount(true, minlength=CLASSES) + np.bincount(predicted, minlength=CLASSES)
    return float((2 * right / np.maximum(either, 1)).mean())


def chance(classes: Classes) -> dict[str, Cell]:
    fractions = np.bincount(classes, minlength=CLASSES) / len(classes)
    f1 = 2 * fractions / CLASSES / (fractions + 1 / CLASSES)
    return {
        "AVGR": (CLASSES + 1) / 2,
        "micro-F1": 100 / CLASSES,
        "macro-F1": 100 * float(f1.mean()),
    }

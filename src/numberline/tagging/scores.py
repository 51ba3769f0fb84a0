"""Right and predicted labels → accuracy of tokens, precision, recall and F1 of stretches.

All are in percent. A stretch is right if its label and all its tokens are (seqeval, as conlleval).
"""

from __future__ import annotations

from typing import NamedTuple

from numberline.extras import optional


class Scores(NamedTuple):
    accuracy: float
    precision: float
    recall: float
    f1: float


def score(right: list[list[str]], predicted: list[list[str]]) -> Scores:
    metrics = optional("seqeval.metrics.sequence_labeling", "eval")
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        right, predicted, average="micro", zero_division=0
    )
    fractions = (metrics.accuracy_score(right, predicted), precision, recall, f1)
    return Scores(*(100 * float(fraction) for fraction in fractions))

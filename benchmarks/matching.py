"""Do vectors of texts tell which products of two shops are the same?

    python benchmarks/matching.py FOLDER [--seeds N]

FOLDER holds sets of DeepMatcher, such as Abt-Buy, with train.txt and valid.txt: two records and 0
or 1 in each line, separated by tabs. A model is trained on the records of train.txt, without their
labels. The table holds, for the pairs of valid.txt, the area under the ROC curve of the cosine: the
fraction of pairs of a match and a mismatch in which the match has the larger cosine. Vectors are
plain means of tokens, means in which frequent words count less (`text_vectors`), and tf-idf.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from machine import machine
from rich.console import Console
from rich.table import Table
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import roc_auc_score

import numberline as nl
from numberline.model.neighbours import unit
from numberline.model.text_vectors import text_vectors

Pairs = tuple[list[str], list[str], np.ndarray]  # records of two shops, and whether they match


def read_pairs(path: Path) -> Pairs:
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    first, second, labels = zip(*rows, strict=True)
    return list(first), list(second), np.array(labels, np.int64)


def area(first: np.ndarray, second: np.ndarray, labels: np.ndarray) -> float:
    return float(roc_auc_score(labels, (unit(first) * unit(second)).sum(axis=1)))


def areas(train: Pairs, pairs: Pairs, seed: int) -> dict[str, float]:
    """Return the area of each kind of vectors."""
    first, second, labels = pairs
    records = train[0] + train[1]
    model = nl.train(records, epochs=10, min_count=2, gap_model=False, seed=seed)
    plain = replace(model, settings=replace(model.settings, sample=0))
    tfidf = TfidfVectorizer().fit(records)
    rows = [tfidf.transform(texts).toarray() for texts in (first, second)]
    return {
        "mean": area(text_vectors(plain, first), text_vectors(plain, second), labels),
        "text_vectors": area(text_vectors(model, first), text_vectors(model, second), labels),
        "tf-idf": area(*rows, labels),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    table = Table(title=f"{machine()}; mean of {arguments.seeds} seeds")
    for name in ("set", "pairs", "mean", "text_vectors", "tf-idf"):
        table.add_column(name, justify="left" if name == "set" else "right")
    for folder in sorted(path.parent for path in arguments.folder.glob("*/valid.txt")):
        train, pairs = (read_pairs(folder / f"{part}.txt") for part in ("train", "valid"))
        seeds = range(1, arguments.seeds + 1)
        found = [areas(train, pairs, seed) for seed in seeds]
        means = [f"{np.mean([one[kind] for one in found]):.3f}" for kind in found[0]]
        table.add_row(folder.name, f"{len(pairs[2]):,}", *means)
    Console().print(table)


if __name__ == "__main__":
    main()

"""Words and their vectors → Spearman's correlation with what people say, in percent."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

# File, separator, and the column that holds what people say; words are in the first two.
SETS = {
    "WordSim-353": ("wordsim-353.csv", ",", 2),
    "MEN": ("men.txt", " ", 2),
    "SimLex-999": ("simlex-999.txt", "\t", 3),
}


def similarity_scores(words: list[str], vectors: Any, folder: Path) -> dict[str, float]:
    from scipy.stats import spearmanr

    ids = {word: number for number, word in enumerate(words)}
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1)
    scores = {}
    for name, (file, separator, column) in SETS.items():
        ours, theirs = [], []
        with (folder / file).open(encoding="utf-8") as lines:
            for row in csv.reader(lines, delimiter=separator):
                first, second = (ids.get(word.lower()) for word in row[:2])
                if first is not None and second is not None and is_number(row[column]):
                    ours.append(float(unit[first] @ unit[second]))
                    theirs.append(float(row[column]))
        scores[name] = 100 * float(spearmanr(ours, theirs).statistic)
    return scores


def is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()

"""Words and their vectors → Spearman's correlation with human judgements, in percent."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from numberline.evaluation.similarity import (
    SIMILARITY_SETS,
    SimilaritySet,
    read_pairs,
    similarity_row,
)
from numberline.model.word_vectors import WordVectors

SETS = ("WordSim-353", "MEN", "SimLex-999")  # those that the README's tables show


def similarity_scores(words: list[str], vectors: Any, folder: Path) -> dict[str, float]:
    """Return the correlation by set; nan where too few pairs are known."""
    model = WordVectors(words, vectors)
    return {name: similarity_score(model, folder, SIMILARITY_SETS[name]) for name in SETS}


def similarity_score(model: WordVectors, folder: Path, layout: SimilaritySet) -> float:
    score = similarity_row(model, read_pairs(folder / layout.file, layout))["Spearman"]
    return score if isinstance(score, float) else math.nan

"""Vectors of words → how well they agree with people: word similarity, and analogies.

Similarity is Spearman's correlation, in percent, of cosines and human judgements, over the pairs of
known words; coverage is the percentage of such pairs. An analogy a : b :: c : ? is solved if the
right word is nearest to b - a + c (unit vectors) of all known words except a, b and c (3CosAdd);
questions with an unknown word are left out.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import EvaluationDataError
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.sets import find_set, read_set
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress
from numberline.extras import optional
from numberline.model.neighbours import unit
from numberline.model.token_vectors import TokenVectors

QUESTIONS_PER_BATCH = 512


class SimilaritySet(NamedTuple):
    file: str
    separator: str
    words: slice  # the columns of the two words
    judgement: int  # the column of the human judgement


SIMILARITY_SETS = {
    "WordSim-353": SimilaritySet("wordsim-353.csv", ",", slice(0, 2), 2),
    "MEN": SimilaritySet("men.txt", " ", slice(0, 2), 2),
    "SimLex-999": SimilaritySet("simlex-999.txt", "\t", slice(0, 2), 3),
    "Rare Words": SimilaritySet("rare-words.csv", ",", slice(1, 3), 3),
    "MTurk-771": SimilaritySet("mturk-771.csv", ",", slice(0, 2), 2),
}


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    files = {
        name: find_set(settings, f"word-similarity/{one.file}")
        for name, one in SIMILARITY_SETS.items()
    }
    questions = read_questions(find_set(settings, "analogy/questions-words.txt"))
    progress("similarity", 0.0)
    similarity = [
        {"set": name, **similarity_row(model, read_pairs(path, SIMILARITY_SETS[name]))}
        for name, path in files.items()
    ]
    analogies = analogy_rows(model, questions, progress)
    return [Table("Word similarity", similarity), Table("Analogies", analogies)]


class Pair(NamedTuple):
    first: str
    second: str
    judgement: float


def read_pairs(path: Path, layout: SimilaritySet) -> list[Pair]:
    """Read pairs; a first line whose judgement is not a number is a header."""
    rows = list(csv.reader(read_set(path).splitlines(), delimiter=layout.separator))
    pairs = []
    for number, row in enumerate(rows):
        try:
            first, second = row[layout.words]
            pairs.append(Pair(first.lower(), second.lower(), float(row[layout.judgement])))
        except (ValueError, IndexError):
            if number > 0:
                raise EvaluationDataError(
                    f"{path}, line {number + 1}: two words and a number are needed"
                ) from None
    if not pairs:
        raise EvaluationDataError(f"{path} holds no pairs of words")
    return pairs


def similarity_row(model: TokenVectors, pairs: list[Pair]) -> dict[str, Cell]:
    known_pairs = [pair for pair in pairs if pair.first in model and pair.second in model]
    first, second = (unit(model.vectors([pair[side] for pair in known_pairs])) for side in (0, 1))
    cosines = (first.astype(float) * second).sum(axis=1)
    return {
        "Spearman": rank_correlation(cosines, np.array([pair.judgement for pair in known_pairs])),
        "coverage": 100 * len(known_pairs) / len(pairs),
        "pairs": len(pairs),
    }


def rank_correlation(cosines: Floats, judgements: Floats) -> float | None:
    """Return Spearman's correlation in percent; None for fewer than 3 pairs or constant values."""
    statistics = optional("scipy.stats", "eval")
    if len(cosines) < 3 or np.ptp(cosines) == 0 or np.ptp(judgements) == 0:
        return None
    return 100 * float(statistics.spearmanr(cosines, judgements).statistic)


class Question(NamedTuple):
    group: str
    words: tuple[str, str, str, str]  # the last one is the answer


def read_questions(path: Path) -> list[Question]:
    questions, group = [], ""
    for number, line in enumerate(read_set(path).splitlines()):
        words = line.lower().split()
        if line.startswith(":"):
            group = line[1:].strip()
        elif len(words) == 4:
            questions.append(Question(group, (words[0], words[1], words[2], words[3])))
        else:
            raise EvaluationDataError(f"{path}, line {number + 1}: four words are needed")
    return questions


def analogy_rows(
    model: TokenVectors, questions: list[Question], progress: Progress
) -> list[dict[str, Cell]]:
    """Return one row each for meaning, grammar (groups named gram…) and all questions."""
    answerable = [one for one in questions if all(word in model for word in one.words)]
    is_right = solved(model, answerable, progress)
    is_grammar = np.array([question.group.startswith("gram") for question in answerable], bool)
    all_grammar = sum(question.group.startswith("gram") for question in questions)
    parts = {
        "meaning": (is_right[~is_grammar], len(questions) - all_grammar),
        "grammar": (is_right[is_grammar], all_grammar),
        "all": (is_right, len(questions)),
    }
    return [
        {
            "questions": name,
            "solved": 100 * float(right.mean()) if len(right) else None,
            "coverage": 100 * len(right) / count if count else None,
            "number": count,
        }
        for name, (right, count) in parts.items()
    ]


def solved(
    model: TokenVectors, questions: list[Question], progress: Progress
) -> npt.NDArray[np.bool_]:
    """Return for each question whether the nearest word is the right answer."""
    words = model.lookup.words
    rows = unit(model.vectors(words))
    ids = {word: number for number, word in enumerate(words)}
    word_ids = np.array([[ids[word] for word in question.words] for question in questions], int)
    is_right = np.zeros(len(questions), bool)
    for first in range(0, len(questions), QUESTIONS_PER_BATCH):
        progress("analogies", first / len(questions))
        a, b, c, answer = word_ids[first : first + QUESTIONS_PER_BATCH].T
        cosines = (rows[b] - rows[a] + rows[c]) @ rows.T
        for excluded in (a, b, c):
            cosines[np.arange(len(excluded)), excluded] = -np.inf
        is_right[first : first + len(a)] = cosines.argmax(axis=1) == answer
    return is_right

"""Files in the format of Numeracy-600K's article titles → titles, with the numeral to predict.

A folder holds train.json, validation.json and test.json. One file, as the set is published, is
split as in the paper: of 600 titles 450 for training, 50 for validation, 100 for the test. A file
holds a JSON list of records:

    {"title": "Dow Surges 1,300 at the Open", "number": "1300", "offset": 11, "length": 5,
     "magnitude": 4, …}

The classes are 0 for a decimal, else 1 … 7 by the digits of the integer.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from numberline.errors import EvaluationDataError
from numberline.evaluation import find_set, read_set
from numberline_paper.settings import HeadlineSettings

CLASSES = 8
PARTS = {"train": 450, "validation": 50, "test": 100}  # of 600
SOURCE = "Numeracy-600K article titles (Chen et al. 2019), or others in that format"
SPLIT_SEED = 600  # not a setting: a model trained on one split must not be tested on another


class Title(NamedTuple):
    text: str
    value: float  # of the numeral
    start: int  # of the numeral, in characters
    end: int
    magnitude: int  # class of the numeral


def find_titles(settings: HeadlineSettings, part: str) -> list[Title]:
    """Return a part of the set that the settings name."""
    if settings.titles is None:
        return read_titles(find_set(settings, f"headlines/{part}.json", f"{SOURCE}, {part} part"))
    return titles_of(settings.titles, part)


def training_titles(path: str | Path) -> list[str]:
    """Return the corpus of the paper: nl.train(training_titles(…), preset="headlines")."""
    return [title.text for title in titles_of(path, "train")]


def titles_of(path: str | Path, part: str) -> list[Title]:
    """Return a part of a set: a file in a folder, or a part of one file."""
    path = Path(path)
    if path.is_dir():
        return read_titles(path / f"{part}.json")
    titles = read_titles(path)
    order = np.random.default_rng(SPLIT_SEED).permutation(len(titles))
    ends = np.cumsum(list(PARTS.values())) / sum(PARTS.values())
    parts = np.split(order, np.round(ends[:-1] * len(titles)).astype(int))
    return [titles[index] for index in parts[list(PARTS).index(part)]]


def read_titles(path: Path) -> list[Title]:
    try:
        records = json.loads(read_set(path))
    except ValueError as error:
        raise EvaluationDataError(f"{path} holds no JSON: {error}") from error
    if not isinstance(records, list) or not records:
        raise EvaluationDataError(f"{path} holds no list of titles")
    return [read_title(record, f"{path}, record {n}") for n, record in enumerate(records)]


def read_title(record: Any, name: str) -> Title:
    try:
        value = float(str(record["number"]).replace(",", ""))
        start, length, magnitude = (int(record[key]) for key in ("offset", "length", "magnitude"))
        text = str(record["title"])
    except (KeyError, TypeError, ValueError):
        raise EvaluationDataError(
            f"{name}: title, number, offset, length and magnitude are needed"
        ) from None
    if not (math.isfinite(value) and 0 <= start < start + length <= len(text)):
        raise EvaluationDataError(f"{name}: there is no numeral at offset {start}")
    if not 0 <= magnitude < CLASSES:
        raise EvaluationDataError(f"{name}: magnitude={magnitude} must be 0 to {CLASSES - 1}")
    return Title(text, value, start, start + length, magnitude)

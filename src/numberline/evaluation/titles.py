"""Files in the format of Numeracy-600K's article titles → titles, with the numeral to be told.

Three files train.json, validation.json and test.json in a folder; or one file, as the set is
published, which is then split as in the paper: 450 of 600 to train on, 50 to choose by, 100 to test
with. A file holds a JSON list of records:

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
from numberline.evaluation.sets import find_set, read_set
from numberline.evaluation.settings import EvaluationSettings

CLASSES = 8
PARTS = {"train": 450, "validation": 50, "test": 100}  # of 600
SPLIT_SEED = 600  # not a setting: a model trained on one split must not be tested on another


class Title(NamedTuple):
    text: str
    value: float  # of the numeral
    start: int  # where it stands
    end: int
    magnitude: int  # its class


def find_titles(settings: EvaluationSettings, part: str) -> list[Title]:
    """Of the set that the settings name."""
    if settings.titles is None:
        return read_titles(find_set(settings, f"headlines/{part}.json"))
    return titles_of(settings.titles, part)


def training_titles(path: str | Path) -> list[str]:
    """The corpus that the paper trains on: nl.train(training_titles(…), preset="headlines")."""
    return [title.text for title in titles_of(path, "train")]


def titles_of(path: str | Path, part: str) -> list[Title]:
    """A part of a set: of a file in a folder, or of one file that is split."""
    path = Path(path)
    if path.is_dir():
        return read_titles(path / f"{part}.json")
    titles = read_titles(path)
    order = np.random.default_rng(SPLIT_SEED).permutation(len(titles))
    shares = np.cumsum(list(PARTS.values())) / sum(PARTS.values())
    parts = np.split(order, np.round(shares[:-1] * len(titles)).astype(int))
    return [titles[at] for at in parts[list(PARTS).index(part)]]


def read_titles(path: Path) -> list[Title]:
    try:
        records = json.loads(read_set(path))
    except ValueError as error:
        raise EvaluationDataError(f"{path} holds no JSON: {error}") from error
    if not isinstance(records, list) or not records:
        raise EvaluationDataError(f"{path} holds no list of titles")
    return [read_title(record, f"{path}, record {at}") for at, record in enumerate(records)]


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
        raise EvaluationDataError(f"{name}: no numeral stands at offset {start}")
    if not 0 <= magnitude < CLASSES:
        raise EvaluationDataError(f"{name}: magnitude={magnitude} is none of 0 to {CLASSES - 1}")
    return Title(text, value, start, start + length, magnitude)

"""A corpus → its beginning, to train on, and gaps in lines that follow it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from numberline.model.context import query_of
from numberline.model.lookup import Query
from numberline.text.corpus import open_corpus
from numberline.text.scanner import tokenize

REACH = 60  # tokens to either side that are looked at


class Gap(NamedTuple):
    left: list[Query]
    right: list[Query]
    value: float  # that was there


def split_corpus(path: Path, tokens: int, held_out: int) -> tuple[list[str], list[str]]:
    """Lines with that many tokens, and lines after them that hold a digit."""
    lines = lines_of(path)
    training: list[str] = []
    while tokens > 0:
        training.append(next(lines))
        tokens -= training[-1].count(" ") + 1
    return training, list(islice((line for line in lines if any(map(str.isdigit, line))), held_out))


def lines_of(path: Path) -> Iterator[str]:
    for block in open_corpus(path).blocks():
        yield from block.data.decode("utf-8", "replace").splitlines()


def gaps_of(lines: list[str], random: np.random.Generator) -> list[Gap]:
    """One numeral of each line, and what is around it."""
    gaps = []
    for line in lines:
        found = tokenize(line)
        places = [at for at, token in enumerate(found) if token.value is not None]
        if places:
            at = int(random.choice(places))
            near = [query_of(token) for token in found[max(0, at - REACH) : at + REACH + 1]]
            middle = min(at, REACH)
            gaps.append(Gap(near[:middle], near[middle + 1 :], found[at].value or 0.0))
    return gaps

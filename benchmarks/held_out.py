"""A corpus → its first lines, to train on, and gaps in lines that follow them."""

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
    training = list(first_lines(lines, tokens))
    return training, list(islice((line for line in lines if any(map(str.isdigit, line))), held_out))


def first_lines(lines: Iterator[str], tokens: int) -> Iterator[str]:
    """Lines until they hold that many tokens, split at blanks."""
    while tokens > 0 and (line := next(lines, None)) is not None:
        yield line
        tokens -= line.count(" ") + 1


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

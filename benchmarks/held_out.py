"""A corpus → its first lines, to train on, and lines with a digit that follow them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from numberline.reading import open_corpus, sentences_of


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
    for line in sentences_of(open_corpus(path)):
        assert isinstance(line, str), "a text, not lists of tokens"
        yield line

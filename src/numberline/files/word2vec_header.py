"""The first line of a word2vec file → the numbers of words and of dimensions."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from numberline.errors import VectorsError

MOST_DIMENSIONS = 100_000
_HEADER = re.compile(rb"\s*(\d{1,15})\s+(\d{1,15})\s*")


class Header(NamedTuple):
    words: int
    dim: int


def read_header(line: bytes, name: str) -> Header:
    header = parse_header(line)
    if header is None:
        raise VectorsError(
            f"{name} begins with {shown(line)}, but word2vec files begin with the number of words "
            "and of dimensions; 'glove' is the format without"
        )
    if not 1 <= header.dim <= MOST_DIMENSIONS:
        raise VectorsError(
            f"{name}: its header says {header.dim:,} dimensions; 1 to {MOST_DIMENSIONS:,} are "
            "possible"
        )
    return header


def parse_header(line: bytes) -> Header | None:
    match = _HEADER.fullmatch(line.removeprefix(codecs.BOM_UTF8))
    return Header(int(match[1]), int(match[2])) if match else None


def miscounted(name: str, header: Header, words: int) -> VectorsError:
    more = "more" if words > header.words else f"{words:,}"
    return VectorsError(
        f"{name}: its header says {header.words:,} words, but there are {more}; "
        "the file is truncated or damaged"
    )


def shown(line: bytes) -> str:
    return repr(line[:40].decode("utf-8", "replace"))

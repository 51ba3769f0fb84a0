"""Blocks of a corpus → its sentences that are not empty: whole lines, or lists of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from numberline.errors import CorpusError
from numberline.reading.blocks import Block
from numberline.reading.corpus import Corpus

Sentence = str | list[str]  # a line of text, or tokens that were split elsewhere


def sentences_of(corpus: Corpus) -> Iterator[Sentence]:
    """Bytes that are no UTF-8 are replaced."""
    for block in joined(corpus.blocks()):
        if block.tokenised:
            yield from token_lists(block)
        else:
            yield from (line.decode("utf-8", "replace") for line in lines_within(block))


def lines_of(blocks: Iterable[Block]) -> Iterator[bytes]:
    """As they were found. Lists of tokens are refused: they are no lines."""
    for block in joined(blocks):
        if block.tokenised:
            raise CorpusError(f"{block.source} holds lists of tokens; text is needed")
        yield from lines_within(block)


def joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks that end where a line ends. One that does not is a part of one long line."""
    parts: list[bytes] = []
    for block in blocks:
        parts.append(block.data)
        if block.ends_line:
            yield replace(block, data=b"".join(parts)) if len(parts) > 1 else block
            parts.clear()


def lines_within(block: Block) -> Iterator[bytes]:
    # Of bytes, it splits at line feeds and carriage returns alone, as the scanner does.
    return filter(None, block.data.splitlines())


def token_lists(block: Block) -> Iterator[list[str]]:
    for packed in filter(None, block.data.decode("utf-8", "replace").split("\0\0")):
        yield [token for token in packed.split("\0") if token]

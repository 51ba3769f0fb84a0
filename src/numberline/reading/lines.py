"""A corpus → its sentences: whole lines of text or lists of tokens, empty ones left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from numberline.reading.blocks import Block
from numberline.reading.corpus import Corpus

Sentence = str | list[str]  # a line of text, or tokens that were split elsewhere


def sentences_of(corpus: Corpus) -> Iterator[Sentence]:
    """Yield the sentences of a corpus; bytes that are not UTF-8 become U+FFFD."""
    for block in joined(corpus.blocks()):
        if block.tokenised:
            yield from token_lists(block)
        else:
            yield from (line.decode("utf-8", "replace") for line in lines_within(block))


def joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks that end where a line ends, joining the parts of a long line."""
    parts: list[bytes] = []
    for block in blocks:
        parts.append(block.data)
        if block.ends_line:
            yield replace(block, data=b"".join(parts)) if len(parts) > 1 else block
            parts.clear()


def lines_within(block: Block) -> Iterator[bytes]:
    # bytes.splitlines splits at line feeds and carriage returns alone, as the scanner does.
    return filter(None, block.data.splitlines())


def token_lists(block: Block) -> Iterator[list[str]]:
    for packed in filter(None, block.data.decode("utf-8", "replace").split("\0\0")):
        yield [token for token in packed.split("\0") if token]

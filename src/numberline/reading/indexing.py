"""A corpus → a vocabulary, and on the way each token's provisional id; in one parallel pass.

Every thread counts into a native index of its own and numbers words in the order in which it meets
them. Only when all text has been read is it known which words stay; then the indexes are merged,
and a renumbering per index turns provisional ids into final ones. So text is scanned once, and a
source that can be read only once (standard input, a generator) is as good as a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from numberline._native import Index, Renumbering, merge
from numberline.errors import CorpusError
from numberline.reading.blocks import Block
from numberline.reading.corpus import Corpus
from numberline.reading.native import native_scanner
from numberline.reading.parallel import ordered_map
from numberline.reading.vocabulary import CorpusTotals, Vocabulary
from numberline.settings import ReadingSettings

Progress = Callable[[int, int | None], None]
"""Told how many bytes of the corpus have been read, and how many there are (None: unknown)."""


@dataclass(frozen=True)
class IndexedBlock:
    """The tokens of a block, numbered by one of the indexes."""

    index: int
    ids: npt.NDArray[np.int32]  # words 0, 1, …; numerals -1, -2, … (provisional)
    line_lengths: npt.NDArray[np.int64]  # in tokens, without empty lines between the others
    ends_line: bool  # False: the next block goes on with the same line
    replaced_characters: int


class CorpusIndexer:
    """Run it over a corpus, then ask for the vocabulary."""

    def __init__(self, settings: ReadingSettings) -> None:
        self._settings = settings
        self._indexes = [Index(native_scanner(settings)) for _ in range(settings.threads)]
        self._free: SimpleQueue[int] = SimpleQueue()
        for number in range(len(self._indexes)):
            self._free.put(number)
        self._sentences = 0
        self._replaced = 0

    def run(
        self, corpus: Corpus, *, keep_ids: bool, progress: Progress | None = None
    ) -> Iterator[IndexedBlock]:
        """Index all blocks; they come in the order of the corpus."""
        joiner = LineJoiner()
        tokens = 0
        index = partial(self._index, keep_ids=keep_ids)
        for indexed in ordered_map(index, corpus.blocks(), len(self._indexes)):
            lengths = joiner.join(indexed.line_lengths, indexed.ends_line)
            self._sentences += int(np.count_nonzero(lengths))
            self._replaced += indexed.replaced_characters
            tokens += int(indexed.line_lengths.sum())
            if progress is not None:
                progress(corpus.bytes_read, corpus.size_bytes)
            yield indexed
        if not tokens:
            raise CorpusError(f"{corpus.name} holds no words and no numerals")

    def _index(self, block: Block, keep_ids: bool) -> IndexedBlock:
        number = self._free.get()
        try:
            index = self._indexes[number]
            add = index.add_tokens if block.tokenised else index.add_text
            ids, line_lengths, replaced, _ = add(block.data, keep_ids)
        finally:
            self._free.put(number)
        lengths = without_empty_lines(line_lengths)
        return IndexedBlock(number, ids, lengths, block.ends_line, replaced)

    def vocabulary(self) -> tuple[Vocabulary, list[Renumbering]]:
        """The words that stay and all numerals; and for each index its way to final ids."""
        settings = self._settings
        words, word_counts, values, value_counts, distinct_words, word_tokens, renumberings = merge(
            self._indexes, settings.min_count, settings.max_vocabulary
        )
        totals = CorpusTotals(
            sentences=self._sentences,
            word_tokens=word_tokens,
            numeral_tokens=int(value_counts.sum()),
            distinct_words=distinct_words,
            replaced_characters=self._replaced,
        )
        spelled = words.decode().split("\0")[:-1]
        return Vocabulary(spelled, word_counts, values, value_counts, totals), renumberings


class LineJoiner:
    """Line lengths block by block → lengths of whole lines, though a line may span blocks."""

    def __init__(self) -> None:
        self._open_length = 0

    def join(self, line_lengths: npt.NDArray[np.int64], ends_line: bool) -> npt.NDArray[np.int64]:
        lengths = line_lengths.copy()
        lengths[:1] += self._open_length
        if ends_line:
            self._open_length = 0
            return lengths
        self._open_length = int(lengths[-1])
        return lengths[:-1]


def without_empty_lines(line_lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Only the first and the last may be 0: they may be parts of lines that span blocks."""
    keep = line_lengths > 0
    keep[:1] = keep[-1:] = True
    return line_lengths[keep]


def count(
    corpus: Corpus, settings: ReadingSettings, progress: Progress | None = None
) -> Vocabulary:
    """The vocabulary alone."""
    indexer = CorpusIndexer(settings)
    for _ in indexer.run(corpus, keep_ids=False, progress=progress):
        pass
    return indexer.vocabulary()[0]

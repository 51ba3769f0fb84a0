"""A corpus → its vocabulary, and a provisional id for each token, in one parallel pass.

Each thread has a native counter, which numbers words and numerals in the order in which it first
sees them. Only when all text has been read can rare words be cut: the counters are merged, and a
renumbering for each turns its provisional ids into final ones. So text is scanned once, and may
come from a source that can be read only once, such as standard input or a generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.errors import CorpusError
from numberline.kernels import require_native
from numberline.reading.blocks import Block
from numberline.reading.corpus import Corpus
from numberline.reading.native import native_scanner
from numberline.reading.parallel import ordered_map
from numberline.reading.quantities.native import tables_for
from numberline.reading.vocabulary import CorpusTotals, Numerals, Vocabulary
from numberline.settings import ReadingSettings

if TYPE_CHECKING:
    from numberline._native import Renumbering

Progress = Callable[[int, int | None], None]
"""Called with the bytes of the corpus read so far and their total, or None if it is unknown."""


@dataclass(frozen=True)
class NumberedBlock:
    """The tokens of a block as provisional ids, which one of the counters assigned."""

    counter: int  # index of the counter
    ids: npt.NDArray[np.int32]
    line_lengths: npt.NDArray[np.int64]  # in tokens, without the empty lines inside the block
    ends_line: bool  # False: the line goes on in the next block
    replaced_characters: int


class CorpusCounter:
    """Numbers the tokens of a corpus, block by block, and afterwards returns its vocabulary."""

    def __init__(self, settings: ReadingSettings) -> None:
        self._settings = settings
        self._native = require_native()
        reading = native_scanner(settings), tables_for(())
        self._counters = [self._native.Counter(*reading) for _ in range(settings.threads)]
        self._idle: SimpleQueue[int] = SimpleQueue()
        for index in range(len(self._counters)):
            self._idle.put(index)
        self._sentences = 0
        self._replaced = 0
        self._missing_texts = 0

    def run(
        self, corpus: Corpus, *, keep_ids: bool, progress: Progress | None = None
    ) -> Iterator[NumberedBlock]:
        """Yield all blocks, in the order of the corpus; without `keep_ids` they hold no ids."""
        joiner = LineJoiner()
        tokens = 0
        add = partial(self._add, keep_ids=keep_ids)
        for block in ordered_map(add, corpus.blocks(), len(self._counters)):
            lengths = joiner.join(block.line_lengths, block.ends_line)
            self._sentences += int(np.count_nonzero(lengths))
            self._replaced += block.replaced_characters
            tokens += int(block.line_lengths.sum())
            if progress is not None:
                progress(corpus.bytes_read, corpus.size_bytes)
            yield block
        self._missing_texts += corpus.report.missing_texts
        if not tokens:
            raise CorpusError(f"{corpus.name} holds no words and no numerals")

    def _add(self, block: Block, keep_ids: bool) -> NumberedBlock:
        index = self._idle.get()
        try:
            counter = self._counters[index]
            add = counter.add_tokens if block.tokenised else counter.add_text
            ids, line_lengths, replaced = add(block.data, keep_ids)
        finally:
            self._idle.put(index)
        lengths = without_empty_lines(line_lengths)
        return NumberedBlock(index, ids, lengths, block.ends_line, replaced)

    def vocabulary(self) -> tuple[Vocabulary, list[Renumbering]]:
        """Return the frequent words and all numerals, and one renumbering per counter."""
        settings = self._settings
        words, word_counts, numerals, distinct_words, word_tokens, renumberings = (
            self._native.merge(self._counters, settings.min_count, settings.max_vocabulary)
        )
        totals = CorpusTotals(
            sentences=self._sentences,
            word_tokens=word_tokens,
            numeral_tokens=int(numerals[2].sum()),
            distinct_words=distinct_words,
            replaced_characters=self._replaced,
            missing_texts=self._missing_texts,
        )
        spelled = words.decode().split("\0")[:-1]
        return Vocabulary(spelled, word_counts, Numerals(*numerals), totals), renumberings


class LineJoiner:
    """Turns the line lengths of one block after another into lengths of whole lines."""

    def __init__(self) -> None:
        self._open_length = 0  # tokens so far in a line that began in earlier blocks

    def join(self, line_lengths: npt.NDArray[np.int64], ends_line: bool) -> npt.NDArray[np.int64]:
        """Return the lengths of the lines that end in this block."""
        lengths = line_lengths.copy()
        lengths[:1] += self._open_length
        if ends_line:
            self._open_length = 0
            return lengths
        self._open_length = int(lengths[-1])
        return lengths[:-1]


def without_empty_lines(line_lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Drop zeros, but not the first and last length, whose lines may go on in other blocks."""
    keep = line_lengths > 0
    keep[:1] = keep[-1:] = True
    return line_lengths[keep]


def count(
    corpus: Corpus, settings: ReadingSettings, progress: Progress | None = None
) -> Vocabulary:
    counter = CorpusCounter(settings)
    for _ in counter.run(corpus, keep_ids=False, progress=progress):
        pass
    return counter.vocabulary()[0]

"""The ids of a corpus, on the device: all of them, or a stretch at a time where they do not fit.

A stretch is some blocks of the text, one after the other. One that is fetched ahead is on its way
while another trains: it is copied from pinned memory by a stream of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from numberline.extras import optional
from numberline.text.encoded import EncodedCorpus
from numberline.training.schedule import Bounds, TextRanges

RESIDENT_SHARE = 0.4  # of the free memory of the device, that ids may take


class Fetched(NamedTuple):
    blocks: TextRanges
    ids: Any
    memory: Any  # pinned: kept until the copy is done


class DeviceText:
    def __init__(
        self, corpus: EncodedCorpus, block_bounds: Bounds, resident_bytes: int | None = None
    ) -> None:
        """Sentences are cut where blocks end: such segments are all that windows see."""
        self._cupy = optional("cupy", "cuda")
        self._ids = corpus.ids
        bounds = np.concatenate([corpus.sentence_offsets, block_bounds])
        self._segments = np.sort(bounds, kind="stable")  # fast: two runs; empty ones do no harm
        if resident_bytes is None:
            resident_bytes = int(RESIDENT_SHARE * self._cupy.cuda.runtime.memGetInfo()[0])
        self.is_resident = self._ids.nbytes <= resident_bytes
        self._all = self._cupy.asarray(self._ids) if self.is_resident else None
        self._stream = self._cupy.cuda.Stream(non_blocking=True)
        self._ahead: Fetched | None = None

    def ids(self, blocks: TextRanges, places: Any) -> Any:
        """Of these blocks; `places` are those of their tokens in the corpus, on the device."""
        if self._all is not None:
            return self._all[places]
        if self._ahead is None or not begins_with(self._ahead.blocks, blocks):
            self.fetch(blocks)
        assert self._ahead is not None
        self._stream.synchronize()
        found = self._ahead.ids[: len(places)]
        self._ahead = None
        return found

    def fetch(self, blocks: TextRanges) -> None:
        """Begin to copy the ids of blocks that will be asked for, or more of them than that."""
        if self.is_resident:
            return
        cupy, tokens = self._cupy, int(blocks.starts[-1])
        memory = cupy.cuda.alloc_pinned_memory(tokens * self._ids.itemsize)
        pinned = np.frombuffer(memory, np.int32, tokens)
        parts = [self._ids[first:last] for first, last in zip(*blocks, strict=True)]
        np.concatenate(parts, out=pinned)
        with self._stream:
            device = cupy.empty(tokens, np.int32)
            device.set(pinned, stream=self._stream)
        self._ahead = Fetched(blocks, device, memory)

    def segment_bounds(self, blocks: TextRanges) -> Any:
        """Where segments end if these blocks are put together, on the device."""
        parts = [
            self._segments[begin:end] + shift
            for begin, end, shift in zip(
                np.searchsorted(self._segments, blocks.first).tolist(),
                np.searchsorted(self._segments, blocks.last).tolist(),
                (blocks.starts[:-1] - blocks.first).tolist(),
                strict=True,
            )
        ]
        bounds = np.concatenate([*parts, blocks.starts[-1:]])
        return self._cupy.asarray(bounds.astype(np.int32))


def begins_with(blocks: TextRanges, others: TextRanges) -> bool:
    count = len(others.first)
    return all(np.array_equal(some[:count], of) for some, of in zip(blocks, others, strict=True))

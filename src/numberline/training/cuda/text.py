"""The ids of a corpus, on the device: all of them, or a stretch at a time where they do not fit.

A stretch that is asked for after another is on its way while that one trains: it is copied from
pinned memory by a stream of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.extras import optional
from numberline.text.encoded import EncodedCorpus

Bounds = npt.NDArray[np.int64]
RESIDENT_SHARE = 0.4  # of the free memory of the device, that ids may take


class DeviceText:
    def __init__(
        self, corpus: EncodedCorpus, block_bounds: Bounds, resident_bytes: int | None = None
    ) -> None:
        """Sentences are cut where blocks end: such segments are all that windows see."""
        self._cupy = optional("cupy", "cuda")
        self._ids = corpus.ids
        bounds = np.concatenate([corpus.sentence_offsets, block_bounds])
        self._segments = np.sort(bounds, kind="stable")  # fast: two runs; empty ones do no harm
        self._segments_there = self._cupy.asarray(self._segments)
        if resident_bytes is None:
            resident_bytes = int(RESIDENT_SHARE * self._cupy.cuda.runtime.memGetInfo()[0])
        self.is_resident = self._ids.nbytes <= resident_bytes
        self._all = self._cupy.asarray(self._ids) if self.is_resident else None
        self._stream = self._cupy.cuda.Stream(non_blocking=True)
        self._ahead: tuple[int, Any, Any] | None = None  # first token, ids, pinned memory

    def ids(self, first: int, last: int) -> Any:
        if self._all is not None:
            return self._all[first:last]
        if self._ahead is None or self._ahead[0] != first or len(self._ahead[1]) < last - first:
            self._fetch(first, last)
        assert self._ahead is not None
        self._stream.synchronize()
        found = self._ahead[1][: last - first]
        self._ahead = None
        self._fetch(last, min(2 * last - first, len(self._ids)))
        return found

    def _fetch(self, first: int, last: int) -> None:
        """Begin to copy; the pinned memory is kept until that is done."""
        if first >= last:
            return
        cupy = self._cupy
        memory = cupy.cuda.alloc_pinned_memory((last - first) * self._ids.itemsize)
        pinned = np.frombuffer(memory, np.int32, last - first)
        pinned[:] = self._ids[first:last]
        with self._stream:
            device = cupy.empty(last - first, np.int32)
            device.set(pinned, stream=self._stream)
        self._ahead = (first, device, memory)

    def segment_bounds(self, first: int, last: int) -> Any:
        """Where segments end, from the first token on; both must be bounds of blocks."""
        begin, end = np.searchsorted(self._segments, [first, last]).tolist()
        return (self._segments_there[begin : end + 1] - first).astype(np.int32)

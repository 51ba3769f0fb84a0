"""An encoded corpus → a checksum that tells it from others."""

from __future__ import annotations

import zlib

import numpy as np

from numberline.reading.encoded import EncodedCorpus

SAMPLED_IDS = 1 << 20  # about


def fingerprint(corpus: EncodedCorpus) -> int:
    """Return a checksum of the words, the counts and a sample of the ids."""
    vocabulary = corpus.vocabulary
    total = zlib.crc32("\0".join(vocabulary.words).encode())
    step = max(1, len(corpus.ids) // SAMPLED_IDS)
    for part in (
        vocabulary.word_counts,
        vocabulary.numerals.values,
        vocabulary.numerals.kinds,
        vocabulary.numerals.counts,
        np.array([len(corpus.ids), len(corpus)], np.int64),
        corpus.ids[::step],
    ):
        total = zlib.crc32(np.ascontiguousarray(part).tobytes(), total)
    return total

"""Blocks of text → the tokens of a launch, on the device.

If all ids fit, they stay there. Otherwise those of a launch are sent when it is planned, while the
previous launch trains.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.extras import optional
from numberline.reading.encoded import EncodedCorpus
from numberline.training.cuda.structs import DeviceText, sent
from numberline.training.plan import FIRST_NEGATIVE_DRAW, KEEP_DRAW
from numberline.training.random import random_bits, random_fraction
from numberline.training.sampling import Sampling
from numberline.training.schedule import BlockBounds, Tokens

RESIDENT_FRACTION = 0.4  # of the device's free memory that ids may take
BLOCK_FIELDS = (
    *("start", "first_centre", "last_centre", "first_token", "first_id"),
    *("first_sentence", "last_sentence"),
)
LISTED_BLOCK = np.dtype([(name, np.int64) for name in BLOCK_FIELDS])  # Block in plan.cu


class LaunchText:
    """The text of a corpus, from which each launch takes its tokens."""

    def __init__(self, corpus: EncodedCorpus, sampling: Sampling) -> None:
        cupy = optional("cupy", "cuda")
        self._ids, self._offsets = corpus.ids, corpus.sentence_offsets
        self._sampling, self._to_device = sampling, cupy.asarray
        size, free = self._ids.nbytes + self._offsets.nbytes, cupy.cuda.runtime.memGetInfo()[0]
        self.is_resident = size <= RESIDENT_FRACTION * free
        if self.is_resident:
            self._on_device = sent(self._checked(self._ids)), sent(self._offsets)

    def of_launch(self, blocks: BlockBounds, key: int) -> DeviceText:
        """List the tokens of some blocks, and tokens beyond their ends that windows reach."""
        table = self._listed_blocks(blocks, key)
        ids, offsets = self._on_device if self.is_resident else self._sent_for(table)
        return DeviceText(
            ids=ids,
            sentence_offsets=offsets,
            blocks=self._to_device(table.view(np.int64)),
            block_count=np.int32(len(blocks.first)),
            tokens=np.int32(table["start"][-1]),
            key=np.uint64(key),
        )

    def _listed_blocks(self, blocks: BlockBounds, key: int) -> npt.NDArray[Any]:
        offsets, count = self._offsets, len(blocks.first)
        first_sentence = np.searchsorted(offsets, blocks.first, side="right") - 1
        last_sentence = np.searchsorted(offsets, blocks.last, side="left")
        begin, end = offsets[first_sentence], offsets[last_sentence]
        reach = self._reach(blocks, begin, end, key)
        first = np.maximum(begin, blocks.first - reach)
        table = np.zeros(count + 1, LISTED_BLOCK)
        listed, rows = BlockBounds(first, np.minimum(end, blocks.last + reach)), table[:-1]
        table["start"] = listed.starts
        rows["first_centre"] = rows["start"] + blocks.first - first
        rows["last_centre"] = rows["start"] + blocks.last - first
        rows["first_token"] = rows["first_id"] = first
        rows["first_sentence"], rows["last_sentence"] = first_sentence, last_sentence
        return table

    def _reach(self, blocks: BlockBounds, begin: Tokens, end: Tokens, key: int) -> int:
        """Return how many tokens beyond each cut of a sentence include all that windows reach.

        `begin` and `end` are those of the sentences in which blocks begin and end.
        """
        before, after = blocks.first > begin, blocks.last < end
        edges = np.concatenate([blocks.first[before] - 1, blocks.last[after]])
        room = np.concatenate([(blocks.first - begin)[before], (end - blocks.last)[after]])
        steps = np.repeat([-1, 1], [before.sum(), after.sum()])
        reach, is_enough = 0, not len(edges)
        while not is_enough:
            reach = max(4 * reach, 4 * self._sampling.window)
            ahead = np.minimum(np.arange(reach), room[:, None] - 1)
            is_kept = self._are_kept(edges[:, None] + steps[:, None] * ahead, key)
            is_kept &= np.arange(reach) < room[:, None]
            enough = is_kept.sum(axis=1) >= self._sampling.window
            is_enough = bool(np.all(enough | (room <= reach)))
        return reach

    def _are_kept(self, tokens: Tokens, key: int) -> npt.NDArray[np.bool_]:
        draws = FIRST_NEGATIVE_DRAW + self._sampling.negatives_per_group
        fractions = random_fraction(random_bits(key, tokens * draws + KEEP_DRAW))
        probability = np.append(self._sampling.keep_probability, 1)  # the last for all numerals
        kept: npt.NDArray[np.bool_] = (
            fractions < probability[np.minimum(self._ids[tokens], self._sampling.words)]
        )
        return kept

    def _sent_for(self, table: npt.NDArray[Any]) -> tuple[Any, Any]:
        """Send ids and sentences of these blocks, and enter their indices in the table."""
        rows, starts = table[:-1], table["start"]
        ids = [
            self._ids[first : first + tokens]
            for first, tokens in zip(rows["first_token"], np.diff(starts), strict=True)
        ]
        offsets = [
            self._offsets[first : last + 1]
            for first, last in zip(rows["first_sentence"], rows["last_sentence"], strict=True)
        ]
        lengths = np.array([len(sentences) for sentences in offsets])
        ends = np.cumsum(lengths)
        rows["first_id"] = starts[:-1]
        rows["last_sentence"] = ends - 1
        rows["first_sentence"] = ends - lengths
        on_device = self._to_device(self._checked(np.concatenate(ids)))
        return on_device, self._to_device(np.concatenate(offsets))

    def _checked(self, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Refuse ids without a row: kernels would read and write out of bounds."""
        if len(ids) and not 0 <= ids.min() <= ids.max() < self._sampling.negatives.size:
            raise ValueError("an id beyond the vocabulary")
        return ids

"""Blocks of text → their plan, on the device: which rows meet in which window, round by round.

The definition is training/plan.py: the same draws, so the same windows and negatives. A round is
some text whose numerals are composed together and that is trained at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from numberline.encoders.squash import Floats
from numberline.extras import optional
from numberline.training.cuda.kernels import CudaKernels
from numberline.training.cuda.text import DeviceText
from numberline.training.negatives import AliasTable
from numberline.training.plan import CENTRES_PER_DRAW, Sampling
from numberline.training.schedule import TextRanges

MARKED_BYTES = 1 << 30  # sides times numerals times rounds that are planned at once, at most


@dataclass(frozen=True, eq=False)
class DeviceTable:
    """As training.negatives.AliasTable, on the device."""

    thresholds: Any
    others: Any

    @staticmethod
    def of(table: AliasTable) -> DeviceTable:
        cupy = optional("cupy", "cuda")
        return DeviceTable(cupy.asarray(table.thresholds), cupy.asarray(table.others))

    def arguments(self) -> tuple[Any, Any, np.uint32]:
        return self.thresholds, self.others, np.uint32(len(self.others))


@dataclass(frozen=True, eq=False)
class DeviceSampling:
    """As training.plan.Sampling, on the device."""

    keep_share: Any  # [words]
    negatives: DeviceTable  # over words and numerals
    numerals: DeviceTable  # over numerals alone
    numeral_negatives: int  # drawn from that for centres with a numeral among them
    groups: Any  # [numerals] those of one number share their rows
    group_count: int

    @staticmethod
    def of(sampling: Sampling) -> DeviceSampling:
        cupy, groups = optional("cupy", "cuda"), sampling.groups
        return DeviceSampling(
            cupy.asarray(sampling.keep_share),
            DeviceTable.of(sampling.negatives),
            DeviceTable.of(sampling.numerals),
            sampling.numeral_negatives,
            cupy.asarray(groups),
            int(groups.max(initial=-1)) + 1,
        )


@dataclass(frozen=True, eq=False)
class PlannedStretch:
    """All on the device but what is said to be on the host."""

    rows: Any  # [kept] of each kept token, as context and as centre
    first_context: Any  # [kept]
    last_context: Any  # [kept]
    negative_rows: Any  # [draws, negatives]
    first_centre: Any  # [draws + 1]
    members: Any  # groups of numerals, round by round, first for input and then for output rows
    draw_bounds: Any  # [rounds + 1]
    member_bounds: Any  # [2 rounds + 1]
    rounds: int
    segments: int  # parts of the text that are gone through at the same time
    most_members: int  # of a round, on either side


class StretchPlanner:
    def __init__(self, kernels: CudaKernels, text: DeviceText, sampling: DeviceSampling) -> None:
        self._kernels, self._text, self._sampling = kernels, text, sampling
        self._cupy = optional("cupy", "cuda")

    def plan(
        self, blocks: TextRanges, round_starts: Floats, key: int, segments: int
    ) -> PlannedStretch:
        """`round_starts` in blocks, with the end.

        Rounds go so far through each segment, in proportion: with several, blocks count as alike.
        """
        cupy, negatives = self._cupy, self._kernels.shape.negatives
        tokens = int(blocks.starts[-1])
        bounds = cupy.asarray(blocks.starts.astype(np.int32))
        places = self._places(blocks, bounds)
        ids = self._text.ids(blocks, places)
        segment_bounds = self._text.segment_bounds(blocks)
        kept_before = self._kept_before(ids, places, segment_bounds, key)
        kept_at_blocks = kept_before[bounds].get()
        draws = -(-np.diff(kept_at_blocks) // CENTRES_PER_DRAW)
        draws_before = np.concatenate([[0], np.cumsum(draws)]).astype(np.int32)
        kept, all_draws = int(kept_at_blocks[-1]), int(draws_before[-1])
        rows, first_context, last_context = (cupy.empty(kept, np.int32) for _ in range(3))
        first_centre = cupy.full(all_draws + 1, kept, np.int32)
        centre_places = cupy.empty(all_draws, np.int64)
        self._kernels.each(
            "plan_windows",
            tokens,
            *(ids, places, kept_before, segment_bounds, bounds, cupy.asarray(draws_before)),
            *(np.int32(tokens), np.int32(len(segment_bounds) - 1), np.int32(len(bounds) - 1)),
            *(np.uint64(key), rows, first_context, last_context, first_centre, centre_places),
        )
        negative_rows = cupy.empty((all_draws, negatives), np.int32)
        self._kernels.each(
            "draw_negatives",
            all_draws * negatives,
            *(centre_places, np.int32(all_draws), np.uint64(key)),
            *(*self._sampling.negatives.arguments(), *self._sampling.numerals.arguments()),
            *(np.int32(self._sampling.numeral_negatives), rows, first_centre, negative_rows),
        )
        for codes in (rows, negative_rows.reshape(-1)):
            self._take_rows(codes)
        windows = (rows, first_context, last_context, first_centre, negative_rows)
        alike = np.linspace(0, all_draws, len(draws_before))
        ends = draws_before if segments == 1 else alike
        reached = np.interp(round_starts, np.arange(len(ends)), ends)
        draw_bounds = cupy.asarray(np.rint(reached).astype(np.int32))
        members, member_bounds = self._members(windows, draw_bounds, segments)
        return PlannedStretch(
            *(rows, first_context, last_context, negative_rows, first_centre),
            *(members, draw_bounds, member_bounds, len(round_starts) - 1, segments),
            int(cupy.diff(member_bounds).max()),
        )

    def _members(
        self, windows: tuple[Any, ...], draw_bounds: Any, segments: int
    ) -> tuple[Any, Any]:
        """The numerals whose rows each round needs, and where those of each side begin."""
        cupy, rounds = self._cupy, len(draw_bounds) - 1
        draws = len(windows[3]) - 1
        round_of = cupy.zeros(draws, np.int32)
        self._kernels.each(
            "find_rounds",
            draws,
            *(draw_bounds, np.int32(rounds), np.int32(segments), np.int32(draws), round_of),
        )
        groups = max(1, self._sampling.group_count)
        is_member = cupy.zeros((rounds, 2, groups), np.uint8)
        self._kernels.each(
            "mark_members",
            draws,
            *(*windows, round_of, np.int32(draws), np.int64(groups), is_member),
        )
        marked = cupy.flatnonzero(is_member)
        bounds = cupy.searchsorted(marked, cupy.arange(2 * rounds + 1) * groups)
        return (marked % groups).astype(np.int32), bounds.astype(np.int32)

    def _places(self, blocks: TextRanges, bounds: Any) -> Any:
        """Those of all tokens of the blocks, in the corpus."""
        tokens, first_tokens = int(blocks.starts[-1]), self._cupy.asarray(blocks.first)
        places = self._cupy.empty(tokens, np.int64)
        sizes = np.int32(len(blocks.first)), np.int32(tokens)
        self._kernels.each("find_places", tokens, bounds, first_tokens, *sizes, places)
        return places

    def _kept_before(self, ids: Any, places: Any, segment_bounds: Any, key: int) -> Any:
        """How many tokens are kept before each, and in all."""
        cupy, sampling = self._cupy, self._sampling
        is_kept = cupy.empty(len(ids), np.int32)
        self._kernels.each(
            "mark_kept",
            len(ids),
            *(ids, places, np.int32(len(ids)), np.uint64(key)),
            *(sampling.keep_share, np.int32(len(sampling.keep_share)), is_kept),
        )
        kept_before = cupy.zeros(len(ids) + 1, np.int32)
        cupy.cumsum(is_kept, out=kept_before[1:])
        segments = len(segment_bounds) - 1
        self._kernels.each(
            "drop_lonely", segments, segment_bounds, np.int32(segments), kept_before, is_kept
        )
        cupy.cumsum(is_kept, out=kept_before[1:])
        return kept_before

    def _take_rows(self, ids: Any) -> None:
        """Ids of numerals become codes of their rows, in place."""
        words = len(self._sampling.keep_share)
        places = self._cupy.flatnonzero(ids >= words)
        ids[places] = -1 - self._sampling.groups[ids[places] - words]

"""Text and random numbers → which tokens meet in which window: the definition.

native/training/plan.cpp does the same fast. Frequent words are dropped at random; every token that
is kept is a centre once, and for it are drawn the reach of its window and its negatives. A token at
position p of the corpus (before dropping) owns the counters p·n, p·n + 1, … with n = 2 + negatives:

    0   kept if a uniform fraction is below the word's keep probability; numerals always are
    1   reach of the window, 1 … window
    2…  negatives, from the alias table

The negatives of every fourth centre of a range serve the three after it too: their rows are then at
hand, which saves a third of the time. A negative that is the centre itself does not count for it.
If one of the four is a numeral, the first `numerals_per_draw` come from a table of numerals alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from numberline.training.random import (
    Bits,
    lower_half,
    random_bits,
    random_fraction,
    random_index,
)
from numberline.training.sampling import AliasTable, Sampling

Ints = npt.NDArray[np.int32]
KEEP_DRAW, WIDTH_DRAW, FIRST_NEGATIVE_DRAW = 0, 1, 2
CENTRES_PER_DRAW = 4


@dataclass
class WindowPlan:
    """Kept tokens. Those before first_centre and from last_centre on lie outside the range."""

    ids: list[int] = field(default_factory=list)
    first_context: list[int] = field(default_factory=list)  # contexts: first … last - 1
    last_context: list[int] = field(default_factory=list)  # but the centre
    first_centre: int = 0
    last_centre: int = 0
    negatives: list[list[int]] = field(default_factory=list)  # ids, for CENTRES_PER_DRAW each


def plan_windows(
    ids: Ints,
    sentence_offsets: npt.NDArray[np.int64],
    first_token: int,
    last_token: int,
    sampling: Sampling,
    key: int,
) -> WindowPlan:
    """Plan the centres first_token … last_token - 1. Windows reach beyond the range, into the rest
    of a sentence that is cut by its ends, but never into another sentence."""
    plan = WindowPlan()
    positions: list[int] = []  # of the centres
    for begin, end in pairwise(sentence_offsets.tolist()):
        first, last = max(begin, first_token), min(end, last_token)
        before, within, after = kept_around(ids, (begin, first, last, end), sampling, key)
        if within and len(before) + len(within) + len(after) > 1:
            if not positions:
                plan.first_centre = len(before)
            plan.last_centre = len(plan.ids) + len(before) + len(within)
            add_sentence(plan, ids, before + within + after, sampling, key)
            positions += within
    for first in range(0, len(positions), CENTRES_PER_DRAW):
        centres = plan.ids[plan.first_centre + first : plan.last_centre][:CENTRES_PER_DRAW]
        bits = bits_of(positions[first], sampling, key)[FIRST_NEGATIVE_DRAW:]
        has_numeral = max(centres) >= sampling.words
        plan.negatives.append(draw_negatives(sampling, bits, has_numeral))
    return plan


def kept_around(
    ids: Ints, bounds: tuple[int, int, int, int], sampling: Sampling, key: int
) -> tuple[list[int], list[int], list[int]]:
    """Return kept positions of a sentence: before the range within reach, within it, and after."""
    begin, first, last, end = bounds

    def kept(positions: range) -> list[int]:
        return [at for at in positions if is_kept(at, int(ids[at]), sampling, key)]

    before, after = kept(range(begin, first)), kept(range(last, end))
    return before[-sampling.window :], kept(range(first, last)), after[: sampling.window]


def add_sentence(
    plan: WindowPlan, ids: Ints, positions: list[int], sampling: Sampling, key: int
) -> None:
    begin, end = len(plan.ids), len(plan.ids) + len(positions)
    for at, position in enumerate(positions, start=begin):
        bits = bits_of(position, sampling, key)[WIDTH_DRAW : WIDTH_DRAW + 1]
        width = 1 + int(random_index(bits, sampling.window)[0])
        plan.ids.append(int(ids[position]))
        plan.first_context.append(max(begin, at - width))
        plan.last_context.append(min(end, at + width + 1))


def draw_negatives(sampling: Sampling, bits: Bits, has_numeral: bool) -> list[int]:
    """Return ids, the first of them numerals if one of the centres is."""
    numerals = sampling.numerals_per_draw if has_numeral else 0
    drawn = draw(sampling.negatives, bits[numerals:])
    if not numerals:
        return drawn
    of_numerals = draw(sampling.numeral_negatives, bits[:numerals])
    return [sampling.words + index for index in of_numerals] + drawn


def is_kept(position: int, id: int, sampling: Sampling, key: int) -> bool:
    if id >= sampling.words:
        return True
    bits = bits_of(position, sampling, key)[KEEP_DRAW : KEEP_DRAW + 1]
    return bool(random_fraction(bits)[0] < sampling.keep_probability[id])


def bits_of(position: int, sampling: Sampling, key: int) -> Bits:
    draws = FIRST_NEGATIVE_DRAW + sampling.negatives_per_draw
    return random_bits(key, position * draws + np.arange(draws))


def draw(table: AliasTable, bits: Bits) -> list[int]:
    indices = random_index(bits, len(table.others))
    is_own = lower_half(bits) < table.thresholds[indices]
    drawn: list[int] = np.where(is_own, indices, table.others[indices]).tolist()
    return drawn

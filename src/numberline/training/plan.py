"""Text and random numbers → which rows meet in which window: the definition of native/window_plan.

A block of text is thinned out, every token that is left is a centre once, and for it are drawn the
reach of its window and its negatives. For a token at place p of the corpus (before thinning) the
draws have the counters p·n, p·n + 1, …, with n = 2 + negatives:

    0   kept if a uniform share is below the word's keep share; numerals always are
    1   reach of the window, 1 … window
    2…  negatives, from the alias table; one that is the centre itself does not count

The negatives of every fourth centre of a sentence serve the three after it too: their rows are then
at hand, which saves a third of the time.

A row is coded as one number: a word's id, or -1 - r for row r of the numerals of this block.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from numberline.training.negatives import AliasTable
from numberline.training.random import lower_half, random_bits, random_place, random_share

Ints = npt.NDArray[np.int32]
NO_ROW = -(2**31)  # a negative that does not count
KEEP_DRAW, WIDTH_DRAW, FIRST_NEGATIVE_DRAW = 0, 1, 2
CENTRES_PER_DRAW = 4


@dataclass(frozen=True, eq=False)
class Sampling:
    keep_share: npt.NDArray[np.float32]  # [words]
    negatives: AliasTable  # over words and numerals
    window: int
    negatives_per_centre: int
    groups: Ints  # [numerals] those of one number share their rows


@dataclass
class WindowPlan:
    input_rows: list[int] = field(default_factory=list)  # of each kept token as a context
    output_rows: list[int] = field(default_factory=list)  # of each kept token as a centre
    first_context: list[int] = field(default_factory=list)  # contexts: first … last - 1
    last_context: list[int] = field(default_factory=list)  # but the centre
    negative_rows: list[list[int]] = field(default_factory=list)
    input_numerals: list[int] = field(default_factory=list)  # a numeral of each input row
    output_numerals: list[int] = field(default_factory=list)  # a numeral of each output row


def plan_windows(
    ids: Ints,
    sentence_ends: npt.NDArray[np.int64],
    first_token: int,
    last_token: int,
    sampling: Sampling,
    key: int,
) -> WindowPlan:
    """Plan the tokens first_token … last_token - 1; sentences are cut where the block is."""
    plan = WindowPlan()
    for end in np.minimum(sentence_ends, last_token).tolist():
        if end > first_token:
            plan_sentence(plan, ids, first_token, end, sampling, key)
            first_token = end
    return plan


def plan_sentence(
    plan: WindowPlan, ids: Ints, first: int, last: int, sampling: Sampling, key: int
) -> None:
    words = len(sampling.keep_share)
    draws = FIRST_NEGATIVE_DRAW + sampling.negatives_per_centre
    shares = random_share(random_bits(key, np.arange(first, last) * draws + KEEP_DRAW))
    kept = [
        place
        for place, share in zip(range(first, last), shares, strict=True)
        if ids[place] >= words or share < sampling.keep_share[ids[place]]
    ]
    if len(kept) < 2:
        return  # a token alone has nothing to learn from
    begin = len(plan.input_rows)
    end = begin + len(kept)
    for at, place in enumerate(kept, start=begin):
        bits = random_bits(key, place * draws + np.arange(draws))
        if (at - begin) % CENTRES_PER_DRAW == 0:
            negatives = draw(sampling.negatives, bits[FIRST_NEGATIVE_DRAW:])
        width = 1 + int(random_place(bits[WIDTH_DRAW : WIDTH_DRAW + 1], sampling.window)[0])
        token = int(ids[place])
        plan.input_rows.append(row_of(token, sampling, plan.input_numerals))
        plan.output_rows.append(row_of(token, sampling, plan.output_numerals))
        plan.first_context.append(max(begin, at - width))
        plan.last_context.append(min(end, at + width + 1))
        plan.negative_rows.append(
            [
                NO_ROW if drawn == token else row_of(drawn, sampling, plan.output_numerals)
                for drawn in negatives
            ]
        )


def draw(table: AliasTable, bits: npt.NDArray[np.uint64]) -> list[int]:
    places = random_place(bits, len(table.others))
    is_kept = lower_half(bits) < table.thresholds[places]
    drawn: list[int] = np.where(is_kept, places, table.others[places]).tolist()
    return drawn


def row_of(token: int, sampling: Sampling, numerals: list[int]) -> int:
    numeral = token - len(sampling.keep_share)
    if numeral < 0:
        return token
    groups = [sampling.groups[other] for other in numerals]
    if sampling.groups[numeral] not in groups:
        groups.append(sampling.groups[numeral])
        numerals.append(numeral)
    return -1 - groups.index(sampling.groups[numeral])

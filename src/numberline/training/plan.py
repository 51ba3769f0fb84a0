"""Text and random numbers → which rows meet in which window: the definition of native/window_plan.

A block of text is thinned out, every token that is left is a centre once, and for it are drawn the
reach of its window and its negatives. For a token at place p of the corpus (before thinning) the
draws have the counters p·n, p·n + 1, …, with n = 2 + negatives:

    0   kept if a uniform share is below the word's keep share; numerals always are
    1   reach of the window, 1 … window
    2…  negatives, from the alias table

The negatives of every fourth centre of a block serve the three after it too: their rows are then at
hand, which saves a third of the time. A negative that is the centre itself does not count for it.
If one of the four is a numeral, the first numeral_negatives come from a table of numerals alone.

A row is coded as one number: a word's id, or -1 - r for row r of the numerals of this block.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from numberline.config import TrainingConfig
from numberline.text.vocabulary import Vocabulary
from numberline.training.negatives import (
    AliasTable,
    alias_table,
    keep_shares,
    negative_shares,
    numeral_shares,
)
from numberline.training.random import Bits, lower_half, random_bits, random_place, random_share

Ints = npt.NDArray[np.int32]
KEEP_DRAW, WIDTH_DRAW, FIRST_NEGATIVE_DRAW = 0, 1, 2
CENTRES_PER_DRAW = 4


@dataclass(frozen=True, eq=False)
class Sampling:
    keep_share: npt.NDArray[np.float32]  # [words]
    negatives: AliasTable  # over words and numerals
    window: int
    negatives_per_centre: int
    groups: Ints  # [numerals] those of one number share their rows
    numerals: AliasTable  # over numerals alone, if any are drawn from it
    numeral_negatives: int  # so many are, for centres with a numeral among them

    @staticmethod
    def of(vocabulary: Vocabulary, tokens: int, groups: Ints, config: TrainingConfig) -> Sampling:
        words, numerals = vocabulary.word_counts, vocabulary.numeral_counts
        alone = numeral_shares(numerals) if config.negatives_of_numerals else np.zeros(0)
        return Sampling(
            keep_shares(words, tokens, config.sample),
            alias_table(negative_shares(words, numerals)),
            config.window,
            config.negatives,
            groups,
            alias_table(alone),
            config.negatives_of_numerals,
        )


@dataclass
class WindowPlan:
    input_rows: list[int] = field(default_factory=list)  # of each kept token as a context
    output_rows: list[int] = field(default_factory=list)  # of each kept token as a centre
    first_context: list[int] = field(default_factory=list)  # contexts: first … last - 1
    last_context: list[int] = field(default_factory=list)  # but the centre
    negative_rows: list[list[int]] = field(default_factory=list)  # for CENTRES_PER_DRAW each
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
    places: list[int] = []  # of the centres
    for end in np.minimum(sentence_ends, last_token).tolist():
        if end > first_token:
            places += plan_sentence(plan, ids, first_token, end, sampling, key)
            first_token = end
    for first in range(0, len(places), CENTRES_PER_DRAW):
        bits = draws_of(places[first], sampling, key)[FIRST_NEGATIVE_DRAW:]
        has_numeral = min(plan.output_rows[first : first + CENTRES_PER_DRAW]) < 0
        drawn = draw_negatives(sampling, bits, sampling.numeral_negatives if has_numeral else 0)
        plan.negative_rows.append([row_of(id, sampling, plan.output_numerals) for id in drawn])
    return plan


def draw_negatives(sampling: Sampling, bits: Bits, numerals: int) -> list[int]:
    """Ids, the first ones of numerals."""
    drawn = draw(sampling.negatives, bits[numerals:])
    if not numerals:
        return drawn
    words = len(sampling.keep_share)
    return [words + place for place in draw(sampling.numerals, bits[:numerals])] + drawn


def plan_sentence(
    plan: WindowPlan, ids: Ints, first: int, last: int, sampling: Sampling, key: int
) -> list[int]:
    """Add the windows of a sentence; the places of its centres."""
    kept = [place for place in range(first, last) if is_kept(place, ids[place], sampling, key)]
    if len(kept) < 2:
        return []  # a token alone has nothing to learn from
    begin = len(plan.input_rows)
    end = begin + len(kept)
    for at, place in enumerate(kept, start=begin):
        bits = draws_of(place, sampling, key)[WIDTH_DRAW : WIDTH_DRAW + 1]
        width = 1 + int(random_place(bits, sampling.window)[0])
        plan.input_rows.append(row_of(int(ids[place]), sampling, plan.input_numerals))
        plan.output_rows.append(row_of(int(ids[place]), sampling, plan.output_numerals))
        plan.first_context.append(max(begin, at - width))
        plan.last_context.append(min(end, at + width + 1))
    return kept


def is_kept(place: int, token: int, sampling: Sampling, key: int) -> bool:
    if token >= len(sampling.keep_share):
        return True
    bits = draws_of(place, sampling, key)[KEEP_DRAW : KEEP_DRAW + 1]
    return bool(random_share(bits)[0] < sampling.keep_share[token])


def draws_of(place: int, sampling: Sampling, key: int) -> Bits:
    draws = FIRST_NEGATIVE_DRAW + sampling.negatives_per_centre
    return random_bits(key, place * draws + np.arange(draws))


def draw(table: AliasTable, bits: Bits) -> list[int]:
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

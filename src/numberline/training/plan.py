"""A block of text and random numbers → which tokens meet in which windows: the definition.

native/training/plan.cpp and training/cuda/plan.cu do the same fast. The pieces of a text, from the
largest to the smallest:

    launch    blocks that a GPU trains at once
    block     tokens that a thread trains without returning to Python
    sentence  tokens that may meet; a block ends with one, unless it is longer than a block
    window    one centre and its contexts

Windows are trained in groups of four neighbours, which share their negatives: numerals are composed
before a group, and prototypes move after it. A step takes two windows of a group: their scores are
taken before any row moves.

Frequent words are dropped at random. Every token that is kept is a centre once; the reach of its
window is drawn, and the negatives of its group are drawn for the first centre of the group. Token t
of the corpus owns the counters t·n, t·n + 1, … with n = 2 + negatives:

    0   kept if a uniform fraction is below the word's keep probability; numerals are always kept
    1   reach of the window, 1 … window
    2…  negatives, from the alias table

Sharing negatives saves a third of the time, as their rows stay in the cache. A negative that equals
a centre does not count for it. If one of the four centres is a numeral, the first negatives
are drawn among numerals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from numberline.reading.encoded import EncodedCorpus
from numberline.training.random import (
    Bits,
    lower_half,
    random_bits,
    random_fraction,
    random_index,
)
from numberline.training.sampling import AliasTable, Sampling
from numberline.training.schedule import Block

KEEP_DRAW, WIDTH_DRAW, FIRST_NEGATIVE_DRAW = 0, 1, 2
CENTRES_PER_GROUP = 4
CENTRES_PER_STEP = 2


@dataclass
class WindowPlan:
    """Kept tokens. Those before first_centre and from last_centre on lie outside the block."""

    ids: list[int] = field(default_factory=list)
    first_context: list[int] = field(default_factory=list)  # contexts: first … last - 1
    last_context: list[int] = field(default_factory=list)  # without the centre
    first_centre: int = 0
    last_centre: int = 0
    negatives: list[list[int]] = field(default_factory=list)  # ids, for each group


def plan_windows(corpus: EncodedCorpus, block: Block, sampling: Sampling, key: int) -> WindowPlan:
    """Plan the centres of a block. Where it cuts a sentence, windows reach across the cut."""
    plan, offsets = WindowPlan(), corpus.sentence_offsets
    first_sentence = np.searchsorted(offsets, block.first_token, side="right") - 1
    last_sentence = np.searchsorted(offsets, block.last_token, side="left")
    centres: list[int] = []  # as tokens of the corpus
    for bounds in pairwise(offsets[first_sentence : last_sentence + 1].tolist()):
        before, within, after = kept_tokens(corpus.ids, bounds, block, sampling, key)
        if within and len(before) + len(within) + len(after) > 1:
            if not centres:
                plan.first_centre = len(before)
            plan.last_centre = len(plan.ids) + len(before) + len(within)
            add_sentence(plan, corpus.ids, before + within + after, sampling, key)
            centres += within
    for first in range(0, len(centres), CENTRES_PER_GROUP):
        group = plan.ids[plan.first_centre + first : plan.last_centre][:CENTRES_PER_GROUP]
        bits = bits_of(centres[first], sampling, key)[FIRST_NEGATIVE_DRAW:]
        has_numeral = max(group) >= sampling.words
        plan.negatives.append(draw_negatives(sampling, bits, has_numeral))
    return plan


def kept_tokens(
    ids: npt.NDArray[np.int32], bounds: tuple[int, int], block: Block, sampling: Sampling, key: int
) -> tuple[list[int], list[int], list[int]]:
    """Return kept tokens of a sentence: in reach before the block, within it, and after it."""

    def kept(first: int, last: int) -> list[int]:
        return [token for token in range(first, last) if is_kept(token, ids, sampling, key)]

    begin, end = bounds
    first, last = max(begin, block.first_token), min(end, block.last_token)
    before, after = kept(begin, first), kept(last, end)
    return before[-sampling.window :], kept(first, last), after[: sampling.window]


def add_sentence(
    plan: WindowPlan, ids: npt.NDArray[np.int32], tokens: list[int], sampling: Sampling, key: int
) -> None:
    begin, end = len(plan.ids), len(plan.ids) + len(tokens)
    for at, token in enumerate(tokens, start=begin):
        bits = bits_of(token, sampling, key)[WIDTH_DRAW : WIDTH_DRAW + 1]
        width = 1 + int(random_index(bits, sampling.window)[0])
        plan.ids.append(int(ids[token]))
        plan.first_context.append(max(begin, at - width))
        plan.last_context.append(min(end, at + width + 1))


def draw_negatives(sampling: Sampling, bits: Bits, has_numeral: bool) -> list[int]:
    """Return the ids of negatives; the first are numerals if a centre is a numeral."""
    numerals = sampling.numerals_per_group if has_numeral else 0
    drawn = draw(sampling.negatives, bits[numerals:])
    if not numerals:
        return drawn
    drawn_numerals = draw(sampling.numeral_negatives, bits[:numerals])
    return [sampling.words + index for index in drawn_numerals] + drawn


def is_kept(token: int, ids: npt.NDArray[np.int32], sampling: Sampling, key: int) -> bool:
    if ids[token] >= sampling.words:
        return True
    bits = bits_of(token, sampling, key)[KEEP_DRAW : KEEP_DRAW + 1]
    return bool(random_fraction(bits)[0] < sampling.keep_probability[ids[token]])


def bits_of(token: int, sampling: Sampling, key: int) -> Bits:
    """Return the random bits of a token, one item for each of its counters."""
    draws = FIRST_NEGATIVE_DRAW + sampling.negatives_per_group
    return random_bits(key, token * draws + np.arange(draws))


def draw(table: AliasTable, bits: Bits) -> list[int]:
    """Return one index of the table for each item of bits."""
    indices = random_index(bits, table.size)
    stays = lower_half(bits) < table.thresholds[indices]
    drawn: list[int] = np.where(stays, indices, table.others[indices]).tolist()
    return drawn

"""The numerals of a corpus and their encoder → what training needs to know about them all."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.config import TrainingConfig
from numberline.encoders.base import SIDES, LinearEncoder, NumeralEncoder, Side
from numberline.encoders.squash import Floats
from numberline.text.vocabulary import Vocabulary
from numberline.training.negatives import POWER
from numberline.training.plan import CENTRES_PER_DRAW

PREPARED_BYTES = 128 << 20  # what is kept about all numerals; beyond, it is made anew per block
TRIED_NUMERALS = 1000  # that say how much that will be
SAMPLED_NUMERALS = 10_000  # the most frequent ones say how numerals share prototypes
PART_TOKENS = 512  # of a part, for each thread at work: with less, one thread more does not pay
NONLINEAR_BLOCK = 256  # numerals per block of an encoder that has no weights to look at


class BlockNumerals:
    """`prepared[side][numerals]` is what compose and absorb take."""

    def __init__(
        self, encoder: NumeralEncoder | None, vocabulary: Vocabulary, config: TrainingConfig
    ) -> None:
        values = vocabulary.numeral_values
        self._encoder = encoder
        self.groups: npt.NDArray[np.int32] = np.arange(len(values), dtype=np.int32)
        self.most_per_block: int | None = None  # any number
        self._load_of_one = Overlap(0.0, 0.0)
        self._numeral_share = numeral_share(vocabulary)
        self.prepared: dict[Side, Any] = dict.fromkeys(SIDES, values)
        if encoder is None:
            return
        self.groups = encoder.groups(values)
        if prepared_bytes(encoder, values) <= PREPARED_BYTES:
            self.prepared = encoder.prepare_sides(values)
        if isinstance(encoder, LinearEncoder) and encoder.is_trained:
            pulled = most_pulled(encoder, vocabulary, self.groups, config)
            rate = config.learning_rate / config.block_load
            self._load_of_one = Overlap(rate * pulled.others, rate * pulled.all)
            if pulled.others > 0:
                most = min(1 / self._load_of_one.others, config.block_tokens)
                self.most_per_block = max(1, round(most))
        elif encoder.is_trained:
            self.most_per_block = NONLINEAR_BLOCK
            self._load_of_one = Overlap(1 / NONLINEAR_BLOCK, 1 / NONLINEAR_BLOCK)

    def most_at_once(self, threads: int) -> float:
        """Numerals that a thread may train at the first learning rate, while others do the same.

        Threads do not see each other's changes, not even those of the same numeral.
        """
        load = self._load_of_one.others + (threads - 1) * self._load_of_one.all
        return 1 / load if load > 0 else math.inf

    def worthwhile_threads(self, threads: int) -> int:
        """As many as may take parts of some length.

        Threads get ready for a part one after the other, as Python has it, so that each has to be
        busy for as long as that takes all others.
        """
        least = PART_TOKENS * self._numeral_share
        for few in range(threads, 1, -1):
            if self.most_at_once(few) >= few * least:
                return few
        return 1

    def of_groups(self) -> dict[Side, Any]:
        """What is prepared about one numeral of each group, in the order of the groups."""
        first = np.unique(self.groups, return_index=True)[1]
        inputs, outputs = (self.prepared[side] for side in SIDES)
        is_plain = isinstance(inputs, np.ndarray)  # values: there was no room for more
        if is_plain and self._encoder is not None:
            return self._encoder.prepare_sides(inputs[first])
        some = inputs[first]
        return {"input": some, "output": some if outputs is inputs else outputs[first]}


def prepared_bytes(encoder: NumeralEncoder, values: Floats) -> float:
    """About what prepare_sides would give of all values."""
    if not isinstance(encoder, LinearEncoder) or not len(values):
        return 0.0
    tried = values[:: -(-len(values) // TRIED_NUMERALS)]
    kinds = {id(weights): weights for weights in encoder.prepare_sides(tried).values()}
    return len(values) / len(tried) * sum(int(weights.nbytes) for weights in kinds.values())


def numeral_share(vocabulary: Vocabulary) -> float:
    """Of the tokens that are trained: rare words are cut."""
    numerals = int(vocabulary.numeral_counts.sum())
    return numerals / max(1, numerals + int(vocabulary.word_counts.sum()))


class Overlap(NamedTuple):
    """How much of what moves all numerals moves one of them, where that is most."""

    others: float  # without what moves itself
    all: float


def growth_of_pull(config: TrainingConfig, vocabulary: Vocabulary) -> float:
    """How many times as often a numeral pulls, at most, if numerals are told from numerals.

    A context tells a numeral in the centre once, and for each centre tells numerals among the
    negatives: as many as there are in the text, and those drawn because a numeral is near.
    """
    share = numeral_share(vocabulary)
    if share == 0:
        return 1.0
    draws = (1 - (1 - share) ** CENTRES_PER_DRAW) / (CENTRES_PER_DRAW * share)  # per numeral
    more = config.negatives_of_numerals * CENTRES_PER_DRAW * draws
    return 1 + more / (1 + config.negatives)


def most_pulled(
    encoder: LinearEncoder,
    vocabulary: Vocabulary,
    groups: npt.NDArray[np.int32],
    config: TrainingConfig,
) -> Overlap:
    """On the side where it is more.

    Only output vectors are those of negatives, so that with equal weights more pulls at them.
    """
    growth = growth_of_pull(config, vocabulary)
    outputs = largest_overlap(encoder, "output", vocabulary, groups)
    others, of_all = growth * outputs.others, growth * outputs.all
    if encoder.has_own_outputs:
        inputs = largest_overlap(encoder, "input", vocabulary, groups)
        others, of_all = max(others, inputs.others), max(of_all, inputs.all)
    return Overlap(others, of_all)


def largest_overlap(
    encoder: LinearEncoder, side: Side, vocabulary: Vocabulary, groups: npt.NDArray[np.int32]
) -> Overlap:
    """The rows of a block move without seeing each other, though they pull at the same prototypes.

    A change of row j changes row i by the product of their weights. If all the others together move
    a row by more than it moves itself, it overshoots, and with far more of them it diverges.
    """
    values, counts = vocabulary.numeral_values, vocabulary.numeral_counts
    first, group_of = np.unique(groups, return_index=True, return_inverse=True)[1:]
    mass = np.bincount(group_of, counts.astype(np.float64) ** POWER)
    sampled = np.argsort(-mass, kind="stable")[:SAMPLED_NUMERALS]
    shares = mass[sampled] / mass[sampled].sum()
    weights = encoder.prepare(values[first[sampled]], side)
    mean = weights.adjoint(shares[:, None])
    own = shares * weights.squares()
    moved = (weights @ mean)[:, 0]
    others = float(np.max(moved - own, initial=0.0))
    return Overlap(others, max(others, float(np.max(moved, initial=0.0))))

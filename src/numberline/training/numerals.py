"""The numerals of a corpus and their encoder → what training needs to know about them all."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.config import TrainingConfig
from numberline.encoders.base import LinearEncoder, NumeralEncoder
from numberline.encoders.squash import Floats
from numberline.text.vocabulary import Vocabulary
from numberline.training.negatives import POWER
from numberline.training.plan import CENTRES_PER_DRAW

PREPARED_BYTES = 128 << 20  # what is kept about all numerals; beyond, it is made anew per block
SAMPLED_NUMERALS = 10_000  # the most frequent ones say how numerals share prototypes
PART_TOKENS = 2048  # of a block, that a thread is worth while for
NONLINEAR_BLOCK = 256  # numerals per block of an encoder that has no weights to look at


class BlockNumerals:
    """`prepared[numerals]` is what compose and absorb take."""

    def __init__(
        self, encoder: NumeralEncoder | None, vocabulary: Vocabulary, config: TrainingConfig
    ) -> None:
        values = vocabulary.numeral_values
        self._encoder = encoder
        self.groups: npt.NDArray[np.int32] = np.arange(len(values), dtype=np.int32)
        self.most_per_block: int | None = None  # any number
        self._load_of_one = Overlap(0.0, 0.0)
        self._numeral_share = numeral_share(vocabulary)
        self.prepared: Any = values
        if encoder is None:
            return
        self.groups = encoder.groups(values)
        width = encoder.basis_size if isinstance(encoder, LinearEncoder) else 0
        if 4 * width * len(values) <= PREPARED_BYTES:
            self.prepared = encoder.prepare(values)
        if isinstance(encoder, LinearEncoder) and encoder.is_trained:
            shared = largest_overlap(encoder, values, vocabulary.numeral_counts, self.groups)
            pull = config.learning_rate * growth_of_pull(config, vocabulary) / config.block_load
            self._load_of_one = Overlap(pull * shared.others, pull * shared.all)
            if shared.others > 0:
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
        """As many as may take parts of some length: for short ones it takes longer to get ready."""
        least = PART_TOKENS * self._numeral_share
        return next((few for few in range(threads, 1, -1) if self.most_at_once(few) >= least), 1)

    def of_groups(self) -> Any:
        """What is prepared about one numeral of each group, in the order of the groups."""
        some = self.prepared[np.unique(self.groups, return_index=True)[1]]
        is_plain = isinstance(some, np.ndarray)  # values: there was no room for more
        return self._encoder.prepare(some) if is_plain and self._encoder is not None else some


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


def largest_overlap(
    encoder: LinearEncoder,
    values: Floats,
    counts: npt.NDArray[np.int64],
    groups: npt.NDArray[np.int32],
) -> Overlap:
    """The rows of a block move without seeing each other, though they pull at the same prototypes.

    A change of row j changes row i by the product of their weights. If all the others together move
    a row by more than it moves itself, it overshoots, and with far more of them it diverges.
    """
    first, group_of = np.unique(groups, return_index=True, return_inverse=True)[1:]
    mass = np.bincount(group_of, counts.astype(np.float64) ** POWER)
    sampled = np.argsort(-mass, kind="stable")[:SAMPLED_NUMERALS]
    shares = mass[sampled] / mass[sampled].sum()
    weights = encoder.weights(values[first[sampled]])
    mean = weights.adjoint(shares[:, None])
    own = shares * (weights.dense().astype(np.float64) ** 2).sum(axis=1)
    moved = (weights @ mean)[:, 0]
    others = float(np.max(moved - own, initial=0.0))
    return Overlap(others, max(others, float(np.max(moved, initial=0.0))))

"""Numerals of a corpus and their neighbours → a trained network.

Batches are drawn from all numerals in random order, pass after pass. The parameters move by Adam,
with a rate that rises, then falls to zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from numberline.gap_model.contexts import ContextTables, context_features, context_size
from numberline.gap_model.network import (
    Parameters,
    loss_and_gradients,
    starting_parameters,
)
from numberline.gap_model.places import FAR, NEAR, NO_TOKEN, Ids, neighbours
from numberline.reading.encoded import EncodedCorpus
from numberline.threads import thread_pool

BATCH = 1024  # numerals; their numbers are the candidates
PASSES = 3  # over the numerals of a short text; a fourth improves nothing
MOST_EXAMPLES = 6_000_000  # of all passes: a minute on two cores; more improve little
HIDDEN_FRACTION = 0.1  # near tokens that are left out, so that no single one is relied on
LEARNING_RATE = 2e-3
WARM_UP = 0.1  # of the steps, while the rate rises
MEAN_DECAY, SQUARE_DECAY, SMALLEST_SQUARE = 0.9, 0.999, 1e-8  # of Adam
WEIGHT_DECAY = 0.02  # of matrices, relative to the rate

Progress = Callable[[int, int], None]  # examples so far, and all


@dataclass(frozen=True, eq=False)
class Examples:
    """Numerals of a corpus that have a token beside them."""

    ids: npt.NDArray[np.int32]  # of the corpus
    words: int  # ids from here on are numerals
    tokens: npt.NDArray[np.int64]  # of the numerals
    text_starts: npt.NDArray[np.int64]  # of their sentences
    text_ends: npt.NDArray[np.int64]
    value_indices: npt.NDArray[np.intp]  # of the corpus' numerals among their distinct values

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, chosen: Any) -> Examples:
        return Examples(
            self.ids,
            self.words,
            self.tokens[chosen],
            self.text_starts[chosen],
            self.text_ends[chosen],
            self.value_indices,
        )

    @property
    def numerals(self) -> npt.NDArray[np.int64]:
        """Return the index of each numeral's value among the distinct ones."""
        return self.value_indices[self.ids[self.tokens] - self.words]

    def neighbours(self) -> Ids:
        return neighbours(self.ids, self.text_starts, self.tokens, self.tokens + 1, self.text_ends)


def examples_of(corpus: EncodedCorpus) -> Examples:
    """Return the numerals of a corpus that do not stand alone in a sentence."""
    words, offsets = len(corpus.vocabulary.words), corpus.sentence_offsets
    tokens = numeral_tokens(corpus.ids, words)
    sentences = np.searchsorted(offsets, tokens, side="right") - 1
    starts, ends = offsets[sentences], offsets[sentences + 1]
    value_indices = corpus.vocabulary.numerals.value_indices
    all_numerals = Examples(corpus.ids, words, tokens, starts, ends, value_indices)
    return all_numerals[ends - starts > 1]


def numeral_tokens(ids: npt.NDArray[np.int32], words: int) -> npt.NDArray[np.int64]:
    """Return the indices of numerals, without a second copy of all ids in memory."""
    step = 1 << 22
    parts = [
        first + np.flatnonzero(ids[first : first + step] >= words)
        for first in range(0, len(ids), step)
    ]
    return np.concatenate([np.zeros(0, np.int64), *parts])


@dataclass(frozen=True, eq=False)
class Batch:
    """Gaps of a batch and their numbers; a part of it has some of the gaps and all numbers."""

    ids: Ids  # [gaps, 2 · FAR]
    right: npt.NDArray[np.int64]  # [gaps] index of the right number
    numbers: npt.NDArray[np.int64]  # the distinct ones
    log_counts: npt.NDArray[np.float32]  # of these in the batch
    size: int  # gaps of the whole batch

    def part(self, chosen: slice) -> Batch:
        return replace(self, ids=self.ids[chosen], right=self.right[chosen])


@dataclass(frozen=True, eq=False)
class Inputs:
    """The tables that features of gaps and numbers are read from, in `xp`: numpy or cupy."""

    tables: ContextTables
    number_features: Any  # [distinct values, features]
    xp: Any = np

    def gradients(self, parameters: Parameters, batch: Batch) -> Parameters:
        xp = self.xp
        return loss_and_gradients(
            parameters,
            context_features(self.tables, xp.asarray(batch.ids), xp),
            self.number_features[xp.asarray(batch.numbers)],
            xp.asarray(batch.right),
            xp.asarray(batch.log_counts),
            xp,
            batch.size,
        )[1]


def fit_network(
    examples: Examples,
    inputs: Inputs,
    rng: np.random.Generator,
    threads: int = 1,
    progress: Progress | None = None,
) -> Parameters:
    """Return parameters trained on examples. Each thread takes a part of every batch."""
    xp, tables = inputs.xp, inputs.tables
    sizes = context_size(tables.words.shape[1]), inputs.number_features.shape[1]
    start = starting_parameters(*sizes, rng)
    parameters = Parameters(**{name: xp.asarray(one) for name, one in start.arrays().items()})
    size = min(BATCH, len(examples))
    steps = max(1, min(PASSES * len(examples), MOST_EXAMPLES) // size)
    bounds = np.linspace(0, size, (threads if xp is np else 1) + 1).astype(int).tolist()
    parts = [slice(*ends) for ends in pairwise(bounds)]
    adam = Adam(parameters, xp)
    # Products of a part are computed by its own thread: parts are too small for several.
    with thread_pool(len(parts)) as pool, threadpool_limits(1, "blas"):
        for step, chosen in zip(range(steps), batches(len(examples), size, rng), strict=False):
            batch = batch_of(examples[chosen], rng)
            gradients = [
                pool.submit(inputs.gradients, parameters, batch.part(part)) for part in parts
            ]
            gradient = reduce(add, (one.result() for one in gradients))
            adam.move(gradient, rate_at((step + 0.5) / steps))
            if progress is not None:
                progress((step + 1) * size, steps * size)
    return parameters


def batch_of(examples: Examples, rng: np.random.Generator) -> Batch:
    numbers, right, counts = np.unique(examples.numerals, return_inverse=True, return_counts=True)
    log_counts = np.log(counts).astype(np.float32)
    ids = without_some(examples.neighbours(), rng)
    return Batch(ids, right.reshape(-1), numbers, log_counts, len(examples))


def batches(count: int, batch: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.int64]]:
    """Yield indices of all examples in random order, again and again; a short rest is left out."""
    while True:
        order = rng.permutation(count)
        for first in range(0, count - batch + 1, batch):
            yield np.sort(order[first : first + batch])  # ascending, for reading from disk


def without_some(ids: Ids, rng: np.random.Generator) -> Ids:
    """Return ids with some near tokens left out, as if the text ended there."""
    near = ids[:, FAR - NEAR : FAR + NEAR]
    near[rng.random(near.shape, np.float32) < HIDDEN_FRACTION] = NO_TOKEN
    return ids


def rate_at(done: float) -> float:
    """Return the learning rate after a fraction of the steps: it rises, then falls as a cosine."""
    if done < WARM_UP:
        return LEARNING_RATE * done / WARM_UP
    return LEARNING_RATE * (1 + math.cos(math.pi * (done - WARM_UP) / (1 - WARM_UP))) / 2


class Adam:
    """Moves parameters by the mean of their gradients, divided by the root of the mean square."""

    def __init__(self, parameters: Parameters, xp: Any = np) -> None:
        self._xp, self._steps = xp, 0
        self._parameters = parameters.arrays()
        self._means = {name: xp.zeros_like(one) for name, one in self._parameters.items()}
        self._squares = {name: xp.zeros_like(one) for name, one in self._parameters.items()}

    def move(self, gradients: Parameters, rate: float) -> None:
        self._steps += 1
        step = rate / (1 - MEAN_DECAY**self._steps)
        square_correction = 1 / (1 - SQUARE_DECAY**self._steps)
        for name, gradient in gradients.arrays().items():
            parameter, mean, square = (
                of[name] for of in (self._parameters, self._means, self._squares)
            )
            mean += np.float32(1 - MEAN_DECAY) * (gradient - mean)
            square += np.float32(1 - SQUARE_DECAY) * (gradient * gradient - square)
            root = self._xp.sqrt(square * np.float32(square_correction))
            if parameter.ndim == 2:
                parameter *= np.float32(1 - rate * WEIGHT_DECAY)
            parameter -= np.float32(step) * mean / (root + np.float32(SMALLEST_SQUARE))

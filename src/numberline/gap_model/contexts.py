"""Ids around gaps → rows of features: near tokens at their places, and sums of the far ones.

A near token takes WORD_SIZE columns for its word and NUMBER_SIZE columns for its number; those that
do not apply are zero. Of the far tokens only words count, summed on each side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array, Floats
from numberline.gap_model.places import FAR, NEAR, NO_TOKEN
from numberline.gap_model.projection import Projection, fit_projection

WORD_SIZE = 64  # dimensions of a word's projected vector
NUMBER_SIZE = 16  # the first features of a number, and two marks: a number, and no token
WORD_POWER = 0.5  # of counts, when words are projected

_NEAR = slice(FAR - NEAR, FAR + NEAR)
_FAR = (slice(0, FAR - NEAR), slice(FAR + NEAR, 2 * FAR))


@dataclass(frozen=True, eq=False)
class ContextTables:
    """The tables that features of contexts are read from; the last row of words is zero.

    Ids from `words` on are numbers: id `words` + n has the row n of `numbers`. Its last two rows
    are those of a word and of no token.
    """

    words: Any  # [words + 1, WORD_SIZE], on the CPU or on a GPU
    numbers: Any  # [numbers + 2, NUMBER_SIZE]


def context_size(word_size: int) -> int:
    return 2 * NEAR * (word_size + NUMBER_SIZE) + 2 * word_size


def fit_word_projection(word_input: Array, counts: Floats) -> Projection:
    size = min(WORD_SIZE, word_input.shape[1])
    return fit_projection(word_input, counts**WORD_POWER, size)


def word_table(projection: Projection, word_input: Array) -> npt.NDArray[np.float32]:
    """Return the projected vectors of all words, and a row of zeros."""
    projected = projection(word_input)
    return np.vstack([projected, np.zeros((1, projected.shape[1]), np.float32)])


def number_table(features: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the rows of numbers as contexts; then those of a word, and of no token."""
    table = np.zeros((len(features) + 2, NUMBER_SIZE), np.float32)
    columns = min(NUMBER_SIZE - 2, features.shape[1])
    table[:-2, :columns] = features[:, :columns]
    table[:-2, -2] = 1
    table[-1, -1] = 1
    return table


def context_features(tables: ContextTables, ids: Any, xp: Any = np) -> Any:
    """Return the features of contexts [gaps, context_size], of ids [gaps, 2 · FAR].

    `xp` is the module of the arrays: numpy or cupy.
    """
    zero_word, no_token = len(tables.words) - 1, len(tables.numbers) - 1
    is_word = (ids >= 0) & (ids < zero_word)
    words = xp.where(is_word, ids, zero_word)
    near = ids[:, _NEAR]
    numbers = xp.where(near >= zero_word, near - zero_word, no_token - 1)
    numbers = xp.where(near == NO_TOKEN, no_token, numbers)
    parts = [
        tables.words[words[:, _NEAR]].reshape(len(ids), -1),
        tables.numbers[numbers].reshape(len(ids), -1),
    ]
    for side in _FAR:
        counts = is_word[:, side].sum(axis=1, keepdims=True)
        sums = tables.words[words[:, side]].sum(axis=1)
        parts.append(sums / xp.sqrt(1 + counts).astype(xp.float32))
    return xp.concatenate(parts, axis=1)

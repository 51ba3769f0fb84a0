"""A text with a gap → the tokens around it, each with a weight.

In training a token at some distance is a context as often as the drawn reach covers it, and a
frequent word only as often as thinning out keeps it; words that it drops bring the others nearer.
Here a context weighs by what is to be expected of that:

    keep share · (window + 1 - distance) / window,    distance = 1 + keep shares of those between

That is the weighting "training". By default the keep share counts by its root, between the weight
of training and none: frequent words say less, but in the text of one trade the telling words are
frequent too. Rows of both are among the results of the task prediction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.arrays import Array
from numberline.errors import ContextError, describe
from numberline.model.lookup import NUMERAL, UNKNOWN, Query
from numberline.numerals.base import Side
from numberline.reading.scanner import tokenize
from numberline.reading.tokens import Token

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

GAP = re.compile(r"_{3,}")
POWERS = {"root": 0.5, "training": 1.0}  # of the keep share, by the name of the weighting
USUAL = "root"
Given = str | tuple[Iterable[Query], Iterable[Query]]  # a text with a gap, or left and right of it


@dataclass(frozen=True, eq=False)
class Context:
    """Known tokens around a gap."""

    ids: npt.NDArray[np.int64]  # of words, or NUMERAL
    values: npt.NDArray[np.float64]  # of the numerals
    weights: npt.NDArray[np.float64]

    def vectors(self, model: Embeddings, side: Side) -> Array:
        rows = np.zeros((len(self.ids), model.dim), np.float32)
        is_word = self.ids >= 0
        rows[is_word] = model.word_table(side)[self.ids[is_word]]
        if len(self.values):
            rows[~is_word] = model.numeral_vectors(self.values, side)
        return rows

    def weighted_sum(self, model: Embeddings, side: Side) -> npt.NDArray[np.float64]:
        total: npt.NDArray[np.float64] = self.weights @ self.vectors(model, side)
        return total


def context_of(model: Embeddings, given: Given, weighting: str = USUAL) -> Context:
    left, right = both_sides(model, given)
    return weighted_context(model, left, right, weighting)


def both_sides(model: Embeddings, given: Given) -> tuple[list[Query], list[Query]]:
    if not isinstance(given, str):
        if not is_two_lists(given):
            raise ContextError(
                f"{describe(given)} is neither a text with a gap ___ nor two lists of tokens, left "
                "and right of it"
            )
        return list(given[0]), list(given[1])
    texts = GAP.split(given)
    if len(texts) != 2:
        raise ContextError(
            f"{describe(given)} has {len(texts) - 1} gaps; write the numeral that is asked for as "
            "one ___"
        )
    left, right = (tokenize(part, model.settings) for part in texts)
    return [query_of(token) for token in left], [query_of(token) for token in right]


def is_two_lists(given: object) -> bool:
    return (
        isinstance(given, Sequence)
        and len(given) == 2
        and all(isinstance(side, Iterable) and not isinstance(side, str) for side in given)
    )


def query_of(token: Token) -> Query:
    return token.text if token.value is None else token.value


def weighted_context(
    model: Embeddings, left: list[Query], right: list[Query], weighting: str = USUAL
) -> Context:
    """`left` and `right` in the order of the text."""
    return KnownTokens(model, [*left, *right], weighting).around(len(left), len(left))


class KnownTokens:
    """The known tokens of a text, looked up once: contexts can be had at all its places."""

    def __init__(self, model: Embeddings, queries: list[Query], weighting: str = USUAL) -> None:
        found = model.lookup.find(queries)
        is_known = found.ids != UNKNOWN
        self.window = model.settings.window
        self.power = POWERS[weighting]
        self.places = np.flatnonzero(is_known)  # in the text
        self.ids = found.ids[is_known]
        self.values = np.zeros(len(self.ids))
        self.values[self.ids == NUMERAL] = found.values
        is_word = self.ids >= 0
        self.keep = np.ones(len(self.ids))
        self.keep[is_word] = model.keep_shares[self.ids[is_word]]
        self.kept_before = np.concatenate([[0.0], np.cumsum(self.keep)])

    def around(self, left_end: int, right_start: int) -> Context:
        """Of a gap that reaches from one place of the text to another."""
        before, after = np.searchsorted(self.places, [left_end, right_start]).tolist()
        # Only what can be within the window is looked at, or long texts would take long.
        reach = self.window + 1
        first, last = np.searchsorted(
            self.kept_before,
            [self.kept_before[before] - reach, self.kept_before[after] + reach],
        ).tolist()
        sides = np.arange(first, before)[::-1], np.arange(after, min(last, len(self.ids)))
        weights = np.concatenate(
            [context_weights(self.keep[side], self.window, self.power) for side in sides]
        )
        near = np.concatenate(sides)[weights > 0]
        ids = self.ids[near]
        return Context(ids, self.values[near[ids == NUMERAL]], weights[weights > 0])


def context_weights(
    keep: npt.NDArray[np.float64], window: int, power: float
) -> npt.NDArray[np.float64]:
    """Of tokens with these keep shares, one after the other, the nearest to the gap first."""
    distance = 1 + np.cumsum(keep) - keep
    weights: npt.NDArray[np.float64] = keep**power * np.maximum(0, window + 1 - distance) / window
    return weights

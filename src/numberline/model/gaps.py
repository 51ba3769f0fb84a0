"""A text with a gap, or tokens to the left and right of one → ids of tokens, bounds of gaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from numberline.errors import ContextError, describe
from numberline.model.lookup import Lookup, Query, TokenIds

GAP = re.compile(r"_{3,}")
Sides = tuple[Iterable[Query], Iterable[Query]]  # tokens to the left and right, as in the text
TextWithGap = str | Sides
Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Gaps:
    """Gaps in one or several texts. Gap g stretches from token starts[g] up to ends[g]."""

    tokens: TokenIds  # of all texts, one text after the other
    text_starts: Indices  # [gaps] index of the first token of the gap's text
    starts: Indices  # [gaps] of the first token within the gap
    ends: Indices  # [gaps] of the first token after the gap
    text_ends: Indices  # [gaps] of the first token after the gap's text

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, chosen: npt.NDArray[np.integer]) -> Gaps:
        bounds = (self.text_starts, self.starts, self.ends, self.text_ends)
        return Gaps(self.tokens, *(one[chosen] for one in bounds))

    def tokens_nearby(self, gap: int, reach: int) -> slice:
        """Return where the tokens of a gap's text are that lie within `reach` of it."""
        first = max(int(self.text_starts[gap]), int(self.starts[gap]) - reach)
        return slice(first, min(int(self.text_ends[gap]), int(self.ends[gap]) + reach))

    def alone(self, gap: int, tokens: slice) -> Gaps:
        """Return one gap in a text of these tokens, with the values of their numerals only."""
        words, ids = self.tokens.words, self.tokens.ids[tokens].copy()
        is_numeral = ids >= words
        kept, indices = np.unique(ids[is_numeral] - words, return_inverse=True)
        ids[is_numeral] = words + indices
        start, end = (int(one[gap]) - tokens.start for one in (self.starts, self.ends))
        bounds = (np.array([bound], np.int64) for bound in (0, start, end, len(ids)))
        return Gaps(TokenIds(words, ids, self.tokens.values[kept]), *bounds)

    def repeated(self, count: int) -> Gaps:
        """Return the gaps of this many copies of the texts, one after the other."""
        tokens = replace(self.tokens, ids=np.tile(self.tokens.ids, count))
        offsets = np.repeat(np.arange(count) * len(self.tokens), len(self))
        bounds = (self.text_starts, self.starts, self.ends, self.text_ends)
        return Gaps(tokens, *(np.tile(one, count) + offsets for one in bounds))


def gaps_between(lookup: Lookup, sides: Iterable[Sides]) -> Gaps:
    """Return one gap per pair of sides: each is a text of its own."""
    pairs = [(list(left), list(right)) for left, right in sides]
    lengths = np.array([[len(left), len(right)] for left, right in pairs], np.int64).reshape(-1, 2)
    text_ends = lengths.sum(axis=1).cumsum()
    text_starts = text_ends - lengths.sum(axis=1)
    gaps = text_starts + lengths[:, 0]
    tokens = lookup.read_tokens(chain.from_iterable(left + right for left, right in pairs))
    return Gaps(tokens, text_starts, gaps, gaps, text_ends)


def numerals_as_gaps(tokens: TokenIds, text_bounds: Indices) -> Gaps:
    """Return a gap in place of each numeral of some texts; the other numerals remain.

    Text t has the tokens text_bounds[t] to text_bounds[t + 1] - 1.
    """
    starts = np.flatnonzero(tokens.is_numeral).astype(np.int64)
    texts = np.searchsorted(text_bounds, starts, side="right") - 1
    return Gaps(tokens, text_bounds[texts], starts, starts + 1, text_bounds[texts + 1])


def sides_of(lookup: Lookup, context: TextWithGap) -> Sides:
    """Return the tokens to the left and right of the one gap of a text."""
    if not isinstance(context, str):
        if not is_pair_of_lists(context):
            raise ContextError(
                f"{describe(context)} is neither a text with a gap ___ nor two lists of tokens, "
                "left and right of it"
            )
        return context
    parts = GAP.split(context)
    if len(parts) != 2:
        raise ContextError(
            f"{describe(context)} has {len(parts) - 1} gaps; write ___ once, in place of the number"
        )
    return lookup.tokens(parts[0]), lookup.tokens(parts[1])


def is_pair_of_lists(context: object) -> bool:
    return (
        isinstance(context, Sequence)
        and len(context) == 2
        and all(isinstance(side, Iterable) and not isinstance(side, str) for side in context)
    )

"""Texts → how well each of their numerals fits the words around it, and which are wrong.

A numeral is judged by the tokens around it, other numerals among them. A wrong number makes its
neighbours look wrong, too. So where a text has numerals that look wrong, each of them is judged
again with the other suspects left out, and only what then still looks wrong is called odd. If none
does, they contradict each other, and the one that looked most wrong at first is odd.
"""

from __future__ import annotations

import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import ContextError, describe
from numberline.fields import as_fraction, as_list
from numberline.model.distribution import LikelyNumber
from numberline.model.gaps import Gaps, numerals_as_gaps
from numberline.model.judged import (
    distributions,
    require_numerals,
    verdicts,
)
from numberline.reading.numerals import MAGNITUDE_SUFFIXES, MAGNITUDE_WORDS, MONEY_SUFFIXES
from numberline.reading.tokens import Token

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings
    from numberline.model.lookup import Lookup

ODD_ABOVE = 0.75  # probability that a number is wrong; so 2 to 3 % of right ones are called odd
REACH = 10  # tokens on each side that may be named as speaking against a number
COPIED = 60  # tokens on each side; those beyond hardly count
WORDS_LISTED = 3
ODD_AT_A_TIME = 256  # each is judged again without each of 20 words, which takes 75 KB
SPEAKS_AGAINST = 0.3  # fall of the log odds without a word that is named
MAGNITUDES = "|".join([*MAGNITUDE_WORDS, *MAGNITUDE_SUFFIXES, *MONEY_SUFFIXES])
MAGNITUDE = re.compile(rf"(?is).?(?:{MAGNITUDES})(?![a-z])")  # after a numeral
Mask = npt.NDArray[np.bool_]


class CheckedNumeral(NamedTuple):
    """A numeral of a text, and how well it fits there.

    `text` is the numeral as it is written, at the characters from `start` to `end`; "3 million" is
    one. `probability_wrong` supposes that as many numbers are wrong as right; it is calibrated if
    the model has a gap model. `lift` is how many times likelier the number is here than in general,
    and `percentile` the fraction of the corpus' numerals that fit less well. All three are nan if
    nothing around it is known, or only numbers that look wrong themselves. `interval` holds 90 % of
    the probability. If the number is odd, `better` lists likely ones, the likeliest first, and
    `against` the words around it that speak most against it.
    """

    text: str
    value: float
    start: int
    end: int
    probability_wrong: float
    lift: float
    percentile: float
    is_odd: bool
    better: list[LikelyNumber]
    interval: tuple[float, float] | None
    against: list[str]


def check(model: Embeddings, texts: Iterable[str], odd_above: float) -> list[list[CheckedNumeral]]:
    """Return the numerals of each text with a verdict; `odd_above` is a probability."""
    limit = as_fraction("odd_above", odd_above)
    require_numerals(model)
    texts = as_list("texts", texts)
    for text in texts:
        if not isinstance(text, str):
            raise ContextError(f"check reads a string, not {describe(text)}")
    tokens, bounds, numerals = model.lookup.read_texts(texts)
    gaps = numerals_as_gaps(model.in_context(tokens, bounds), bounds)
    judged = Judged(model, gaps, tokens.numerals, log_odds_of(limit))
    reader = with_magnitudes(model.lookup)
    written = chain.from_iterable(map(numerals_as_written, repeat(reader), texts, numerals))
    found = judged.numerals(written)
    return [[*islice(found, len(of_text))] for of_text in numerals]


def log_odds_of(limit: float) -> float:
    if limit in (0, 1):
        return math.inf if limit else -math.inf
    return math.log(limit / (1 - limit))


class Judged:
    """The verdicts on all numerals of some texts."""

    def __init__(self, model: Embeddings, gaps: Gaps, values: Floats, limit: float) -> None:
        self._model, self._gaps, self._values, self._limit = model, gaps, values, limit
        nothing = np.zeros(len(gaps.tokens), bool)
        self._found = verdicts(model, gaps, values, nothing)
        suspects = np.flatnonzero(self._found.log_odds > limit)
        self._is_hidden = nothing
        self._is_odd = np.zeros(len(gaps), bool)
        self._is_odd[suspects] = True
        rivals = suspects[in_company(gaps.text_starts[suspects])]
        if len(rivals):
            self._judge_again(rivals)

    def _judge_again(self, rivals: npt.NDArray[np.intp]) -> None:
        """Judge suspects of the same text, each with the other ones hidden."""
        gaps, first = self._gaps, self._found
        self._is_hidden[gaps.starts[rivals]] = True
        again = verdicts(self._model, gaps[rivals], self._values[rivals], self._is_hidden)
        self._is_odd[rivals] = again.log_odds > self._limit
        odd_together = []
        for of_text in np.split(rivals, np.flatnonzero(np.diff(gaps.text_starts[rivals])) + 1):
            if not self._is_odd[of_text].any():  # alone each fits: they contradict each other
                odd_together.append(of_text[np.argmax(first.log_odds[of_text])])
                self._is_hidden[gaps.starts[of_text]] = False
        contradicted = np.array(odd_together, np.intp)
        self._is_odd[contradicted] = True
        again_or_first = first.updated(rivals, again)
        self._found = again_or_first.updated(contradicted, first[contradicted])

    def numerals(self, written: Iterable[tuple[Token, int]]) -> Iterator[CheckedNumeral]:
        """Yield the verdict on each; its value is that of its token times 10^power."""
        found, better, against = self._found, self._better(), self._against()
        columns = (
            1 / (1 + np.exp(-np.clip(found.log_odds, -700, 700))),
            np.exp(found.log_lift),
            found.percentile,
            found.interval,
            self._is_odd,
        )
        verdicts_on_all = zip(*(one.tolist() for one in columns), strict=True)
        for gap, (verdict, (token, power)) in enumerate(zip(verdicts_on_all, written, strict=True)):
            wrong, lift, percentile, (low, high), is_odd = verdict
            assert token.value is not None
            yield CheckedNumeral(
                token.text,
                token.value,
                token.start,
                token.end,
                wrong,
                lift,
                percentile,
                is_odd,
                [LikelyNumber(scaled(one, power), chance) for one, chance in better[gap]],
                None if math.isnan(lift) else (scaled(low, power), scaled(high, power)),
                against[gap],
            )

    def _better(self) -> dict[int, list[LikelyNumber]]:
        """Likely values in place of each odd numeral."""
        odd = np.flatnonzero(self._is_odd)
        expected = distributions(self._model, self._gaps[odd], self._is_hidden)
        likely = (one.likely_numbers() for one in expected)
        return defaultdict(list, zip(odd.tolist(), likely, strict=True))

    def _against(self) -> dict[int, list[str]]:
        """For each odd numeral, the words without which it would look less wrong."""
        named: dict[int, list[str]] = defaultdict(list)
        odd = np.flatnonzero(self._is_odd)
        for first in range(0, len(odd), ODD_AT_A_TIME):
            self._name_words(odd[first : first + ODD_AT_A_TIME], named)
        return named

    def _name_words(self, odd: npt.NDArray[np.intp], named: dict[int, list[str]]) -> None:
        """Add the words that speak against some odd numerals."""
        model, around = self._model, words_around(self._gaps, odd)
        gaps, tokens = np.array(around, np.int64).reshape(-1, 2).T
        copies, is_hidden = with_one_hidden(self._gaps, self._is_hidden, gaps, tokens)
        odds = verdicts(model, copies, self._values[gaps], is_hidden).log_odds
        falls = self._found.log_odds[gaps] - np.nan_to_num(odds)
        for index in np.argsort(-falls, kind="stable").tolist():
            words = named[int(gaps[index])]
            word = model.words[self._gaps.tokens.ids[tokens[index]]]
            if falls[index] > SPEAKS_AGAINST and len(words) < WORDS_LISTED and word not in words:
                words.append(word)


def words_around(gaps: Gaps, chosen: npt.NDArray[np.intp]) -> list[tuple[int, int]]:
    """Return pairs of a gap and a word within REACH tokens of it."""
    pairs = []
    is_word = gaps.tokens.is_word
    for gap in chosen.tolist():
        first = max(int(gaps.text_starts[gap]), int(gaps.starts[gap]) - REACH)
        last = min(int(gaps.text_ends[gap]), int(gaps.ends[gap]) + REACH)
        pairs += [(gap, first + at) for at in np.flatnonzero(is_word[first:last]).tolist()]
    return pairs


def with_one_hidden(
    gaps: Gaps, is_hidden: Mask, chosen: npt.NDArray[np.int64], tokens: npt.NDArray[np.int64]
) -> tuple[Gaps, Mask]:
    """Return a copy of the text around each chosen gap, in which one more token is hidden."""
    starts = np.maximum(gaps.text_starts[chosen], gaps.starts[chosen] - COPIED)
    ends = np.minimum(gaps.text_ends[chosen], gaps.ends[chosen] + COPIED)
    lengths = ends - starts
    firsts = np.cumsum(lengths) - lengths  # of the copies
    shift = firsts - starts
    copied = np.arange(lengths.sum()) - np.repeat(shift, lengths)
    hidden = is_hidden[copied]
    hidden[tokens + shift] = True
    copies = Gaps(
        replace(gaps.tokens, ids=gaps.tokens.ids[copied]),
        firsts,
        gaps.starts[chosen] + shift,
        gaps.ends[chosen] + shift,
        firsts + lengths,
    )
    return copies, hidden


def in_company(texts: npt.NDArray[np.int64]) -> Mask:
    """Return which of some numerals have others of the same text among them."""
    _, inverse, counts = np.unique(texts, return_inverse=True, return_counts=True)
    has_others: Mask = counts[inverse] > 1
    return has_others


def scaled(value: float, power: int) -> float:
    """Return the value times 10^power, as if its point moved: 2.3 million is exactly 2300000.

    A result that is too large for a float becomes the largest one.
    """
    if power == 0:
        return value
    moved = float(Decimal(repr(value)).scaleb(power))
    return math.copysign(min(abs(moved), sys.float_info.max), value)


def with_magnitudes(lookup: Lookup) -> Lookup:
    return replace(lookup, settings=replace(lookup.settings, magnitudes=True))


def numerals_as_written(
    lookup: Lookup, text: str, numerals: list[Token]
) -> Iterator[tuple[Token, int]]:
    """Yield each numeral with a magnitude after it, as in 3 million, and its power of ten.

    A model judges the bare 3: the magnitude is one of the words around it. `lookup` reads
    magnitudes, and all else as the model does.
    """
    longer = {}
    if any(MAGNITUDE.match(text, token.end) for token in numerals):
        longer = {token.start: token for token in lookup.words_and_numerals(text)[1]}
    for token in numerals:
        other = longer.get(token.start, token)
        if other.end > token.end and token.value and other.value:
            yield other, round(math.log10(other.value / token.value))
        else:
            yield token, 0

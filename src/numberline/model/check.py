"""Texts → how well each of their numerals fits the words around it, and which are wrong.

A numeral is judged by the tokens around it, other numerals among them. A wrong number makes its
neighbours look wrong, too. So where a text has numerals that look wrong, each of them is judged
again with the other suspects left out, and only what then still looks wrong is called odd. If none
does, they contradict each other, and the one that looked most wrong at first is odd.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import chain
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
    warn_without_gap_model,
)
from numberline.reading.numerals import MAGNITUDE_SUFFIXES, MAGNITUDE_WORDS, MONEY_SUFFIXES
from numberline.reading.tokens import Token

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings
    from numberline.model.lookup import Lookup

ODD_ABOVE = 0.5  # probability that a number is wrong
WRONG_BEFORE = 0.1  # fraction of numbers that are wrong, before anything is known of them
REACH = 10  # tokens on each side that may be named as speaking against a number
WORDS_LISTED = 3
SPEAKS_AGAINST = 0.3  # fall of the log odds without a word that is named
NEARBY = 300  # tokens on each side: more than are read
MAGNITUDES = "|".join([*MAGNITUDE_WORDS, *MAGNITUDE_SUFFIXES, *MONEY_SUFFIXES])
MAGNITUDE = re.compile(rf"(?i)(?<![a-z])(?:{MAGNITUDES})(?![a-z])")
Mask = npt.NDArray[np.bool_]


class CheckedNumeral(NamedTuple):
    """A numeral of a text, and how well it fits there.

    `text` is the numeral as it is written, at the characters from `start` to `end`; "3 million" is
    one. `probability_wrong` supposes that one number in ten is wrong; it is calibrated if the model
    has a gap model. `lift` is how many times likelier the number is here than in general, and
    `percentile` the fraction of the corpus' numerals that fit less well. All three are nan if no
    word around it is known. `interval` holds 90 % of the probability. If the number is odd,
    `better` lists likely ones, the likeliest first, and `against` the words around it that speak
    most against it.
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
    tokens = [tokens_of(model, text) for text in texts]
    read = model.lookup.read_tokens(chain.from_iterable(tokens))
    gaps = numerals_as_gaps(read, np.cumsum([0, *map(len, tokens)]))
    if len(gaps):
        warn_without_gap_model(model)
    reader = with_magnitudes(model.lookup)
    judged = Judged(model, gaps, read.numerals, log_odds_of(limit))
    results, first = [], 0
    for text, of_text in zip(texts, tokens, strict=True):
        numerals = [token for token in of_text if token.value is not None]
        judged_here = range(first, first + len(numerals))
        written = numerals_as_written(reader, text, numerals)
        results.append(
            [judged.numeral(gap, *one) for gap, one in zip(judged_here, written, strict=True)]
        )
        first += len(numerals)
    return results


def tokens_of(model: Embeddings, text: str) -> list[Token]:
    if not isinstance(text, str):
        raise ContextError(f"check reads a string, not {describe(text)}")
    return model.lookup.tokens(text)


def log_odds_of(limit: float) -> float:
    """Return above which log odds a number is odd, if as many numbers are wrong as right."""
    if limit in (0, 1):
        return math.inf if limit else -math.inf
    return math.log(limit / (1 - limit)) - math.log(WRONG_BEFORE / (1 - WRONG_BEFORE))


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

    def numeral(self, gap: int, written: Token, power: int) -> CheckedNumeral:
        """Return the verdict on one numeral; its value is that of its token times 10^power."""
        found, is_odd = self._found, bool(self._is_odd[gap])
        lift = float(np.exp(found.log_lift[gap]))
        is_known = not math.isnan(lift)
        low, high = found.interval[gap].tolist()
        assert written.value is not None
        return CheckedNumeral(
            written.text,
            written.value,
            written.start,
            written.end,
            probability_of(float(found.log_odds[gap])),
            lift,
            float(found.percentile[gap]),
            is_odd,
            self._better(gap, power) if is_odd else [],
            (scaled(low, power), scaled(high, power)) if is_known else None,
            self._against(gap) if is_odd else [],
        )

    def _better(self, gap: int, power: int) -> list[LikelyNumber]:
        nearby, is_hidden = self._nearby(gap)
        (expected,) = distributions(self._model, nearby, is_hidden)
        return [
            LikelyNumber(scaled(value, power), probability)
            for value, probability in expected.likely_numbers()
        ]

    def _against(self, gap: int) -> list[str]:
        """Return the words without which the number would look less wrong, the strongest first."""
        nearby, is_hidden = self._nearby(gap)
        ids, words, start = nearby.tokens.ids, self._model.words, int(nearby.starts[0])
        first, last = max(0, start - REACH), min(len(ids), start + 1 + REACH)
        tokens = first + np.flatnonzero(nearby.tokens.is_word[first:last])
        without_each = np.tile(is_hidden, (len(tokens), 1))
        without_each[np.arange(len(tokens)), tokens] = True
        found = verdicts(
            self._model,
            nearby.repeated(len(tokens)),
            np.repeat(self._values[gap], len(tokens)),
            without_each.ravel(),
        )
        falls = self._found.log_odds[gap] - np.nan_to_num(found.log_odds)
        strongest = np.argsort(-falls, kind="stable")[:WORDS_LISTED]
        named = [words[ids[tokens[at]]] for at in strongest if falls[at] > SPEAKS_AGAINST]
        return list(dict.fromkeys(named))

    def _nearby(self, gap: int) -> tuple[Gaps, Mask]:
        """Return the gap with the tokens of its text around it, and which of them are hidden."""
        tokens = self._gaps.tokens_nearby(gap, NEARBY)
        return self._gaps.alone(gap, tokens), self._is_hidden[tokens]


def probability_of(log_odds: float) -> float:
    """Return the probability that a number is wrong, from odds with as many wrong as right."""
    prior = math.log(WRONG_BEFORE / (1 - WRONG_BEFORE))
    return 1 / (1 + math.exp(-min(max(log_odds + prior, -700.0), 700.0)))


def in_company(texts: npt.NDArray[np.int64]) -> Mask:
    """Return which of some numerals have others of the same text among them."""
    _, inverse, counts = np.unique(texts, return_inverse=True, return_counts=True)
    is_so: Mask = counts[inverse] > 1
    return is_so


def scaled(value: float, power: int) -> float:
    """Return the value times 10^power, as if its point moved: 2.3 million is exactly 2300000."""
    return float(Decimal(repr(value)).scaleb(power))


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
    if numerals and MAGNITUDE.search(text):
        longer = {token.start: token for token in lookup.tokens(text) if token.value is not None}
    for token in numerals:
        other = longer.get(token.start, token)
        if other.end > token.end and token.value and other.value:
            yield other, round(math.log10(other.value / token.value))
        else:
            yield token, 0

"""Text that was not trained on → gaps: numerals taken out of sentences, and what is around them."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from numberline.errors import EvaluationDataError
from numberline.model.lookup import Query
from numberline.reading.corpus import Corpus
from numberline.reading.lines import Sentence, sentences_of
from numberline.reading.scanner import read_tokens, tokenize
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

REACH = 60  # tokens kept on either side: where frequent words are thinned out, far ones count too
SENTENCES_PER_GAP = 20  # drawn, since not every one has a numeral that stands alone
DIGIT = re.compile(r"\d")
DEFAULTS = TextSettings()
CONTEXT_WORDS = 5  # tokens on each side of a numeral that are its context, as in the paper


class Gap(NamedTuple):
    left: list[Query]
    right: list[Query]
    value: float  # that was there


def sample_gaps(
    corpus: Corpus, count: int, random: np.random.Generator, text: TextSettings, alone_within: int
) -> list[Gap]:
    """Gaps of that many sentences that hold a digit, each sentence as likely as any other.

    They come in random order: of one seed, fewer are the first of more.
    """
    candidates = (sentence for sentence in sentences_of(corpus) if holds_digit(sentence))
    # The smallest of random keys are a sample, in random order, of a text of any length.
    drawn = heapq.nsmallest(count * SENTENCES_PER_GAP, candidates, key=lambda _: random.random())
    gaps = list(islice(gaps_of(drawn, random, text, alone_within), count))
    if len(gaps) < count:
        raise EvaluationDataError(
            f"{corpus.name} has {len(gaps):,} sentences with a numeral and none within "
            f"{alone_within} tokens of it, but {count:,} are asked for; lower that or add text"
        )
    return gaps


def gaps_of(
    sentences: Iterable[Sentence],
    random: np.random.Generator,
    text: TextSettings = DEFAULTS,
    alone_within: int = 0,
) -> Iterator[Gap]:
    """One numeral of each sentence that has one with no other numeral within so many tokens."""
    for sentence in sentences:
        tokens = tokens_of(sentence, text)
        places = lonely_numerals(tokens, alone_within)
        if places:
            yield gap_at(tokens, int(random.choice(places)))


def gap_at(tokens: list[Token], place: int) -> Gap:
    left, right = tokens[max(0, place - REACH) : place], tokens[place + 1 : place + 1 + REACH]
    value = tokens[place].value
    assert value is not None, "a gap is where a numeral was"
    return Gap([*left], [*right], value)


def lonely_numerals(tokens: list[Token], alone_within: int) -> list[int]:
    """The places of numerals that have no other one so near."""
    places = [place for place, token in enumerate(tokens) if token.value is not None]
    # A numeral outside has none beside it; so the first and the last one need no case of their own.
    distant = [-1 - alone_within, *places, len(tokens) + alone_within]
    return [
        place
        for before, place, after in zip(distant, places, distant[2:], strict=False)
        if min(place - before, after - place) > alone_within
    ]


def tokens_of(sentence: Sentence, text: TextSettings) -> list[Token]:
    return tokenize(sentence, text) if isinstance(sentence, str) else read_tokens(sentence, text)


def holds_digit(sentence: Sentence) -> bool:
    """Looked for before text is split into tokens, which takes far longer."""
    return bool(DIGIT.search(sentence if isinstance(sentence, str) else " ".join(sentence)))

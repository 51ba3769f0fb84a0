"""Held-out text → gaps: numerals removed from sentences, and the tokens around them."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from numberline.errors import EvaluationDataError, setting_name
from numberline.reading.corpus import Corpus
from numberline.reading.lines import Sentence, sentences_of
from numberline.reading.scanner import read_tokens
from numberline.reading.tokenizer import tokenize
from numberline.reading.tokens import Token
from numberline.settings import TextSettings

REACH = 60  # tokens kept on each side; frequent words count less, so contexts reach far
SENTENCES_PER_GAP = 20  # drawn, since many have no numeral that stands alone
DIGIT = re.compile(r"\d")
DEFAULTS = TextSettings()


class Gap(NamedTuple):
    left: list[Token]
    right: list[Token]
    value: float  # of the removed numeral


def sample_gaps(
    corpus: Corpus, count: int, random: np.random.Generator, text: TextSettings, alone_within: int
) -> list[Gap]:
    """Draw gaps from `count` sentences, each sentence with a digit being equally likely.

    They are in random order: with the same seed, a smaller sample is the start of a larger one.
    """
    drawn = sample_sentences(corpus, count * SENTENCES_PER_GAP, random)
    gaps = list(islice(gaps_of(drawn, random, text, alone_within), count))
    if len(gaps) < count:
        raise EvaluationDataError(
            f"{corpus.name} has {len(gaps):,} sentences with a numeral and no other one within "
            f"{alone_within} tokens, but {count:,} are needed; "
            f"lower {setting_name('items')} or add text"
        )
    return gaps


def sample_sentences(corpus: Corpus, count: int, random: np.random.Generator) -> list[Sentence]:
    """Draw sentences with a digit, all if there are fewer; a smaller sample begins a larger one."""
    candidates = (sentence for sentence in sentences_of(corpus) if holds_digit(sentence))
    # The smallest of random keys are a sample, in random order, of a text of any length.
    return heapq.nsmallest(count, candidates, key=lambda _: random.random())


def gaps_of(
    sentences: Iterable[Sentence],
    random: np.random.Generator,
    text: TextSettings = DEFAULTS,
    alone_within: int = 0,
) -> Iterator[Gap]:
    """Yield a gap for each sentence that has a numeral with no other one within `alone_within`."""
    for sentence in sentences:
        tokens = tokens_of(sentence, text)
        indices = lonely_numerals(tokens, alone_within)
        if indices:
            yield gap_at(tokens, int(random.choice(indices)))


def gap_at(tokens: list[Token], index: int) -> Gap:
    """Return the gap that is left when the numeral at this index is removed."""
    left, right = tokens[max(0, index - REACH) : index], tokens[index + 1 : index + 1 + REACH]
    value = tokens[index].value
    assert value is not None, "this token is no numeral"
    return Gap(left, right, value)


def lonely_numerals(tokens: list[Token], alone_within: int) -> list[int]:
    """Return the indices of numerals that have no other one within that many tokens."""
    indices = [index for index, token in enumerate(tokens) if token.value is not None]
    padded = [-1 - alone_within, *indices, len(tokens) + alone_within]
    return [
        index
        for before, index, after in zip(padded, indices, padded[2:], strict=False)
        if min(index - before, after - index) > alone_within
    ]


def tokens_of(sentence: Sentence, text: TextSettings) -> list[Token]:
    return tokenize(sentence, text) if isinstance(sentence, str) else read_tokens(sentence, text)


def holds_digit(sentence: Sentence) -> bool:
    """Look for a digit before text is split into tokens, which takes far longer."""
    return bool(DIGIT.search(sentence if isinstance(sentence, str) else " ".join(sentence)))

"""A text → the kinds that each of its numerals may be of, how likely each is, and the words why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import ContextError
from numberline.model.lookup import UNKNOWN, TokenIds
from numberline.reading.kinds import PLAIN_INDEX, UNKNOWN_KIND
from numberline.reading.tokens import Token
from numberline.reading.vocabulary import Numerals
from numberline.senses import Evidence, SenseMixture, kind_name, texts_of
from numberline.senses.evidence import CONTEXT_WORDS, PLACES, SILENT

if TYPE_CHECKING:
    from numberline.model.embeddings import Embeddings

TYPICAL_WORDS = 8
TYPICAL_POWER = 0.3  # of frequencies: at 1 typical words are those of any text, at 0 rare ones
REASONS = 3  # words beside a numeral that speak most for its likeliest sense
LEAST_PROBABILITY = 0.005  # of a sense that is listed; the likeliest one always is


class Sense(NamedTuple):
    """A kind that a numeral may be of, and words that are typical beside such numerals."""

    kind: str
    probability: float
    words: list[str]


@dataclass(frozen=True)
class NumeralSenses:
    """A numeral of a text, and what it may be."""

    text: str
    value: float
    start: int  # index of its first character
    end: int
    senses: list[Sense]  # the likeliest first
    is_told: bool  # True: signs or words beside it say the kind, and it is the only one
    because: list[str]  # words beside it that speak most for its likeliest sense

    @property
    def kind(self) -> str:
        """The likeliest kind."""
        return self.senses[0].kind


@dataclass(frozen=True, eq=False)
class SenseReader:
    """A mixture and the vocabulary it was fitted with."""

    mixture: SenseMixture
    words: list[str]
    word_counts: npt.NDArray[np.int64]

    def evidence(
        self, tokens: TokenIds, bounds: npt.NDArray[np.int64]
    ) -> tuple[Evidence, npt.NDArray[np.int64]]:
        """Return the evidence on the numerals of texts, and the token that each neighbour is.

        Text t has the tokens bounds[t] up to bounds[t + 1]. Unknown words are left out, as in a
        corpus.
        """
        is_kept = tokens.ids != UNKNOWN
        offsets = np.concatenate([[0], np.cumsum(is_kept)])[bounds]
        kinds = np.where(tokens.kinds == UNKNOWN_KIND, PLAIN_INDEX, tokens.kinds)
        numerals = Numerals(tokens.values, kinds, np.ones(len(kinds), np.int64))
        texts = texts_of(tokens.ids[is_kept], offsets, len(self.words), numerals)
        places = np.flatnonzero(texts.ids >= len(self.words))
        return texts.evidence(places), np.flatnonzero(is_kept)

    def probabilities(self, tokens: TokenIds, bounds: npt.NDArray[np.int64]) -> Floats:
        """Return the probability of each sense of each numeral, in the order of the tokens.

        A numeral whose kind the text tells is of that kind, if the mixture knows it.
        """
        evidence, _ = self.evidence(tokens, bounds)
        order = tokens.ids[tokens.is_numeral] - tokens.words
        values, kinds = tokens.values[order], tokens.kinds[order]
        probabilities = self.mixture.probabilities(evidence)
        is_alone = (evidence.neighbours == SILENT).all(axis=1)
        probabilities[is_alone] = self.mixture.of_numbers(values[is_alone])
        is_told = np.isin(kinds, self.mixture.kinds)
        probabilities[is_told] = np.equal.outer(kinds[is_told], self.mixture.kinds)
        return probabilities

    def in_context(self, tokens: TokenIds, bounds: npt.NDArray[np.int64]) -> TokenIds:
        """Return the tokens with the kind of the likeliest sense where the text tells none."""
        if not len(tokens.values):
            return tokens
        likeliest = self.mixture.kinds[self.probabilities(tokens, bounds).argmax(axis=1)]
        is_numeral = tokens.is_numeral
        numerals = tokens.ids[is_numeral] - tokens.words
        kinds = tokens.kinds[numerals]
        is_bare = np.isin(kinds, (PLAIN_INDEX, UNKNOWN_KIND))
        ids = tokens.ids.copy()
        ids[is_numeral] = tokens.words + np.arange(len(numerals))
        return TokenIds(
            tokens.words,
            ids,
            tokens.values[numerals],
            np.where(is_bare, likeliest, kinds).astype(np.int32),
        )

    @cached_property
    def typical_words(self) -> list[list[str]]:
        """The words that each sense has more often beside it than others, by how much they say."""
        known = min(len(self.words), CONTEXT_WORDS)
        fractions = self.word_counts[:known, None] / max(1, int(self.word_counts.sum()))
        ratios = self.mixture.neighbours[:, :known].astype(np.float64)
        told = (fractions**TYPICAL_POWER * np.maximum(ratios, 0)).sum(axis=0)  # [words, senses]
        best = np.argsort(-told, axis=0, kind="stable")[:TYPICAL_WORDS]
        return [[self.words[word] for word in column] for column in best.T.tolist()]


def senses(model: Embeddings, text: str) -> list[NumeralSenses]:
    """Return what each numeral of a text may be."""
    reader = model.sense_reader
    if reader is None:
        raise ContextError(
            "the model has learnt no senses of numbers: its corpus held too few of them, or was "
            "read without kinds"
        )
    scanned = model.lookup.tokens(text)
    tokens = model.lookup.read_scanned(scanned)
    bounds = np.array([0, len(tokens)])
    rows = reader.probabilities(tokens, bounds)
    evidence, kept = reader.evidence(tokens, bounds)
    numerals = np.flatnonzero(tokens.is_numeral).tolist()
    return [
        one_numeral(reader, scanned, index, row, reasons(reader, evidence, number, kept, scanned))
        for number, (index, row) in enumerate(zip(numerals, rows, strict=True))
    ]


def one_numeral(
    reader: SenseReader, scanned: list[Token], index: int, row: Floats, because: list[str]
) -> NumeralSenses:
    token = scanned[index]
    assert token.value is not None
    if token.kind != PLAIN_INDEX:
        told = [Sense(kind_name(token.kind), 1.0, typical_of(reader, token.kind))]
        return NumeralSenses(token.text, token.value, token.start, token.end, told, True, [])
    order = np.argsort(-row, kind="stable").tolist()
    listed = [sense for sense in order if row[sense] >= LEAST_PROBABILITY] or order[:1]
    found = [
        Sense(kind_name(int(reader.mixture.kinds[s])), float(row[s]), reader.typical_words[s])
        for s in listed
    ]
    return NumeralSenses(token.text, token.value, token.start, token.end, found, False, because)


def typical_of(reader: SenseReader, kind: int) -> list[str]:
    found = np.flatnonzero(reader.mixture.kinds == kind)
    return reader.typical_words[int(found[0])] if len(found) else []


def reasons(
    reader: SenseReader,
    evidence: Evidence,
    number: int,
    kept: npt.NDArray[np.int64],
    scanned: list[Token],
) -> list[str]:
    """Return the neighbours that raise the likeliest sense of one numeral most, as written."""
    one = evidence[number : number + 1]
    added = np.concatenate(
        [reader.mixture.contributions(one.neighbours[:, place], place) for place in range(PLACES)]
    )  # [places, senses]
    best = int(reader.mixture.log_scores(one)[0].argmax())
    others = np.delete(added, best, axis=1)
    gains = added[:, best] - others.mean(axis=1)
    place_of = np.flatnonzero([scanned[i].value is not None for i in kept])[number]
    chosen = [place for place in np.argsort(-gains)[:REASONS].tolist() if gains[place] > 0]
    near = PLACES // 2
    return [
        scanned[kept[place_of + place - near + (place >= near)]].text for place in sorted(chosen)
    ]

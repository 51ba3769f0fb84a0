"""Held-out text → how well senses tell years from counts; and triples of numbers and their kinds.

Year or count: items are whole numbers from 1,000 to 2,030 with a word beside them that says what
they are: before a year in, since or a month, after a count a noun such as people. That word is then
taken out of the text, and the mixture of senses is asked; what is read of the kind is ignored.

    AUC          fraction of pairs of a year and a count in which the year has the higher
                 probability of being a year; ties count half, so that chance is 0.5
    AUC, number  the same for the number alone

Triples: a number in one kind, one that should be near it, and one that should be far from it by the
cosine of their vectors. The year 2019 is nearer to the year '19 than to 2019.5, the quantity 2019
the reverse. Twenty are listed here; others are drawn from the numerals of the training text: a
number, the next one of the same kind, and the same number as another kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from numberline.arrays import Floats
from numberline.errors import EvaluationDataError
from numberline.evaluation.detection import area_under_curve
from numberline.evaluation.gaps import sample_sentences
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress, require_embeddings
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import Query
from numberline.model.token_vectors import TokenVectors
from numberline.reading.corpus import open_corpus
from numberline.reading.kinds import KIND_INDEX, KINDS, PLAIN_INDEX
from numberline.reading.tokens import Token
from numberline.senses import Evidence
from numberline.senses.evidence import SILENT

FIRST, LAST = 1000, 2030
MONTHS = (
    "january february march april may june july august september october november december".split()
)
BEFORE_YEARS = {"in", "since", *MONTHS}
AFTER_COUNTS = set(
    "people inhabitants residents men women children students members employees species km miles m "
    "feet metres households families houses copies votes seats troops soldiers passengers".split()
)
MOST_YEARS = 4000  # there are far more than counts
MOST_SENTENCES = 200_000
DRAWN_TRIPLES = 1000
FEWEST_OF_KIND = 100  # numerals of a kind that triples are drawn from

Triple = tuple[Query, Query, Query]  # a number, one that is nearer, one that is farther
TRIPLES: list[Triple] = [
    (("2019", "year"), "'19", "2019.5"),
    (("2019", "count"), "2019.5", "'19"),
    (("1985", "year"), "'85", "1985.5"),
    (("1985", "count"), "1985.5", "'85"),
    (("1999", "year"), ("2001", "year"), ("1999", "count")),
    (("1066", "year"), ("1070", "year"), ("1066", "money")),
    (("30", "age"), ("31", "age"), ("30", "percent")),
    (("65", "age"), ("66", "age"), ("65", "length")),
    (("18", "age"), ("19", "age"), ("18", "day")),
    (("7", "age"), ("8", "age"), ("7", "ordinal")),
    ("10 km", "11 km", "10 kg"),
    ("180 cm", "181 cm", "180 people"),
    ("70 kg", "71 kg", "70%"),
    ("25 °C", "26 °C", "25 km"),
    ("$20", "$21", "20%"),
    ("$100", "$101", "100 km"),
    ("$9.99", "$10.99", ("9.99", "length")),
    ("5%", "5.5%", "$5"),
    ("50%", "51%", "50 km"),
    ("90%", "91%", ("90", "count")),
]


class Item(NamedTuple):
    text: str  # without the word that tells
    start: int  # of the number
    value: float
    is_year: bool


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    trained = require_embeddings(model, "senses")
    if trained.sense_reader is None or trained.numerals is None:
        raise EvaluationDataError("the model has learnt no senses of numbers")
    if settings.text is None:
        raise EvaluationDataError("text=FILE is needed: text that the model was not trained on")
    progress("reading held-out text", 0.0)
    random = np.random.default_rng(settings.seed)
    sentences = sample_sentences(open_corpus(settings.text), MOST_SENTENCES, random)
    texts = (one if isinstance(one, str) else " ".join(one) for one in sentences)
    items = list(items_of(trained, texts))
    progress("senses", 0.5)
    is_year = np.array([item.is_year for item in items], bool)
    if not is_year.any() or is_year.all():
        raise EvaluationDataError("the text holds too few years, or counts of that size")
    by_number = year_probabilities(trained, [Item("", -1, *item[2:]) for item in items])
    row: dict[str, Cell] = {
        "years": int(is_year.sum()),
        "counts": int((~is_year).sum()),
        "AUC": area_under_curve(year_probabilities(trained, items), is_year),
        "AUC, number": area_under_curve(by_number, is_year),
    }
    drawn = drawn_triples(trained, random)
    triples: list[dict[str, Cell]] = [
        {"triples": name, "right": number_right(trained, some), "of": len(some)}
        for name, some in (("listed", TRIPLES), ("drawn", drawn))
    ]
    return [Table("Year or count", [row], decimals=3), Table("Triples of senses", triples)]


def items_of(model: Embeddings, texts: Iterable[str]) -> Iterator[Item]:
    """Yield items, the first MOST_YEARS years and all counts."""
    years = 0
    for text in texts:
        for item in items_in(text, model.lookup.tokens(text)):
            years += item.is_year
            if not item.is_year or years <= MOST_YEARS:
                yield item


def items_in(text: str, tokens: list[Token]) -> Iterator[Item]:
    padded = [None, *tokens, None]
    for before, token, after in zip(padded, tokens, padded[2:], strict=False):
        if token.value is None or token.value != round(token.value):
            continue
        is_year = before is not None and before.text in BEFORE_YEARS
        is_count = after is not None and after.text in AFTER_COUNTS
        if not FIRST <= token.value <= LAST or is_year == is_count:
            continue
        telling = before if is_year else after
        assert telling is not None
        rest = text[: telling.start] + text[telling.end :]
        shift = len(rest) - len(text) if is_year else 0
        yield Item(rest, token.start + shift, token.value, is_year)


def year_probabilities(model: Embeddings, items: list[Item]) -> Floats:
    """Return the probability that each item is a year, whatever the rest of the text tells."""
    reader = model.sense_reader
    assert reader is not None
    year = np.flatnonzero(reader.mixture.kinds == KIND_INDEX["year"])
    if not len(year):
        return np.zeros(len(items))
    found = reader.mixture.of_numbers(np.array([item.value for item in items]))[:, year[0]]
    for number, item in enumerate(items):
        tokens = model.lookup.tokens(item.text)
        starts = [token.start for token in tokens if token.value is not None]
        if item.start in starts:
            read = model.lookup.read_scanned(tokens)
            evidence, _ = reader.evidence(read, np.array([0, len(read)]))
            one = with_gap(evidence[[starts.index(item.start)]], item.is_year)
            found[number] = reader.mixture.probabilities(one, are_bare=False)[0, year[0]]
    return found


def with_gap(evidence: Evidence, is_before: bool) -> Evidence:
    """Return evidence in which the place of the word that was taken out is empty."""
    places = evidence.neighbours.shape[1]
    at = places // 2 - 1 if is_before else places // 2
    end = 0 if is_before else places - 1  # the neighbour here was one place farther
    neighbours = np.insert(np.delete(evidence.neighbours, end, axis=1), at, SILENT, axis=1)
    return Evidence(evidence.bins, neighbours)


def drawn_triples(model: Embeddings, random: np.random.Generator) -> list[Triple]:
    """Return triples of a numeral of the corpus, its successor in its kind, and another kind."""
    numerals, counts = model.vocabulary.numerals, model.vocabulary.kind_counts
    kinds = [
        kind
        for kind in range(min(len(counts), len(KINDS)))
        if kind != PLAIN_INDEX and counts[kind] >= FEWEST_OF_KIND
    ]
    if len(kinds) < 2:
        return []
    chosen = np.flatnonzero(np.isin(numerals.kinds[:-1], kinds))
    chosen = chosen[numerals.kinds[chosen] == numerals.kinds[chosen + 1]]
    triples: list[Triple] = []
    for numeral in random.choice(chosen, min(DRAWN_TRIPLES, len(chosen)), replace=False).tolist():
        kind = int(numerals.kinds[numeral])
        value, following = numerals.values[numeral : numeral + 2].tolist()
        other = KINDS[int(random.choice([one for one in kinds if one != kind]))]
        triples.append(((value, KINDS[kind]), (following, KINDS[kind]), (value, other)))
    return triples


def number_right(model: Embeddings, triples: list[Triple]) -> int:
    """Return of how many triples the second number is nearer to the first than the third is."""
    return sum(
        model.similarity(number, near) > model.similarity(number, far)
        for number, near, far in triples
    )

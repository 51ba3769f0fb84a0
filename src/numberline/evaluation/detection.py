"""Held-out text → how well a model tells numbers that were changed from those that were not.

An item is a whole sentence and one of its numerals. Items are made for each operation of
gap_model/slips.py in turn, each from a sentence of its own. In every second one the numeral is
changed by the operation; in the others it could be, but is left as it is. So true and changed
numbers differ in nothing else: where digits are swapped, the true ones have several digits too.

    AUC                fraction of pairs of a changed and a true number in which the changed one has
                       the higher suspicion; ties count half, so that chance is 0.5
    AUC of rarity      the same if a number that is rarer in the training text is more suspicious:
                       what can be told without looking at the context
    balanced accuracy  mean of the fraction of changed numbers that are called odd, and the fraction
                       of true ones that are not
    items              those with an answer: half of them changed, but for those left out

A numeral without a known word or number around it has no answer; such items are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from numberline.arrays import Floats
from numberline.errors import EvaluationDataError, setting_name
from numberline.evaluation.gaps import sample_sentences
from numberline.evaluation.result import Cell, Table
from numberline.evaluation.settings import EvaluationSettings
from numberline.evaluation.task import Progress, require_embeddings
from numberline.gap_model.slips import OPERATIONS, KindsOfNumerals, slipped
from numberline.model.check import CheckedNumeral
from numberline.model.embeddings import Embeddings
from numberline.model.lookup import Lookup
from numberline.model.token_vectors import TokenVectors
from numberline.reading.corpus import open_corpus
from numberline.reading.lines import Sentence
from numberline.reading.numerals import plain_number
from numberline.reading.tokens import Token

ITEMS_AT_A_TIME = 200  # checked together
SENTENCES_PER_ITEM = 10  # drawn, since an operation changes not every numeral

Mask = npt.NDArray[np.bool_]  # [verdicts]


class Item(NamedTuple):
    text: str
    start: int  # of the numeral that is judged, in characters
    value: float  # of that numeral, as the model reads it: 3 in 3 million, if magnitudes are words
    operation: str
    is_changed: bool


class Verdict(NamedTuple):
    operation: str
    is_changed: bool
    suspicion: float  # the probability that the number is wrong; nan without an answer
    is_odd: bool
    corpus_count: float  # occurrences of the number in the training text


def evaluate(model: TokenVectors, settings: EvaluationSettings, progress: Progress) -> list[Table]:
    trained = require_embeddings(model, "detection")
    progress("reading held-out text", 0.0)
    items = held_out_items(trained, settings)
    verdicts = verdicts_on(trained, items, progress)
    notes = (
        f"{len(items):,} sentences of the {settings.part} part; "
        f"{len(items) - len(verdicts):,} left out, since nothing around the number is known.",
    )
    return [Table("Detection of wrong numbers", detection_rows(verdicts), notes, decimals=3)]


def verdicts_on(model: Embeddings, items: list[Item], progress: Progress) -> list[Verdict]:
    """Return the verdicts on the numerals that have one."""
    verdicts = []
    for first in range(0, len(items), ITEMS_AT_A_TIME):
        progress("detection", first / len(items))
        some = items[first : first + ITEMS_AT_A_TIME]
        checked = model.check_all([item.text for item in some])
        verdicts += [verdict_on(*one, model) for one in zip(some, checked, strict=True)]
    return [verdict for verdict in verdicts if not math.isnan(verdict.suspicion)]


def verdict_on(item: Item, numerals: list[CheckedNumeral], model: Embeddings) -> Verdict:
    judged = next(numeral for numeral in numerals if numeral.start == item.start)
    (count,) = model.vocabulary.counts_of(np.array([item.value])).tolist()
    suspicion = judged.probability_wrong
    return Verdict(item.operation, item.is_changed, suspicion, judged.is_odd, count)


def held_out_items(model: Embeddings, settings: EvaluationSettings) -> list[Item]:
    """Return the items of the chosen part; the two parts have different sentences."""
    if settings.text is None:
        raise EvaluationDataError("text=FILE is needed: text that the model was not trained on")
    is_test = settings.part == "test"
    count = settings.items if is_test else 2 * settings.items
    random = np.random.default_rng(settings.seed)
    corpus = open_corpus(settings.text)
    sentences = sample_sentences(corpus, count * SENTENCES_PER_ITEM, random)
    numerals = KindsOfNumerals.of(model.vocabulary)
    items = list(islice(items_of(sentences, model.lookup, numerals, random), count))
    if len(items) < count:
        raise EvaluationDataError(
            f"{corpus.name} gives {len(items):,} sentences with a numeral that can be changed, "
            f"but {count:,} are needed; lower {setting_name('items')} or add text"
        )
    return items if is_test else items[settings.items :]


def items_of(
    sentences: Iterable[Sentence],
    lookup: Lookup,
    numerals: KindsOfNumerals,
    random: np.random.Generator,
) -> Iterator[Item]:
    """Yield a true and a changed item of each operation in turn.

    A sentence whose numeral the operation cannot change is passed over.
    """
    number = 0
    for sentence in sentences:
        text = sentence if isinstance(sentence, str) else " ".join(sentence)
        operation = OPERATIONS[number // 2 % len(OPERATIONS)]
        is_changed = number % 2 == 1
        item = item_of(text, operation, is_changed, lookup, numerals, random)
        if item is not None:
            yield item
            number += 1


def item_of(
    text: str,
    operation: str,
    is_changed: bool,
    lookup: Lookup,
    numerals: KindsOfNumerals,
    random: np.random.Generator,
) -> Item | None:
    """Return a text with one of its numerals; None if the operation cannot change that numeral."""
    tokens = [token for token in lookup.tokens(text) if token.value is not None]
    if not tokens:
        return None
    index = int(random.integers(len(tokens)))
    values = values_of(tokens)
    value, beside = values[index], values[:index] + values[index + 1 :]
    result = slipped(operation, value, beside, numerals, random)
    if result is None:
        return None
    changed = with_number(text, tokens[index], result)
    values[index] = result
    if values_of(lookup.tokens(changed)) != values:  # its neighbours may be read differently then
        return None
    start = tokens[index].start
    if is_changed:
        return Item(changed, start, result, operation, is_changed)
    return Item(text, start, value, operation, is_changed)


def values_of(tokens: Iterable[Token]) -> list[float]:
    return [token.value for token in tokens if token.value is not None]


def with_number(text: str, numeral: Token, value: float) -> str:
    """Return the text with a number, written plainly, in place of one of its numerals."""
    return text[: numeral.start] + plain_number(value) + text[numeral.end :]


def detection_rows(verdicts: list[Verdict]) -> list[dict[str, Cell]]:
    """Return one row for each operation, and one for all verdicts."""
    by_operation = {
        operation: [one for one in verdicts if one.operation == operation]
        for operation in OPERATIONS
    }
    return [
        {"operation": name, **measures(group)}
        for name, group in (by_operation | {"all": verdicts}).items()
    ]


def measures(verdicts: list[Verdict]) -> dict[str, Cell]:
    """Measure verdicts; without a true or without a changed number there is no figure."""
    is_changed = np.array([one.is_changed for one in verdicts], bool)
    suspicion = np.array([one.suspicion for one in verdicts])
    rarity = -np.array([one.corpus_count for one in verdicts])
    is_odd = np.array([one.is_odd for one in verdicts], bool)
    figures: dict[str, Cell] = dict.fromkeys(("AUC", "AUC of rarity", "balanced accuracy"))
    if is_changed.any() and not is_changed.all():
        figures = {
            "AUC": area_under_curve(suspicion, is_changed),
            "AUC of rarity": area_under_curve(rarity, is_changed),
            "balanced accuracy": balanced_accuracy(is_odd, is_changed),
        }
    return {**figures, "items": len(verdicts)}


def area_under_curve(suspicion: Floats, is_changed: Mask) -> float:
    """Return the fraction of pairs in which the changed number is higher; ties count half."""
    true, changed = np.sort(suspicion[~is_changed]), suspicion[is_changed]
    lower = np.searchsorted(true, changed, "left") + np.searchsorted(true, changed, "right")
    return float(lower.mean()) / 2 / len(true)


def balanced_accuracy(is_odd: Mask, is_changed: Mask) -> float:
    odd_and_changed, odd_and_true = is_odd[is_changed].mean(), is_odd[~is_changed].mean()
    return float(odd_and_changed + 1 - odd_and_true) / 2

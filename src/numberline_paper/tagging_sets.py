"""Names of tagged sets → their sentences: train, dev, and the test sets by name.

shop                    written by code, as `numberline demo` does it
restaurants-8k          utterances with slot spans; dev is a tenth of train, drawn by the seed
multidogo-finance       chat, the words and their labels per line; so is multidogo-insurance

The last three have no augmented and hard test sets of their own; numerals_moved.py and
numerals_without_cues.py make them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from numberline.errors import EvaluationDataError
from numberline.evaluation.sets import find_set, read_set
from numberline.evaluation.settings import EvaluationSettings
from numberline.reading.scanner import tokenize
from numberline.tagging.sentences import Span, TaggedSentence, as_bio, tag_spans
from numberline_paper.numerals_moved import augmented
from numberline_paper.numerals_without_cues import hard

HELD_OUT = 0.1  # of the training sentences, where a set has no dev part
_WORD = re.compile(r"\w+")


class TaggedSet(NamedTuple):
    train: list[TaggedSentence]
    dev: list[TaggedSentence]
    tests: dict[str, list[TaggedSentence]]  # original, augmented, hard


def load_set(name: str, settings: EvaluationSettings) -> TaggedSet:
    if name == "shop":
        return shop()
    if name == "restaurants-8k":
        train, dev, test = restaurants(settings)
    else:
        train, dev, test = (
            read_chat(find_set(settings, f"tagging/{name}/{part}.tsv"))
            for part in ("train", "dev", "test")
        )
    rng = np.random.default_rng(settings.seed)
    tests = {
        "original": test,
        "augmented": augmented(test, train + dev, rng),
        "hard": hard(test, train),
    }
    return TaggedSet(train, dev, {part: found for part, found in tests.items() if found})


def shop() -> TaggedSet:
    from numberline_shop.settings import ShopSettings
    from numberline_shop.tagged import tagged_sets

    sets = tagged_sets(ShopSettings.seed)
    tests = {"original": "test", "augmented": "test-augmented", "hard": "test-hard"}
    return TaggedSet(sets["train"], sets["dev"], {part: sets[name] for part, name in tests.items()})


def restaurants(settings: EvaluationSettings) -> list[list[TaggedSentence]]:
    read, test = (
        read_utterances(find_set(settings, f"tagging/restaurants-8k/{part}.jsonl"))
        for part in ("train", "test")
    )
    order = np.random.default_rng(settings.seed).permutation(len(read))
    held_out = set(order[: round(HELD_OUT * len(read))].tolist())
    train = [sentence for place, sentence in enumerate(read) if place not in held_out]
    dev = [sentence for place, sentence in enumerate(read) if place in held_out]
    return [train, dev, test]


def read_utterances(path: Path) -> list[TaggedSentence]:
    """Lines of JSON with a text and its spans: [start, end, label]."""
    sentences = []
    for number, line in enumerate(read_set(path).splitlines()):
        try:
            row = json.loads(line)
            spans = [Span(str(label), int(start), int(end)) for start, end, label in row["spans"]]
            sentences.append(tag_spans(tokenize(row["text"]), spans))
        except (ValueError, KeyError, TypeError):
            raise EvaluationDataError(
                f"{path}, line {number + 1}: a text and its spans are needed, as JSON"
            ) from None
    return [sentence for sentence in sentences if sentence]


def read_chat(path: Path) -> list[TaggedSentence]:
    """Lines with the words, a tab, and a label per word.

    A few lines of the published files were broken when they were made: `"ford`, a tab, `mondeo"`.
    They are passed over.
    """
    sentences = []
    for number, line in enumerate(read_set(path).splitlines()):
        words, _, labels = line.partition("\t")
        pairs = list(zip(words.split(), labels.split(), strict=False))
        if len(pairs) != len(words.split()) or len(pairs) != len(labels.split()) or not pairs:
            raise EvaluationDataError(
                f"{path}, line {number + 1}: words, a tab and as many labels are needed"
            )
        if all(_WORD.fullmatch(label) for _, label in pairs):
            sentences.append(pairs)
    return as_bio(sentences, path)

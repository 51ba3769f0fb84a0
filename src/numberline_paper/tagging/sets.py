"""Names of tagged sets → their sentences: train, dev, and the test sets by name.

shop                    generated, as by `numberline demo`
restaurants-8k          utterances with labelled spans; dev is a tenth of train, drawn by the seed
multidogo-finance       chat, with the words of a message and their labels per line
multidogo-insurance     the same

The shop has an augmented and a hard test set; for the others augmented.py and hard.py make them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from numberline import tokenize
from numberline.errors import EvaluationDataError
from numberline.evaluation import EvaluationSettings, find_set, read_set
from numberline.tagging import Span, TaggedSentence, as_bio, tag_spans
from numberline_paper.tagging.augmented import augmented
from numberline_paper.tagging.hard import hard
from numberline_shop import tagged_sets

CHAT_SOURCE = "MultiDoGO (Peskov et al. 2019), annotated per turn: words, a tab, and their labels"
SPANS_SOURCE = (
    "Restaurants-8k (Coope et al. 2020): a line of JSON per utterance with its text and spans "
    "[start, end, label]"
)
DEV_FRACTION = 0.1  # of the training sentences, where a set has no dev part
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
            read_chat(find_set(settings, f"tagging/{name}/{part}.tsv", CHAT_SOURCE))
            for part in ("train", "dev", "test")
        )
    rng = np.random.default_rng(settings.seed)
    tests = {
        "original": test,
        "augmented": augmented(test, train + dev, rng),
        "hard": hard(test, train),
    }
    return TaggedSet(train, dev, {name: test for name, test in tests.items() if test})


def shop() -> TaggedSet:
    sets = tagged_sets()
    tests = {"original": "test", "augmented": "test-augmented", "hard": "test-hard"}
    return TaggedSet(sets["train"], sets["dev"], {part: sets[name] for part, name in tests.items()})


def restaurants(settings: EvaluationSettings) -> list[list[TaggedSentence]]:
    sentences, test = (
        read_utterances(find_set(settings, f"tagging/restaurants-8k/{part}.jsonl", SPANS_SOURCE))
        for part in ("train", "test")
    )
    order = np.random.default_rng(settings.seed).permutation(len(sentences))
    of_dev = set(order[: round(DEV_FRACTION * len(sentences))].tolist())
    train = [sentence for index, sentence in enumerate(sentences) if index not in of_dev]
    dev = [sentence for index, sentence in enumerate(sentences) if index in of_dev]
    return [train, dev, test]


def read_utterances(path: Path) -> list[TaggedSentence]:
    """Read lines of JSON with a text and its spans: [start, end, label]."""
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
    """Read lines with the words, a tab, and a label per word.

    A few lines of the published files are broken and skipped: `"ford`, a tab, `mondeo"`.
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

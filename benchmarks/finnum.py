"""Numbers in tweets on stocks → their category, by a linear classifier on a model's vectors.

    python benchmarks/finnum.py MODEL FOLDER [--part dev]

FOLDER holds FinNum-1 (FinNum_training_rebuilded.json, FinNum_dev_rebuilded.json): each number has
one of 7 categories and 17 subcategories. Settings were chosen with --part validation: a third of
the training tweets, the default. A second model is trained on the training tweets alone, since the
words of traders are rare elsewhere.
"""

from __future__ import annotations

import argparse
import html
import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from machine import machine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

import numberline as nl
from numberline.gap_model.numbers import forms
from numberline.gap_model.places import neighbours
from numberline.model.embeddings import Embeddings
from numberline.reading.kinds import KINDS
from numberline.reading.tokens import Token
from numberline.senses.bins import BINS, bins_of

FILES = {"train": "FinNum_training_rebuilded.json", "dev": "FinNum_dev_rebuilded.json"}
NEAR = 3  # tokens on each side whose vectors count one by one
CROSSED_KINDS = 6  # the first kinds, in each of which the context may mean something else
C = 0.05  # inverse strength of the classifier's regularisation
DOMAIN = {"dim": 100, "epochs": 80, "window": 4, "min_count": 2, "gap_model": False}


class Item(NamedTuple):
    tweet: int
    text: str
    start: int
    end: int
    number: float
    category: str
    subcategory: str


def read_items(path: Path) -> list[Item]:
    items = []
    for tweet in json.loads(path.read_text("utf-8")):
        text, used = html.unescape(tweet.get("tweet") or ""), set()
        targets = zip(tweet["target_num"], tweet["category"], tweet["subcategory"], strict=True)
        for number, category, subcategory in targets if text else ():
            alone = re.finditer(rf"(?<!\d){re.escape(number)}(?!\d)", text)
            inside = re.finditer(re.escape(number), text)
            found = [m for m in (*alone, *inside) if m.start() not in used]
            if found:
                start, end = found[0].span()
                used.add(start)
                digits = re.sub(r"[^\d.]", "", number).strip(".")
                value = float(digits) if digits.count(".") < 2 and digits else 0.0
                items.append(Item(tweet["idx"], text, start, end, value, category, subcategory))
    return items


def index_of(item: Item, tokens: list[Token]) -> int:
    """Return the token that the number is, or lies in, as in Q3."""
    return next(n for n, one in enumerate(tokens) if one.start < item.end and one.end > item.start)


def around(model: Embeddings, items: list[Item]) -> np.ndarray:
    """Return vectors of the tokens near each number and sums of all on each side: [items, …]."""
    rows = []
    for item in items:
        tokens = model.lookup.tokens(item.text)
        at = index_of(item, tokens)
        vectors = model.rows(read_in_context(model, tokens))
        padded = np.vstack([np.zeros((NEAR, model.dim)), vectors, np.zeros((NEAR, model.dim))])
        near = padded[at : at + 2 * NEAR + 1].ravel()
        left, right = vectors[:at], vectors[at + 1 :]
        sums = [side.sum(axis=0) / np.sqrt(1 + len(side)) for side in (left, right)]
        rows.append([near / NEAR, *sums])
    blocks = [np.array([row[block] for row in rows], np.float32) for block in range(3)]
    return np.hstack([block / block.std() for block in blocks])


def read_in_context(model: Embeddings, tokens: list[Token]):
    read = model.lookup.read_scanned(tokens)
    return model.in_context(read, np.array([0, len(read)]))


def gap_vectors(model: Embeddings, items: list[Item]) -> np.ndarray:
    """Return what the gap model makes of the words around each number."""
    rows = []
    for item in items:
        tokens = model.lookup.tokens(item.text)
        at, read = index_of(item, tokens), read_in_context(model, tokens)
        bounds = (np.array([one]) for one in (0, at, at + 1, len(tokens)))
        rows.append(
            model.gap_scorer.contexts(neighbours(read.ids, *bounds), read.values, read.kinds)
        )
    vectors = np.vstack(rows)
    return vectors / vectors.std()


def kind_features(model: Embeddings, items: list[Item]) -> np.ndarray:
    """Return the kinds of the number and of those near it, and the probabilities of its senses."""
    places, size = 2 * NEAR + 1, len(KINDS) + 1
    rows = np.zeros((len(items), places, size), np.float32)
    senses = np.zeros((len(items), len(model.sense_mixture)), np.float32)
    for row, item in enumerate(items):
        tokens = model.lookup.tokens(item.text)
        at = index_of(item, tokens)
        read = model.lookup.read_scanned(tokens)
        probabilities = model.sense_reader.probabilities(read, np.array([0, len(read)]))
        numerals = np.cumsum(read.is_numeral) - 1
        if read.is_numeral[at]:
            senses[row] = probabilities[numerals[at]]
        for place, token in enumerate(tokens[max(0, at - NEAR) : at + NEAR + 1], max(0, NEAR - at)):
            rows[row, place, token.kind if token.value is not None else -1] = 1
    return np.hstack([rows.reshape(len(items), -1), senses])


def number_features(items: list[Item]) -> np.ndarray:
    values = np.array([item.number for item in items])
    return np.hstack([forms(values), np.eye(BINS)[bins_of(values)]])


def features(model: Embeddings, domain: Embeddings, items: list[Item]) -> np.ndarray:
    gaps, kinds = gap_vectors(model, items), kind_features(model, items)
    own = kinds[:, NEAR * (len(KINDS) + 1) :][:, :CROSSED_KINDS]
    crossed = np.einsum("nk,nd->nkd", own, gaps).reshape(len(items), -1)
    parts = [around(model, items), around(domain, items), gaps, crossed, kinds]
    return np.hstack([*parts, number_features(items)]).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=["validation", "dev"], default="validation")
    options = parser.parse_args()
    model = nl.load(options.model)
    train = read_items(options.folder / FILES["train"])
    if options.part == "dev":
        test = read_items(options.folder / FILES["dev"])
    else:
        test = [item for item in train if item.tweet % 3 == 0]
        train = [item for item in train if item.tweet % 3]
    tweets = [" ".join(text.split()) for text in dict.fromkeys(item.text for item in train)]
    domain = nl.train(tweets, **DOMAIN)
    rows, test_rows = (features(model, domain, some) for some in (train, test))
    print(f"{options.model.name}, {options.part}, {machine()}: {len(train):,} and {len(test):,}")
    for name in ("category", "subcategory"):
        labels, right = ([getattr(item, name) for item in some] for some in (train, test))
        found = LogisticRegression(C=C, max_iter=100).fit(rows, labels).predict(test_rows)
        micro, macro = (100 * f1_score(right, found, average=one) for one in ("micro", "macro"))
        print(f"{len(set(labels))} classes: micro {micro:.1f}, macro {macro:.1f}")


if __name__ == "__main__":
    main()

"""What a model knows of the numbers in a text: ranks, errors, intervals, wrong numbers, speed.

    python benchmarks/gaps.py MODEL HELD_OUT [--everyday FILE] [--gaps 1020]

HELD_OUT is text that MODEL was not trained on. Ranks are those of the true number among the numbers
of all gaps, by the gap model and by `lift`; gaps are drawn from whole sentences, other numbers
beside them included. "alone" are gaps without another number within five tokens, as in
`numberline evaluate --task prediction`. Each row of the file of everyday sentences has a sentence
with a gap, a number that is right there, and an absurd one.
"""

from __future__ import annotations

import argparse
import math
import re
import time
from itertools import islice
from pathlib import Path

import numpy as np
from machine import machine
from threadpoolctl import threadpool_limits

import numberline as nl
from numberline.evaluation.candidates import (
    CONTEXT_WORDS,
    kinds_of_contexts,
    middle_ranks,
    numeral_candidates,
)
from numberline.evaluation.gaps import Gap, sample_gaps
from numberline.model.embeddings import Embeddings
from numberline.model.scores import SCORES
from numberline.numerals.squash import squash
from numberline.reading.corpus import open_corpus

EVERYDAY = Path(__file__).with_name("everyday-validation.tsv")
SPEED_TEXTS, SPEED_SECONDS = 4000, 3.0
SENTENCE_END = re.compile(r"(?<=[a-z)]\.) (?=[A-Z])| \. (?=[A-Z])")
DIGIT = re.compile(r"\d")


def ranks_by_gap_model(model: Embeddings, gaps: list[Gap]) -> np.ndarray:
    values, indices = np.unique([gap.value for gap in gaps], return_inverse=True)
    lifts = np.nan_to_num(model.score_gaps([gap[:2] for gap in gaps], values.tolist()))
    return middle_ranks(lifts[:, indices], np.arange(len(gaps)))


def ranks_by_lift(model: Embeddings, gaps: list[Gap]) -> np.ndarray:
    values = np.array([gap.value for gap in gaps])
    candidates, indices = numeral_candidates(model, values)
    contexts = kinds_of_contexts(model, (gap[:2] for gap in gaps))["weighted"]
    return middle_ranks(SCORES["lift"](contexts, candidates)[:, indices], np.arange(len(gaps)))


def show_ranks(model: Embeddings, gaps: list[Gap], name: str) -> None:
    values = np.array([gap.value for gap in gaps])
    is_seen = np.isin(values, model.vocabulary.numeral_values)
    kinds = {"all": np.ones(len(gaps), bool), "never seen": ~is_seen}
    kinds["decimals"] = values != np.rint(values)
    by = {"gap model": ranks_by_gap_model(model, gaps), "lift": ranks_by_lift(model, gaps)}
    for kind, chosen in kinds.items():
        if chosen.any():
            means = ", ".join(f"{score} {ranks[chosen].mean():.1f}" for score, ranks in by.items())
            print(f"mean rank of {len(gaps)}, {name}, {kind} ({chosen.sum()}): {means}")


def show_intervals(model: Embeddings, gaps: list[Gap]) -> None:
    errors, inside = [], 0
    gaps = [gap for gap in gaps if model.lookup.read_tokens([*gap.left, *gap.right]).is_known.any()]
    for gap in gaps:
        expected = model.predict(gap[:2])
        errors.append(abs(float(squash(expected.median) - squash(gap.value))) / math.log(10))
        low, high = expected.interval()
        inside += low <= gap.value <= high
    print(f"mean error of the median: {np.mean(errors):.3f} powers of ten")
    print(f"the 90 % interval holds {100 * inside / len(gaps):.1f} %")


def show_everyday(model: Embeddings, path: Path, verbose: bool) -> None:
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    flagged = {"right": 0, "absurd": 0}
    for sentence, *numbers in rows:
        at = sentence.index("___")
        for kind, number in zip(flagged, numbers, strict=True):
            found = model.check(sentence.replace("___", number))
            here = [one for one in found if one.start < at + len(number) and one.end > at]
            is_odd = any(one.is_odd for one in here)
            flagged[kind] += is_odd
            if verbose and is_odd != (kind == "absurd"):
                chances = ", ".join(f"{one.text} {one.probability_wrong:.2f}" for one in found)
                print(f"    {kind}: {sentence.replace('___', number)} [{chances}]")
    print(
        f"{path.name}: {flagged['absurd']} of {len(rows)} absurd numbers are odd, "
        f"{flagged['right']} of {len(rows)} right ones"
    )


def show_speed(model: Embeddings, held_out: Path) -> None:
    lines = held_out.read_text("utf-8").splitlines()
    sentences = (one for line in lines for one in SENTENCE_END.split(line) if DIGIT.search(one))
    texts = list(islice(sentences, SPEED_TEXTS))
    with threadpool_limits(1, "blas"):
        model.check_all(texts[:10])  # computes once what every check needs
        checked, began = 0, time.process_time()  # others may use the machine
        while (seconds := time.process_time() - began) < SPEED_SECONDS:
            found = model.check_all(texts)
            checked += len(texts)
    numerals = sum(map(len, found)) / len(texts)
    print(
        f"check_all: {checked / seconds:,.0f} sentences a second on one core, "
        f"of {numerals:.1f} numerals each"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("held_out", type=Path)
    parser.add_argument("--everyday", type=Path, default=EVERYDAY)
    parser.add_argument("--gaps", type=int, default=1020)
    parser.add_argument("--verbose", action="store_true", help="show sentences judged wrongly")
    options = parser.parse_args()
    model = nl.load(options.model)
    assert isinstance(model, Embeddings)
    print(f"{options.model.name}: {model!r}; {machine()}")
    random = np.random.default_rng(1)
    corpus, text = open_corpus(options.held_out), model.settings
    whole = sample_gaps(corpus, options.gaps, random, text, 0)
    alone = sample_gaps(corpus, options.gaps, random, text, CONTEXT_WORDS)
    show_ranks(model, whole, "whole sentences")
    show_ranks(model, alone, "alone")
    show_intervals(model, whole)
    show_everyday(model, options.everyday, options.verbose)
    show_speed(model, options.held_out)


if __name__ == "__main__":
    main()

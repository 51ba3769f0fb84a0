"""Seconds that `model.vectors` takes for a million tokens, a fifth of them numerals never seen.

    python benchmarks/lookup.py [--model FOLDER] [--tokens N] [--share 0.2] [--times N]

No numeral occurs twice; words are drawn as often as they occur. Without --model, a model of 50,000
words and 100 dimensions is trained on random text. The script prints the best of several times, and
the first one, which includes finding memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from machine import machine

import numberline as nl
from numberline.model.embeddings import Embeddings

WORDS = 50_000
SENTENCES = 60_000


def made_up_text() -> Iterator[str]:
    """Yield sentences of words with Zipf's frequencies, each with a number."""
    random = np.random.default_rng(1)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = ["".join(letters[random.integers(26, size=8)]) for _ in range(WORDS)]
    shares = 1 / np.arange(1, WORDS + 1)
    drawn = random.choice(WORDS, (SENTENCES, 12), p=shares / shares.sum())
    numbers = np.exp(random.normal(5, 2, SENTENCES))
    yield " ".join(words)  # so that none is missing
    for ids, number in zip(drawn.tolist(), numbers.tolist(), strict=True):
        yield f"{' '.join(words[id] for id in ids)} {number:.1f}"


def asked_tokens(model: Embeddings, count: int, share: float) -> list[str]:
    random = np.random.default_rng(2)
    unseen = round(count * share)
    hundredths = random.choice(100_000_000, unseen, replace=False)
    numerals = [f"{value / 100:.2f}" for value in hundredths.tolist()]
    counts = model.vocabulary.word_counts
    ids = random.choice(len(model), count - unseen, p=counts / counts.sum())
    tokens = [model.words[id] for id in ids.tolist()] + numerals
    return [tokens[at] for at in random.permutation(count).tolist()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="folder of a model")
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--share", type=float, default=0.2, help="fraction of numerals never seen")
    parser.add_argument("--times", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.model is not None:
        model = nl.load(arguments.model)
    else:
        model = nl.train(made_up_text(), min_count=1, epochs=1)
    tokens = asked_tokens(model, arguments.tokens, arguments.share)
    model.vectors(["5"])  # what is made at the first question
    seconds = []
    for _ in range(arguments.times):
        start = time.perf_counter()
        model.vectors(tokens)
        seconds.append(time.perf_counter() - start)
    print(f"{machine()}; {model!r}")
    print(
        f"{len(tokens):,} tokens, {arguments.share:.0%} of them numerals never seen: "
        f"{min(seconds):.2f} s, at first {seconds[0]:.2f} s"
    )


if __name__ == "__main__":
    main()

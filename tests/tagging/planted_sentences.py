"""Sentences in which the size of a numeral decides its label, for the small model of the tests."""

import random

from numberline.tagging import TaggerSettings

QUICK = TaggerSettings(hidden=16, epochs=6, learning_rate=0.05)


def planted_sentences(count, seed):
    """Return sentences whose values differ between seeds: those of one are unseen in another."""
    drawn = random.Random(seed)
    sentences = []
    for _ in range(count):
        is_small = drawn.random() < 0.5
        value = drawn.uniform(1, 9) if is_small else drawn.uniform(1000, 9000)
        label = "B-few" if is_small else "B-many"
        sentences.append([("there", "O"), ("are", "O"), (f"{value:.3f}", label), ("zzz", "O")])
    return sentences

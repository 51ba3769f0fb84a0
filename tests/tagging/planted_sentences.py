"""Sentences in which a numeral's size alone says its label, for the small model of the tests."""

import random

from numberline.evaluation.settings import TaggerSettings
from numberline.settings import made_of

QUICK = made_of(
    TaggerSettings,
    {"tagger_hidden": 16, "tagger_epochs": 6, "tagger_dropout": 0.1, "tagger_learning_rate": 0.05},
)


def planted_sentences(count, seed):
    """Values differ from seed to seed, so that those of one are unseen in another."""
    drawn = random.Random(seed)
    sentences = []
    for _ in range(count):
        is_small = drawn.random() < 0.5
        value = drawn.uniform(1, 9) if is_small else drawn.uniform(1000, 9000)
        label = "B-few" if is_small else "B-many"
        sentences.append([("there", "O"), ("are", "O"), (f"{value:.3f}", label), ("zzz", "O")])
    return sentences

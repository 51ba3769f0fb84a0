"""A model trained in a moment, in which small numbers are few and large ones many."""

from functools import cache

import numberline as nl
from tests.training.small_corpora import planted


@cache
def small_model():
    settings = {"dim": 12, "epochs": 3, "threads": 1, "min_count": 1, "sample": 0}
    return nl.train(planted(), encoder="gmm", learning_rate=0.1, **settings)


@cache
def model_without_numerals():
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are no numerals is what is wanted
        return nl.train(["a cat", "a dog"] * 9, dim=4, epochs=1, threads=1, min_count=1)

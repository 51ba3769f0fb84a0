"""Counts of numerals, shared among prototypes, equal the definition with any number of threads."""

import numpy as np
import pytest

from numberline.cooccurrence import pooling
from numberline.cooccurrence.counting import counted
from numberline.cooccurrence.definition import units_by_distance
from numberline.cooccurrence.pooling import defined_pooling, pooled
from numberline.numerals.rows import rows_of_table
from tests.cooccurrence.test_counting import as_dict
from tests.training.small_corpora import random_corpus


def dense(pairs):
    table = np.zeros((len(pairs), len(pairs)))
    for (row, column), count in as_dict(pairs).items():
        table[row, column] = count
    return table


@pytest.mark.parametrize("seed", range(4))
def test_native_pooling_equals_the_definition(seed, monkeypatch):
    monkeypatch.setattr(pooling, "ROWS_AT_A_TIME", 7)
    corpus, random = random_corpus(seed), np.random.default_rng(seed)
    words, numerals = len(corpus.vocabulary.words), len(corpus.vocabulary.numerals)
    weights = random.dirichlet(np.ones(5), numerals) * (random.random((numerals, 5)) < 0.6)
    weights[:, 2] = 0  # a prototype without numerals
    rows = rows_of_table(weights)
    pairs = counted(corpus, units_by_distance("inverse", 4), 1)
    expected = defined_pooling(dense(pairs), words, rows)
    one, three = (pooled(pairs, words, rows, threads) for threads in (1, 3))
    assert dense(one) == pytest.approx(expected, rel=1e-5, abs=1e-9)
    assert one.cells.tobytes() == three.cells.tobytes()
    assert (
        np.diff(one.columns)[np.diff(np.repeat(np.arange(len(one)), np.diff(one.offsets))) == 0] > 0
    ).all()


def test_nothing_is_lost_if_weights_sum_to_one():
    corpus = random_corpus(3)
    words, numerals = len(corpus.vocabulary.words), len(corpus.vocabulary.numerals)
    rows = rows_of_table(np.random.default_rng(3).dirichlet(np.ones(4), numerals))
    pairs = counted(corpus, units_by_distance("ramp", 4), 1)
    sums = pooled(pairs, words, rows, 2).row_sums()
    assert sums.sum() == pytest.approx(pairs.row_sums().sum())
    assert sums[:words] == pytest.approx(pairs.row_sums()[:words])

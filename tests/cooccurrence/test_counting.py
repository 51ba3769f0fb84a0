"""Counts of pairs: by hand, by the definition, and in the same bytes however they are computed."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import numberline as nl
from numberline.cooccurrence import counting
from numberline.cooccurrence.counting import PairCounting, counted
from numberline.cooccurrence.definition import UNITS_OF_ONE, count_pairs, units_by_distance
from numberline.kernels import require_native
from numberline.objectives import WEIGHTINGS
from tests.training.small_corpora import random_corpus


def as_dict(pairs):
    rows = np.repeat(np.arange(len(pairs)), np.diff(pairs.offsets)).tolist()
    keys = zip(rows, pairs.columns.tolist(), strict=True)
    return dict(zip(keys, pairs.counts.tolist(), strict=True))


def defined(corpus, units):
    counts = count_pairs(corpus, units)
    return {pair: float(np.float32(count / UNITS_OF_ONE)) for pair, count in counts.items()}


@pytest.mark.parametrize(
    ("weighting", "near", "far"), [("flat", 1, 1), ("ramp", 1, 0.5), ("inverse", 1, 0.5)]
)
def test_pairs_count_less_when_they_are_farther_apart(weighting, near, far):
    corpus = nl.encode(["a b c", "c d", "9"], min_count=1)
    ids = corpus.vocabulary.word_ids
    counts = as_dict(counted(corpus, units_by_distance(weighting, 2), 1))
    pairs = {("a", "b"): near, ("b", "c"): near, ("a", "c"): far, ("c", "d"): near}
    expected = {}
    for (a, b), count in pairs.items():
        expected[ids[a], ids[b]] = expected[ids[b], ids[a]] = count
    assert counts == expected


def test_a_token_beside_itself_counts_from_both_sides():
    corpus = nl.encode(["7 7", "word"], min_count=1)
    assert as_dict(counted(corpus, units_by_distance("flat", 5), 1)) == {(1, 1): 2}


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("window", [1, 3, 40])
def test_native_counts_equal_the_definition(weighting, window):
    units = units_by_distance(weighting, window)
    for seed in range(4):
        corpus = random_corpus(seed)
        assert as_dict(counted(corpus, units, 2)) == defined(corpus, units)


@settings(max_examples=60)
@given(
    sentences=st.lists(st.lists(st.integers(0, 5), max_size=12), max_size=6),
    amounts=st.lists(st.integers(1, 2**32 - 1), min_size=1, max_size=5),
    cut=st.integers(0, 60),
)
def test_any_ids_are_counted_in_any_two_blocks(sentences, amounts, cut):
    """Units may be so large that one pair does not fit into 32 bits."""
    ids = np.array([one for sentence in sentences for one in sentence], np.int32)
    offsets = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    units = np.array(amounts, np.uint32)
    runs = []
    for block in ((0, min(cut, len(ids))), (min(cut, len(ids)), len(ids))):
        counter = require_native().PairCounter(
            ids=ids, sentence_offsets=offsets, id_count=6, units=units, most_slots=1
        )
        assert counter.count(first_token=block[0], last_token=block[1]) == block[1]
        runs += counter.take()
    lengths, cells = require_native().merge_pairs(
        keys=[run[0] for run in runs],
        units=[run[1] for run in runs],
        id_count=6,
        first_row=0,
        last_row=6,
        units_of_one=1.0,
    )
    found = as_dict(counting.pair_counts(np.append(0, lengths), cells))
    counts = count_pairs(sentences, units)
    assert found == {pair: float(np.float32(count)) for pair, count in counts.items()}


def test_counts_have_the_same_bytes_with_any_threads_and_any_memory(monkeypatch):
    corpus, units = random_corpus(3, words=300, sentences=400), units_by_distance("inverse", 6)
    expected = counted(corpus, units, 1)
    monkeypatch.setattr(counting, "BLOCK_TOKENS", 100)
    monkeypatch.setattr(counting, "TABLE_BYTES", 1)  # tables stay as small as they can be
    monkeypatch.setattr(counting, "PART_CELLS", 50)
    monkeypatch.setattr(counting, "IN_MEMORY_BYTES", 0)
    for threads in (1, 3):
        counts = counted(corpus, units, threads)
        assert counts.offsets.tobytes() == expected.offsets.tobytes()
        assert counts.cells.tobytes() == expected.cells.tobytes()


def test_a_table_that_is_full_goes_to_a_file(monkeypatch):
    corpus, units = random_corpus(3, words=600, sentences=900), units_by_distance("flat", 8)
    monkeypatch.setattr(counting, "TABLE_BYTES", 1)
    with PairCounting(corpus, units, 1) as counting_in_parts:
        counting_in_parts.count()
        on_disk = [isinstance(keys, np.memmap) for keys, _ in counting_in_parts._runs]
        assert sum(on_disk) > 1
    assert as_dict(counted(corpus, units, 1)) == defined(corpus, units)


def test_progress_ends_at_one():
    fractions = []
    counted(random_corpus(1), units_by_distance("flat", 2), 1, fractions.append)
    assert fractions[-1] == 1


def test_row_sums_and_ranges():
    counts = counted(random_corpus(2), units_by_distance("ramp", 3), 1)
    dense = np.zeros((len(counts), len(counts)))
    for (row, column), count in as_dict(counts).items():
        dense[row, column] = count
    assert counts.row_sums() == pytest.approx(dense.sum(axis=1))
    assert (dense == dense.T).all()
    for at_least in (1, 7):
        ranges = counts.row_ranges(at_least)
        assert len(ranges) >= min(at_least, 3)
        assert [ranges[0][0], ranges[-1][1]] == [0, len(counts)]
        assert all(a[1] == b[0] for a, b in pairwise(ranges))

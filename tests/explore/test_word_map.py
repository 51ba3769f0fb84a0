"""The points of words and numbers on the explorer's map."""

import sys

import numpy as np
import pytest

from numberline.explore.landmarks import Landmarks
from numberline.explore.word_map import WordMap, principal_components
from tests.small_models import small_model

LANDMARKS = Landmarks(small_model())


def test_components_are_directions_of_most_variance():
    rows = np.random.default_rng(1).normal(size=(40, 7))
    left, lengths, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    expected = (left * lengths)[:, :2]
    assert np.abs(principal_components(rows)) == pytest.approx(np.abs(expected), abs=1e-8)


@pytest.mark.parametrize("shape", [(1, 5), (2, 5), (5, 1)])
def test_few_tokens_have_points_too(shape):
    assert principal_components(np.ones(shape)).shape == (shape[0], 2)


def test_a_map_is_there_at_once_and_better_later():
    pytest.importorskip("openTSNE")
    word_map = WordMap(LANDMARKS)
    first = word_map.answer()
    assert (first["method"], first["is_final"]) == ("principal components", False)
    assert len(first["points"]) == len(first["tokens"]) > first["words"]
    word_map.start().join()
    better = word_map.answer()
    assert (better["method"], better["is_final"]) == ("t-SNE", True)
    assert better["tokens"] == first["tokens"]


def test_without_tsne_the_first_map_stays(monkeypatch):
    monkeypatch.setitem(sys.modules, "openTSNE", None)
    word_map = WordMap(LANDMARKS)
    word_map.improve()
    answer = word_map.answer()
    assert (answer["method"], answer["is_final"]) == ("principal components", True)

"""The points of words and numbers on the explorer's map."""

import sys

import numpy as np
import pytest

import numberline as nl
from numberline.explore import word_map as word_map_module
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


def test_a_map_is_there_at_once_and_better_later(tmp_path):
    pytest.importorskip("openTSNE")
    word_map = WordMap(LANDMARKS, tmp_path)
    first = word_map.answer()
    assert (first["method"], first["is_final"]) == ("principal components", False)
    assert len(first["points"]) == len(first["tokens"]) > first["words"]
    word_map.start().join()
    better = word_map.answer()
    assert (better["method"], better["is_final"]) == ("t-SNE", True)
    assert better["tokens"] == first["tokens"]


@pytest.fixture
def layouts(monkeypatch):
    """Replace t-SNE; the list holds its calls."""
    calls = []

    def lay_out(rows, seed, perplexity):
        calls.append(rows)
        return np.arange(2.0 * len(rows)).reshape(-1, 2)

    monkeypatch.setattr(word_map_module, "tsne", lay_out)
    return calls


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path, layouts):
    (tmp_path / "file").touch()
    word_map = WordMap(LANDMARKS, tmp_path / "file")
    word_map.improve()
    assert word_map.answer()["method"] == "t-SNE"
    assert len(layouts) == 1


def test_points_are_computed_once_and_a_damaged_file_is_replaced(tmp_path, layouts):
    first = WordMap(LANDMARKS, tmp_path)
    first.improve()
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    np.save(kept, np.zeros((1, 2)))
    short = kept.read_bytes()
    damaged = [(content, 1) for content in (b"", b"none", whole[:-8], short)]
    for content, made in [(whole, 0), *damaged, (whole, 0)]:
        kept.write_bytes(content)
        layouts.clear()
        again = WordMap(LANDMARKS, tmp_path)
        again.improve()
        assert again.answer() == first.answer()
        assert len(layouts) == made


def test_other_vectors_have_other_points(tmp_path, layouts):
    for seed in (1, 2):
        model = nl.train(
            ["small box holds 7 pens"] * 9,
            dim=4,
            threads=1,
            min_count=1,
            encoder=nl.Line(1),
            seed=seed,
        )
        WordMap(Landmarks(model), tmp_path).improve()
    assert len(list(tmp_path.iterdir())) == 2


def test_without_tsne_the_first_map_stays(monkeypatch):
    monkeypatch.setitem(sys.modules, "openTSNE", None)
    word_map = WordMap(LANDMARKS)
    word_map.improve()
    answer = word_map.answer()
    assert (answer["method"], answer["is_final"]) == ("principal components", True)

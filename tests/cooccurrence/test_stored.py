"""Counted pairs in a folder: used again, and refused if they are others or damaged."""

import numpy as np
import pytest

import numberline as nl
from numberline.cooccurrence import stored
from numberline.cooccurrence.pairs import CELL, PairCounts
from numberline.cooccurrence.stored import PairSettings, pairs_of
from numberline.errors import OutputError, StoreError, TrainingError
from tests.files.crafted import arrays_of, replace_arrays
from tests.training.small_corpora import random_corpus

RAMP = PairSettings(3, "ramp")


def test_pairs_are_counted_once(tmp_path, monkeypatch):
    corpus = random_corpus(1)
    first = pairs_of(corpus, RAMP, 2, tmp_path / "pairs")
    in_memory = pairs_of(corpus, RAMP, 2)
    monkeypatch.delattr(stored, "PairCounting")
    again = pairs_of(corpus, RAMP, 1, tmp_path / "pairs")
    for counts in (first, again):
        assert counts.cells.tobytes() == in_memory.cells.tobytes()
        assert counts.offsets.tobytes() == in_memory.offsets.tobytes()


@pytest.mark.parametrize(
    ("corpus", "settings", "message"),
    [
        (2, RAMP, "from another corpus"),
        (1, PairSettings(4, "ramp"), "with window=3"),
        (1, PairSettings(3, "flat"), "with weighting=ramp"),
    ],
)
def test_other_pairs_are_refused(tmp_path, corpus, settings, message):
    pairs_of(random_corpus(1), RAMP, 1, tmp_path / "pairs")
    with pytest.raises(TrainingError, match=f"counted {message}; name another folder"):
        pairs_of(random_corpus(corpus), settings, 1, tmp_path / "pairs")


def test_other_folders_are_left_as_they_are(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(OutputError, match="holds no counted pairs"):
        pairs_of(random_corpus(1), RAMP, 1, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_damage_is_found(tmp_path):
    pairs_of(random_corpus(1), RAMP, 1, tmp_path / "pairs")
    file = tmp_path / "pairs" / "pairs.safetensors"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"):
        pairs_of(random_corpus(1), RAMP, 1, tmp_path / "pairs")


@pytest.mark.parametrize(
    ("column", "count", "offsets"),
    [
        *[(2, 1, [0, 1, 1]), (-1, 1, [0, 1, 1]), (0, 0, [0, 1, 1]), (0, np.nan, [0, 1, 1])],
        *[(0, 1, [0, 2, 1]), (0, 1, [0, 0, 0]), (0, 1, [1, 1, 1])],
    ],
)
def test_pairs_that_do_not_fit_are_refused(column, count, offsets):
    cells = np.array([(column, count)], CELL)
    with pytest.raises(ValueError, match=r"its offsets|it holds"):
        stored.require_sound(PairCounts(np.array(offsets), cells))


def test_rows_that_the_corpus_does_not_have_are_refused(tmp_path):
    folder = tmp_path / "pairs"
    pairs_of(random_corpus(1), RAMP, 1, folder)
    offsets = arrays_of(folder)["offsets"]
    replace_arrays(folder, offsets=np.append(offsets, offsets[-1]))
    with pytest.raises(StoreError, match="damaged: its rows"):
        pairs_of(random_corpus(1), RAMP, 1, folder)


def test_train_keeps_pairs(tmp_path):
    lines = ["the hall has 1,250 seats", "the box has 20 pens"] * 30
    for _ in range(2):
        model = nl.train(lines, objective="ppmi", dim=4, min_count=1, pairs=tmp_path / "pairs")
        assert np.isfinite(model["1,250"]).all()
    with pytest.raises(nl.NumberlineError, match="with window=5"):
        nl.train(lines, objective="ppmi", window=2, min_count=1, pairs=tmp_path / "pairs")

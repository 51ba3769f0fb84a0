"""Taggers: numerals told apart by size alone, seen or unseen; folders; frozen and tuned vectors."""

import json
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("seqeval")

from numberline.errors import ConfigError, SentencesError, StoreError, TrainingError  # noqa: E402
from numberline.evaluation.settings import TaggerSettings  # noqa: E402
from numberline.model.word_vectors import WordVectors  # noqa: E402
from numberline.settings import NumeralSettings  # noqa: E402
from numberline.tagging.fit import Dev, fit_tagger  # noqa: E402
from numberline.tagging.folder import load  # noqa: E402
from numberline.tagging.scores import score  # noqa: E402
from tests.small_models import small_model  # noqa: E402
from tests.tagging.planted_sentences import QUICK, planted_sentences  # noqa: E402


@pytest.fixture(scope="module")
def tagger():
    train, dev = planted_sentences(120, seed=1), planted_sentences(40, seed=2)
    return fit_tagger(small_model(), train, dev, QUICK)


def test_unseen_numerals_get_their_label(tagger):
    assert tagger.test(planted_sentences(100, seed=3)).f1 > 95
    found = tagger.tag([["there", "are", "3", "zzz"], [], ["there", "are", "5,432", "zzz"]])
    assert found == [["O", "O", "B-few", "O"], [], ["O", "O", "B-many", "O"]]


def test_the_best_epoch_on_dev_is_kept(tagger):
    dev = planted_sentences(40, seed=2)
    assert tagger.test(dev).f1 == tagger.training["dev_f1"]
    patient = replace(QUICK.tagger, tagger_epochs=1000, tagger_patience=1)
    stopped = fit_tagger(small_model(), dev, dev, TaggerSettings(patient))
    assert stopped.training["epoch"] < 50


def epochs_with(monkeypatch, f1_of_epochs, **settings):
    """A tagger whose dev sentences say what they are told to."""
    said = iter(f1_of_epochs)
    monkeypatch.setattr(Dev, "f1", lambda *_: next(said))
    config = TaggerSettings(replace(QUICK.tagger, **settings))
    train = planted_sentences(30, seed=1)
    return fit_tagger(small_model(), train, train[:1], config), list(said)


def test_later_epochs_are_forgotten_and_zeros_waited_for(monkeypatch):
    kept, left = epochs_with(monkeypatch, [50, 40, 40, 60], tagger_patience=2)
    assert (kept.training["epoch"], kept.training["dev_f1"], left) == (1, 50, [60])
    alone, _ = epochs_with(monkeypatch, [50], tagger_epochs=1)
    assert torch.equal(kept.network.to_labels.weight, alone.network.to_labels.weight)
    slow, left = epochs_with(monkeypatch, [0, 0, 0, 0, 9, 8, 7], tagger_patience=1)
    assert (slow.training["epoch"], left) == (5, [7])


def test_one_seed_one_tagger():
    train = planted_sentences(30, seed=1)
    config = TaggerSettings(replace(QUICK.tagger, tagger_epochs=2), NumeralSettings(7))
    before = torch.get_rng_state()
    first = fit_tagger(small_model(), train, (), config)
    assert torch.equal(before, torch.get_rng_state())
    torch.rand(1)  # what others draw does not matter
    second = fit_tagger(small_model(), train, (), config)
    other = fit_tagger(small_model(), train, (), replace(config, random=NumeralSettings(8)))
    weights = [one.network.lstm.weight_hh_l0 for one in (first, second, other)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_saved_and_loaded_it_is_the_same(tagger, tmp_path):
    tagger.save(tmp_path / "tagger")
    loaded = load(tmp_path / "tagger")
    sentences = [[token for token, _ in one] for one in planted_sentences(20, seed=4)]
    assert loaded.tag(sentences) == tagger.tag(sentences)
    assert loaded.config == tagger.config
    assert loaded.training == tagger.training
    for name, tensor in tagger.network.state_dict().items():
        assert torch.equal(tensor, loaded.network.state_dict()[name])


def test_folders_that_hold_no_tagger(tagger, planted_folder, tmp_path):
    with pytest.raises(StoreError, match="not the header of a tagger"):
        load(planted_folder)
    with pytest.raises(StoreError, match="holds no tagger"):
        load(tmp_path)
    tagger.save(tmp_path / "tagger")
    header = json.loads((tmp_path / "tagger/numberline.json").read_text())
    header["labels"].append("B-more")
    (tmp_path / "tagger/numberline.json").write_text(json.dumps(header))
    with pytest.raises(StoreError, match="its parts do not fit"):
        load(tmp_path / "tagger")


def test_frozen_vectors_stay_and_tuned_ones_move(tagger):
    assert tagger.model is small_model()
    config = TaggerSettings(replace(QUICK.tagger, fine_tune=True, tagger_epochs=2))
    train = planted_sentences(40, seed=1)
    tuned = fit_tagger(small_model(), train, (), config)
    assert not np.allclose(tuned.model.vectors(["3.3"]), small_model().vectors(["3.3"]))
    words = WordVectors(["are", "elsewhere"], np.ones((2, 3), np.float32))
    table = fit_tagger(words, train, (), config).model.table
    assert not np.allclose(table[0], 1)
    assert np.allclose(table[1], 1)  # no sentence holds it
    assert np.allclose(words.table, 1)


def test_the_row_of_unknown_words_is_learnt():
    words = WordVectors(["known"], np.ones((1, 3), np.float32))
    train = [[("known", "O"), ("unheard", "B-x")]] * 40
    found = fit_tagger(words, train, (), replace(QUICK, random=NumeralSettings(2)))
    assert found.network.unknown.abs().sum() > 0
    assert found.tag([["known", "other"]]) == [["O", "B-x"]]
    with pytest.raises(SentencesError, match="word vectors only"):
        found.save("nowhere")


def test_scores_of_planted_answers():
    right = [["B-a", "I-a", "O"], ["B-b", "O", "B-a"]]
    found = [["B-a", "I-a", "O"], ["B-a", "O", "O"]]
    scores = score(right, found)
    assert scores == pytest.approx((100 * 4 / 6, 50, 100 / 3, 40))
    assert score([["O"]], [["O"]]) == (100, 0, 0, 0)


def test_what_cannot_be_is_refused(tagger):
    with pytest.raises(SentencesError, match="no sentences"):
        fit_tagger(small_model(), [])
    with pytest.raises(SentencesError, match=r"here has the label 'size', .* few, many"):
        tagger.require_known_labels([[("xl", "B-size")]], "here")
    with pytest.raises(ConfigError, match="tagger_hidden=7, but it must be even"):
        TaggerSettings(tagger_hidden=7)
    huge = WordVectors(["there"], np.full((1, 2), np.inf, np.float32))
    with pytest.raises(TrainingError, match="loss is no number"):
        fit_tagger(huge, planted_sentences(5, seed=1), (), QUICK)

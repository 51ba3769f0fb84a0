"""Taggers: numerals labelled by their size, seen or unseen; folders; frozen and tuned vectors."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("seqeval")

from numberline.errors import (  # noqa: E402
    ConfigError,
    OutputError,
    SentencesError,
    StoreError,
    TrainingError,
)
from numberline.model import WordVectors  # noqa: E402
from numberline.tagging import TaggerSettings, fit_tagger, load_tagger  # noqa: E402
from numberline.tagging import fit as fit_module  # noqa: E402
from numberline.tagging.scores import score  # noqa: E402
from numberline.tagging.tagger import require_known_labels  # noqa: E402
from tests.files.crafted import arrays_of, edit_header, replace_arrays  # noqa: E402
from tests.small_models import small_model  # noqa: E402
from tests.tagging.planted_sentences import QUICK, planted_sentences  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def low_dropout():
    """With 16 hidden units the paper's dropout would need many more epochs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("numberline.tagging.network.DROPOUT", 0.1)
        yield


@pytest.fixture(scope="module")
def tagger(low_dropout):
    train, dev = planted_sentences(120, seed=1), planted_sentences(40, seed=2)
    return fit_tagger(small_model(), train, dev, QUICK)


def test_unseen_numerals_get_their_label(tagger):
    assert tagger.test(planted_sentences(100, seed=3)).f1 > 95
    labels = tagger.tag([["there", "are", "3", "zzz"], [], ["there", "are", "5,432", "zzz"]])
    assert labels == [["O", "O", "B-few", "O"], [], ["O", "O", "B-many", "O"]]


def test_the_best_epoch_on_dev_is_kept(tagger, monkeypatch):
    dev = planted_sentences(40, seed=2)
    assert tagger.test(dev).f1 == tagger.training["dev_f1"]
    monkeypatch.setattr(fit_module, "PATIENCE", 1)
    stopped = fit_tagger(small_model(), dev, dev, replace(QUICK, epochs=1000))
    assert stopped.training["epoch"] < 50


def tagger_with_dev_f1(monkeypatch, f1_of_epochs, patience=6, epochs=QUICK.epochs):
    """Return a tagger whose dev sentences give planted F1, and the F1 that were not needed."""
    planted = iter(f1_of_epochs)
    monkeypatch.setattr(fit_module.TaggerTraining, "dev_f1", lambda *_: next(planted))
    monkeypatch.setattr(fit_module, "PATIENCE", patience)
    train = planted_sentences(30, seed=1)
    return fit_tagger(small_model(), train, train[:1], replace(QUICK, epochs=epochs)), [*planted]


def test_epochs_after_the_best_one_are_discarded(monkeypatch):
    kept, rest = tagger_with_dev_f1(monkeypatch, [50, 40, 40, 60], patience=2)
    assert (kept.training["epoch"], kept.training["dev_f1"], rest) == (1, 50, [60])
    alone, _ = tagger_with_dev_f1(monkeypatch, [50], epochs=1)
    assert torch.equal(kept.network.to_labels.weight, alone.network.to_labels.weight)


def test_patience_does_not_count_while_f1_is_zero(monkeypatch):
    slow, rest = tagger_with_dev_f1(monkeypatch, [0, 0, 0, 0, 9, 8, 7], patience=1)
    assert (slow.training["epoch"], rest) == (5, [7])


def test_one_seed_gives_one_tagger():
    train = planted_sentences(30, seed=1)
    settings = replace(QUICK, epochs=2, seed=7)
    before = torch.get_rng_state()
    first = fit_tagger(small_model(), train, (), settings)
    assert torch.equal(before, torch.get_rng_state())
    torch.rand(1)  # must not matter
    second = fit_tagger(small_model(), train, (), settings)
    other = fit_tagger(small_model(), train, (), replace(settings, seed=8))
    weights = [one.network.lstm.weight_hh_l0 for one in (first, second, other)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_a_saved_tagger_is_loaded_unchanged(tagger, tmp_path):
    tagger.save(tmp_path / "tagger")
    loaded = load_tagger(tmp_path / "tagger")
    sentences = [[token for token, _ in one] for one in planted_sentences(20, seed=4)]
    assert loaded.tag(sentences) == tagger.tag(sentences)
    assert loaded.settings == tagger.settings
    assert loaded.training == tagger.training
    for name, tensor in tagger.network.state_dict().items():
        assert torch.equal(tensor, loaded.network.state_dict()[name])


def test_folders_without_a_tagger_are_refused(tagger, planted_folder, tmp_path):
    with pytest.raises(StoreError, match="not the header of a tagger"):
        load_tagger(planted_folder)
    with pytest.raises(StoreError, match="holds no tagger"):
        load_tagger(tmp_path)
    tagger.save(tmp_path / "tagger")
    for labels in ([*tagger.labels, "B-more"], [*tagger.labels[:-1], tagger.labels[0]], 5):
        edit_header(tmp_path / "tagger", labels=labels)
        with pytest.raises(StoreError, match="its parts do not fit"):
            load_tagger(tmp_path / "tagger")


@pytest.mark.parametrize("value", [np.float64(0.5), np.float32("nan")])
def test_networks_of_other_numbers_are_refused(tagger, tmp_path, value):
    tagger.save(tmp_path / "tagger")
    bias = np.full_like(arrays_of(tmp_path / "tagger")["lstm.bias_ih_l0"], value, value.dtype)
    replace_arrays(tmp_path / "tagger", **{"lstm.bias_ih_l0": bias})
    with pytest.raises(StoreError, match="its parts do not fit"):
        load_tagger(tmp_path / "tagger")


def test_a_tagger_is_replaced_only_with_overwrite(tagger, tmp_path):
    tagger.save(tmp_path / "tagger")
    with pytest.raises(OutputError, match="exists already"):
        tagger.save(tmp_path / "tagger")
    tagger.save(tmp_path / "tagger", overwrite=True)
    small_model().save(tmp_path / "model")
    with pytest.raises(OutputError, match="holds no tagger"):
        tagger.save(tmp_path / "model", overwrite=True)


def test_frozen_vectors_stay_and_tuned_ones_change(tagger):
    assert tagger.model is small_model()
    settings = replace(QUICK, fine_tune=True, epochs=2)
    train = planted_sentences(40, seed=1)
    tuned = fit_tagger(small_model(), train, (), settings)
    assert not np.allclose(tuned.model.vectors(["3.3"]), small_model().vectors(["3.3"]))
    words = WordVectors(["are", "elsewhere"], np.ones((2, 3), np.float32))
    table = fit_tagger(words, train, (), settings).model.table
    assert not np.allclose(table[0], 1)
    assert np.allclose(table[1], 1)  # no sentence holds it
    assert np.allclose(words.table, 1)


def test_unknown_words_have_a_row_that_is_learnt():
    words = WordVectors(["known"], np.ones((1, 3), np.float32))
    train = [[("known", "O"), ("unheard", "B-x")]] * 40
    tagger = fit_tagger(words, train, (), replace(QUICK, seed=2))
    assert tagger.network.unknown.abs().sum() > 0
    assert tagger.tag([["known", "other"]]) == [["O", "B-x"]]
    with pytest.raises(SentencesError, match="word vectors only"):
        tagger.save("nowhere")


def test_scores_of_planted_answers():
    right = [["B-a", "I-a", "O"], ["B-b", "O", "B-a"]]
    predicted = [["B-a", "I-a", "O"], ["B-a", "O", "O"]]
    scores = score(right, predicted)
    assert scores == pytest.approx((100 * 4 / 6, 50, 100 / 3, 40))
    assert score([["O"]], [["O"]]) == (100, 0, 0, 0)


def test_impossible_input_is_refused(tagger):
    with pytest.raises(SentencesError, match="no sentences"):
        fit_tagger(small_model(), [])
    with pytest.raises(SentencesError, match=r"here has the label 'size', .* few, many"):
        require_known_labels([[("xl", "B-size")]], tagger.labels, "here")
    with pytest.raises(ConfigError, match="hidden=7, but it must be even"):
        TaggerSettings(hidden=7)
    huge = WordVectors(["there"], np.full((1, 2), np.inf, np.float32))
    with pytest.raises(TrainingError, match="loss is not a number"):
        fit_tagger(huge, planted_sentences(5, seed=1), (), QUICK)

"""Training the D-LSTM as a whole: planted answers, model folders, interrupts, refusals."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, NumberlineWarning, OutputError, TrainingError
from numberline.numerals.registry import register, registered
from numberline.settings import Settings, saved_settings
from numberline.training import BlockPlanner, planner
from numberline.training.progress import untrained_loss
from numberline_paper.lstm import Lstm
from tests.paper.networks import NEVER_SEEN, planted_without
from tests.training.small_corpora import random_corpus

torch = pytest.importorskip("torch")

from numberline_paper import train_lstm  # noqa: E402
from numberline_paper.lstm import train, trainer  # noqa: E402

QUICK = {"dim": 8, "window": 2, "epochs": 1, "min_count": 1, "sample": 0, "threads": 1}
LEARNT = QUICK | {"dim": 12, "epochs": 2, "learning_rate": 0.1}


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """Register the encoder as an installed package would."""
    monkeypatch.setitem(registered, "lstm", Lstm)
    assert register(Lstm) is Lstm


def arrays(model):
    return [model.word_input, model.word_output, *model.numerals.state().values()]


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_numerals_are_near_the_words_of_their_size_even_if_never_seen(objective):
    model = train_lstm(planted_without(), objective=objective, **LEARNT)
    seen = set(model.vocabulary.numeral_values)
    large = [number for number in range(2000, 9000) if number not in seen][::700]
    assert float(NEVER_SEEN) not in seen
    for number in (7, NEVER_SEEN):
        assert model.similarity(number, "few") > model.similarity(number, "many") + 0.1
    for number in large:
        assert model.similarity(number, "many") > model.similarity(number, "few") + 0.1
    assert model.training["loss"] < 0.9 * untrained_loss(model.settings)
    assert model.settings.objective == objective


def test_a_saved_model_is_loaded_unchanged(tmp_path):
    lines = planted_without(sentences=200)
    model = train_lstm(lines, tmp_path / "model", magnitudes=True, **QUICK)
    again = nl.load(tmp_path / "model")
    assert saved_settings(again.settings) == saved_settings(model.settings)
    assert again.settings.encoder == Lstm()
    assert again.training == model.training
    tokens = [*model.words, "7", "4,321.5", "-1e300"]
    for side in ("input", "output"):
        assert (again.vectors(tokens, side) == model.vectors(tokens, side)).all()
    with pytest.warns(NumberlineWarning, match="has no gap model"):
        expected = again.predict("small box holds ___ pens")
    assert np.isfinite(expected.median)
    with pytest.raises(OutputError):
        train_lstm(lines, tmp_path / "model", **QUICK)
    train_lstm(lines, tmp_path / "model", overwrite=True, **QUICK)


def test_one_seed_gives_the_same_bytes():
    lines = planted_without(sentences=200)
    first, second, other = (train_lstm(lines, seed=seed, **QUICK) for seed in (5, 5, 6))
    for a, b, c in zip(arrays(first), arrays(second), arrays(other), strict=True):
        assert a.tobytes() == b.tobytes()
        assert a.tobytes() != c.tobytes()


def test_native_plans_and_those_of_the_definition_give_equal_models(monkeypatch):
    corpus = random_corpus()
    settings = {"dim": 5, "epochs": 2, "threads": 1, "sample": 1e-2}
    native = train_lstm(corpus, **settings)
    monkeypatch.setattr(planner, "native", lambda: None)
    for ours, defined in zip(arrays(native), arrays(train_lstm(corpus, **settings)), strict=True):
        assert (ours == defined).all()


def test_progress_is_reported():
    reports = []

    def progress(now):
        reports.append((now.tokens, now.total_tokens, now.learning_rate, now.loss))

    model = train_lstm(planted_without(sentences=300), progress=progress, **QUICK)
    assert reports[-1][:2] == (model.training["tokens"],) * 2
    assert 0 < reports[-1][2] < 0.035
    assert reports[-1][3] == model.training["loss"]


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    def stop(now):
        raise KeyboardInterrupt

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        with pytest.raises(KeyboardInterrupt):
            train_lstm(["a 1 b 2"] * 99, tmp_path / "model", progress=stop, **QUICK)
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
    assert not list(tmp_path.iterdir())


def test_words_alone_and_numerals_alone():
    with pytest.warns(NumberlineWarning, match="no numerals"):
        model = train_lstm(["a cat", "a dog"] * 20, **QUICK)
    assert model.numerals is None
    with pytest.warns(NumberlineWarning, match="only numerals"):
        model = train_lstm([f"{n} {n + 1} {n + 2}" for n in range(100)], **QUICK)
    assert len(model) == 0
    assert np.isfinite(model["7"]).all()


def test_impossible_settings_are_refused():
    lines = ["a 1 b 2"] * 9
    with pytest.raises(ConfigError, match="encoder='gmm', but it must be lstm"):
        train_lstm(lines, encoder="gmm", **QUICK)
    assert train_lstm(lines, encoder="lstm", **QUICK).settings.encoder == Lstm()
    for setting in ("resume", "preset"):
        with pytest.raises(TypeError, match=f"unknown setting '{setting}'"):
            train_lstm(lines, **{setting: 1}, **QUICK)


def test_a_missing_gpu_is_refused(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(TrainingError, match="torch finds no GPU"):
        train_lstm(["a 1"], device="cuda")
    assert train.torch_device("auto") == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert [train.torch_device(asked) for asked in ("auto", "cuda", "cpu")] == [
        *["cuda", "cuda", "cpu"]
    ]


def test_training_that_diverges_stops(monkeypatch):
    monkeypatch.setattr(trainer, "LARGEST_LOAD", 1e9)
    with pytest.raises(TrainingError, match="diverges"):
        train_lstm(planted_without(), **LEARNT | {"learning_rate": 1.0, "dim": 50})


def groups(line, repeated=200, **settings):
    corpus = nl.encode([line] * repeated, min_count=1)
    chosen = Settings(sample=0, **settings)
    keep_probability = BlockPlanner(corpus, chosen).keep_probability
    return trainer.groups_per_batch(corpus.vocabulary, keep_probability, chosen)


def test_batches_are_smaller_where_one_word_is_in_many_windows():
    plain = " ".join(f"word{a}{b}" for a in "abcdefghijklmnop" for b in "abcdefghijklmnop") + " 7"
    assert groups(plain) == trainer.MOST_GROUPS
    assert groups("a 1 b 2") == int(1 / (0.035 * 4 * 6 / 4))
    assert groups("a 1 b 2", window=11) == int(1 / (0.035 * 4 * 12 / 4))
    assert groups("a 1 b 2", learning_rate=1) == 1

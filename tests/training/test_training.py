"""Training as a whole: planted answers, seeds, stops, and what cannot go on."""

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, NumberlineError, OutputError, TrainingError
from numberline.numerals.registry import BUILT_IN
from numberline.settings import Settings, made_of
from numberline.training import checkpoint, fit, schedule
from numberline.training.checkpoint import Checkpoints
from numberline.training.cpu import CpuTrainer
from numberline.training.divergence import diverged, untrained_loss
from numberline.training.tables import starting_tables
from tests.training.small_corpora import planted, with_halves

SETTINGS = {"dim": 16, "epochs": 3, "threads": 1, "sample": 0, "min_count": 1}


def cosine(model, a, b):
    x, y = model[a], model[b]
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("encoder", ["gmm", "som", "line"])
def test_numerals_never_seen_are_where_their_like_are(encoder, objective):
    model = nl.train(planted(), encoder=encoder, objective=objective, **SETTINGS)
    for number in ("7", "7.5", "13.25"):
        assert cosine(model, number, "few") > cosine(model, number, "many") + 0.3
    for number in ("4,321", "2500.5", "8999"):
        assert cosine(model, number, "many") > cosine(model, number, "few") + 0.3
    assert model.similar("7.5", 1)[0].token == "few"
    assert model.similar("4321.5", 1)[0].token == "many"


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_encoder_trains(name):
    model = nl.train(planted(400), encoder=name, **SETTINGS)
    assert np.isfinite(model.vectors(["few", "7", 1e300, "-5"])).all()
    assert model.training["loss"] < untrained_loss(Settings())


def test_words_alone():
    lines = [re.sub(r"\d+", "some", line) for line in planted(400)]
    with pytest.warns(nl.errors.NumberlineWarning, match="no numerals"):
        model = nl.train(lines, **SETTINGS)
    assert model.numerals is None
    assert "7" not in model
    with pytest.raises(KeyError, match="unknown"):
        model["7"]


def test_numerals_alone():
    with pytest.warns(nl.errors.NumberlineWarning, match="only numerals"):
        model = nl.train([f"{n} {n + 1} {n + 2}" for n in range(300)], **SETTINGS | {"epochs": 1})
    assert len(model) == 0
    assert np.isfinite(model["7"]).all()


def arrays(model):
    state = {} if model.numerals is None else model.numerals.state()
    return [model.word_input, model.word_output, *state.values()]


def test_one_thread_and_one_seed_give_the_same_bytes():
    first, second = (nl.train(planted(500), seed=5, **SETTINGS) for _ in range(2))
    for a, b in zip(arrays(first), arrays(second), strict=True):
        assert a.tobytes() == b.tobytes()
    other = nl.train(planted(500), seed=6, **SETTINGS)
    assert other.word_output.tobytes() != first.word_output.tobytes()


@pytest.fixture
def short_ranges(monkeypatch):
    monkeypatch.setattr(schedule, "MOST_RANGE_TOKENS", 200)


@pytest.mark.usefixtures("short_ranges")
def test_shuffled_text_is_trained_in_another_order(monkeypatch):
    """All of it in every epoch, at rates that fall."""
    trained = []
    monkeypatch.setattr(
        CpuTrainer,
        "_train",
        lambda self, native, text, rate: trained.append((text.first_token, rate)) or (0.0, 0),
    )
    nl.train(planted(300), shuffle=True, **SETTINGS)
    tokens, rates = np.array(trained).T
    epochs = tokens.reshape(SETTINGS["epochs"], -1)
    in_order = np.sort(epochs)
    assert (in_order == in_order[0]).all()
    for epoch in epochs:
        assert not np.array_equal(epoch, in_order[0])
    assert (np.diff(rates) < 0).all()


def test_several_threads_learn_the_same():
    model = nl.train(planted(), **SETTINGS | {"threads": 3, "learning_rate": 0.1})
    assert cosine(model, "7", "few") > cosine(model, "7", "many") + 0.2


def test_an_encoded_corpus_is_as_good_as_text(tmp_path):
    lines = planted(300)
    direct = nl.train(lines, **SETTINGS)
    encoded = nl.encode(lines, tmp_path / "encoded", min_count=1)
    settings = {name: SETTINGS[name] for name in SETTINGS if name != "min_count"}
    for corpus in (encoded, tmp_path / "encoded", str(tmp_path / "encoded")):
        again = nl.train(corpus, **settings)
        assert again.word_input.tobytes() == direct.word_input.tobytes()
        assert again.config == direct.config
    assert nl.train(encoded, **SETTINGS).config == direct.config
    for other in ({"min_count": 2}, {"lowercase": False}, {"strict": True}):
        with pytest.raises(ConfigError, match="encoded already"):
            nl.train(encoded, **SETTINGS | other)


def test_presets():
    model = nl.train(planted(300), preset="tagging", encoder="som", min_count=1, epochs=1)
    assert model.dim == 50
    assert model.settings.encoder == nl.Som(15, nearest=None)
    assert model.settings.epochs == 1
    with pytest.raises(ConfigError, match="one of similarity, magnitude"):
        nl.train(planted(10), preset="taging")


def test_progress_is_told():
    seen = []
    nl.train(planted(500), progress=lambda p: seen.append((p.tokens, p.total_tokens)), **SETTINGS)
    assert seen[-1][0] == seen[-1][1] == 500 * 7 * 3


class StopError(Exception):
    pass


def test_an_error_of_the_callback_ends_training():
    def stop(_):
        raise StopError

    with pytest.raises(StopError):
        nl.train(planted(500), progress=stop, **SETTINGS)


def stop_after(ranges, monkeypatch):
    """Training that is interrupted once so many ranges are done."""
    take = CpuTrainer._take_range

    def take_some(self):
        if self.next_range >= ranges:
            self._is_stopped = True
        return take(self)

    run = CpuTrainer.run

    def run_and_stop(self, progress=None, seconds=float("inf")):
        if not run(self, progress, seconds):
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(CpuTrainer, "_take_range", take_some)
    monkeypatch.setattr(CpuTrainer, "run", run_and_stop)


@pytest.mark.usefixtures("short_ranges")
@pytest.mark.parametrize(("encoder", "shuffle"), [("gmm", False), ("line", True)])
def test_resuming_ends_as_if_nothing_had_happened(encoder, shuffle, tmp_path, monkeypatch):
    settings = SETTINGS | {"encoder": encoder, "shuffle": shuffle}
    whole = nl.train(with_halves(300), **settings)
    with monkeypatch.context() as patch:
        stop_after(7, patch)
        with pytest.raises(KeyboardInterrupt):
            nl.train(with_halves(300), tmp_path / "model", **settings)
    assert (tmp_path / "model.checkpoint").is_dir()
    assert not (tmp_path / "model").exists()
    with pytest.raises(OutputError, match="resume"):
        nl.train(with_halves(300), tmp_path / "model", **settings)
    with pytest.raises(TrainingError, match="other settings"):
        nl.train(with_halves(300), tmp_path / "model", resume=True, **settings | {"dim": 17})
    with pytest.raises(TrainingError, match="another corpus"):
        nl.train(with_halves(301), tmp_path / "model", resume=True, **settings)
    model = nl.train(with_halves(300), tmp_path / "model", resume=True, **settings)
    for a, b in zip(arrays(model), arrays(whole), strict=True):
        assert a.tobytes() == b.tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_checkpoints_are_written_while_training_runs(tmp_path, monkeypatch):
    written = []

    def note(state, *rest):
        written.append(state.next_range)
        checkpoint.write_checkpoint(state, *rest)

    monkeypatch.setattr(fit, "write_checkpoint", note)
    settings = SETTINGS | {"epochs": 300, "checkpoint_minutes": 0.05 / 60}
    nl.train(planted(2000), tmp_path / "model", **settings)
    assert len(written) >= 2
    assert written == sorted(set(written))
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("threads", [1, 3])
def test_vectors_that_grow_without_bounds_stop_training(tmp_path, threads):
    with pytest.raises(TrainingError, match=r"lower numeral_negatives=2 or learning_rate=1.0"):
        nl.train(
            planted(2000),
            tmp_path / "model",
            encoder="line:prototypes=1",
            **SETTINGS | {"learning_rate": 1.0, "epochs": 20, "threads": threads},
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_real_interrupt_leaves_a_checkpoint(tmp_path):
    (tmp_path / "text.txt").write_text("\n".join(planted(3000)))
    command = [sys.executable, "-m", "numberline", "train", "text.txt", "-o", "model"]
    settings = ["--epochs", "100000", "--dim", "16", "--min-count", "1"]
    settings += ["--checkpoint-minutes", "0.01"]
    process = subprocess.Popen([*command, *settings], cwd=tmp_path, stderr=subprocess.PIPE)
    while not (tmp_path / "model.checkpoint").exists():
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert b"interrupted" in errors
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"text.txt", "model.checkpoint"}


def test_nothing_is_begun_if_the_model_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(NumberlineError, match="file"):
        nl.train(iter(()), tmp_path / "file")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/mine").touch()
    with pytest.raises(OutputError, match="holds no model"):
        nl.train(iter(()), tmp_path / "folder", overwrite=True)


def test_all_starting_vectors_are_random_and_small():
    tables, again = (starting_tables(2500, None, 3, np.random.default_rng(1)) for _ in range(2))
    assert np.array_equal(tables.word_input, again.word_input)
    assert len(np.unique(tables.word_input)) > 0.99 * tables.word_input.size
    assert np.abs(tables.word_input).max() == pytest.approx(1 / 3, rel=1e-2)
    assert tables.word_input.mean(axis=0) == pytest.approx(0, abs=4 / 3 / 2500**0.5)
    assert not tables.word_output.any()


def test_what_diverges_names_the_settings_in_question():
    assert "numeral_negatives" not in str(diverged(Settings(numeral_negatives=0)))
    assert "lower numeral_negatives=2 or learning_rate" in str(diverged(Settings()))
    assert "lower numeral_negatives=3 or learning_rate" in str(
        diverged(Settings(numeral_negatives=3))
    )


@pytest.mark.usefixtures("short_ranges")
def test_a_stop_leaves_no_range_half_done():
    """Several threads train; what was begun is finished."""
    trainer = trainer_of(threads=4)
    while not trainer.run(seconds=0.003):
        ranges = [trainer.schedule[number] for number in range(trainer.next_range)]
        assert trainer.progress.tokens == sum(text.tokens for text in ranges)
    assert trainer.progress.tokens == trainer.schedule.tokens


def trainer_of(threads):
    corpus = nl.encode(planted(3000), min_count=1)
    config = made_of(Settings, {"dim": 4, "threads": threads})
    state = fit.first_state(corpus, config, Checkpoints(None, float("inf"), resume=False))
    return fit.new_trainer(corpus, state, config)


@pytest.mark.usefixtures("short_ranges")
def test_the_loss_is_taken_of_other_windows_in_each_range():
    trainer, phases = trainer_of(threads=1), []

    class Native:
        def train(self, loss_phase, **given):
            phases.append(loss_phase)
            return 0.0, 0

    for number in range(9):
        trainer._train(Native(), trainer.schedule[number], 0.1)
    assert len(set(phases)) == 9


@pytest.mark.usefixtures("short_ranges")
def test_resuming_with_another_number_of_threads(tmp_path, monkeypatch):
    """Ranges do not depend on it, so that all text is trained once."""
    model, text = tmp_path / "model", planted(3000)
    settings = SETTINGS | {"threads": 4, "learning_rate": 0.1}
    with monkeypatch.context() as interrupted:
        stop_after(2, interrupted)
        with pytest.raises(KeyboardInterrupt):
            nl.train(text, model, **settings)
    seen = []
    monkeypatch.setattr(
        CpuTrainer, "_train", lambda self, native, text, rate: seen.append(text.number) or (0.0, 0)
    )
    nl.train(text, model, resume=True, **(settings | {"threads": 1}))
    assert seen[0] == 2
    assert seen == list(range(2, 2 + len(seen)))


@pytest.mark.parametrize(("negatives", "numerals"), [(1, 0), (3, 1), (5, 2), (10, 4)])
def test_two_of_five_negatives_of_numerals_are_numerals(negatives, numerals):
    assert Settings(negatives=negatives).negatives_of_numerals == numerals
    told = Settings(negatives=negatives, numeral_negatives=1)
    assert told.negatives_of_numerals == 1


def test_no_more_numerals_than_negatives():
    with pytest.raises(ConfigError, match="numeral_negatives=6"):
        Settings(negatives=5, numeral_negatives=6)

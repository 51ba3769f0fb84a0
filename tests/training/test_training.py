"""Whole trainings: planted answers, seeds, interruptions and errors."""

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import numberline as nl
from numberline.errors import (
    ConfigError,
    NumberlineError,
    NumberlineWarning,
    OutputError,
    StoreError,
    TrainingError,
)
from numberline.numerals.registry import BUILT_IN
from numberline.settings import Settings
from numberline.training import checkpoint, fit, schedule
from numberline.training.checkpoint import Checkpoints
from numberline.training.cpu import CpuTrainer
from numberline.training.progress import untrained_loss
from tests.files.crafted import edit_header
from tests.training.small_corpora import planted, with_halves

SETTINGS = {"dim": 16, "epochs": 3, "threads": 1, "sample": 0, "min_count": 1}
LONG = SETTINGS | {"epochs": 50}


def cosine(model, a, b):
    x, y = model[a], model[b]
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


@pytest.mark.parametrize(
    ("encoder", "objective"),
    [("gmm", "skipgram"), ("som", "skipgram"), ("line", "skipgram"), ("line", "cbow")],
)
def test_unseen_numerals_are_near_the_words_of_similar_numerals(encoder, objective):
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


def test_a_corpus_without_numerals_trains_words():
    lines = [re.sub(r"\d+", "some", line) for line in planted(400)]
    with pytest.warns(nl.errors.NumberlineWarning, match="no numerals"):
        model = nl.train(lines, **SETTINGS)
    assert model.numerals is None
    assert "7" not in model
    with pytest.raises(KeyError, match="unknown"):
        model["7"]


def test_a_corpus_without_words_trains_numerals():
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
def short_blocks(monkeypatch):
    monkeypatch.setattr(schedule, "MAX_BLOCK_TOKENS", 200)


@pytest.mark.usefixtures("short_blocks")
def test_every_epoch_trains_all_text_in_a_new_order_at_falling_rates(monkeypatch):
    trained = []
    monkeypatch.setattr(
        CpuTrainer,
        "_train",
        lambda self, native, block, rate: trained.append((block.first_token, rate)) or (0.0, 0),
    )
    nl.train(planted(300), **SETTINGS)
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


def test_an_encoded_corpus_gives_the_same_model_as_its_text(tmp_path):
    lines = planted(300)
    direct = nl.train(lines, **SETTINGS)
    encoded = nl.encode(lines, tmp_path / "encoded", min_count=1)
    settings = {name: SETTINGS[name] for name in SETTINGS if name != "min_count"}
    for corpus in (encoded, tmp_path / "encoded", str(tmp_path / "encoded")):
        again = nl.train(corpus, **settings)
        assert again.word_input.tobytes() == direct.word_input.tobytes()
        assert again.settings == direct.settings
    assert nl.train(encoded, **SETTINGS).settings == direct.settings
    for other in ({"min_count": 2}, {"lowercase": False}):
        with pytest.raises(ConfigError, match="encoded already"):
            nl.train(encoded, **SETTINGS | other)


def test_settings_override_a_preset():
    model = nl.train(planted(300), preset="tagging", encoder="som", min_count=1, epochs=1)
    assert model.dim == 50
    assert model.settings.encoder == nl.Som(15, nearest=None)
    assert model.settings.epochs == 1
    with pytest.raises(ConfigError, match=r"preset='taging', but it must be one of .*tagging"):
        nl.train(planted(10), preset="taging")


def test_progress_reports_all_tokens_of_all_epochs():
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


def stop_after(blocks, monkeypatch):
    """Interrupt training once this many blocks are done."""
    take = CpuTrainer._next_block

    def take_some(self):
        if self.next_block >= blocks:
            self._is_stopped = True
        return take(self)

    run = CpuTrainer.run

    def run_and_stop(self, progress=None, seconds=float("inf")):
        if not run(self, progress, seconds):
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(CpuTrainer, "_next_block", take_some)
    monkeypatch.setattr(CpuTrainer, "run", run_and_stop)


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("encoder", ["gmm", "line"])
def test_a_resumed_training_gives_the_same_bytes(encoder, tmp_path, monkeypatch):
    settings = SETTINGS | {"encoder": encoder}
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


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize(
    "damage",
    [{"next_block": block} for block in (-1, 10**6, 3.5, "3", None)]
    + [{"seconds": seconds} for seconds in (-1, float("nan"), float("inf"), None)],
    ids=str,
)
def test_a_checkpoint_that_no_training_can_have_written_is_refused(damage, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        stop_after(2, patch)
        with pytest.raises(KeyboardInterrupt):
            nl.train(planted(100), tmp_path / "model", **SETTINGS)
    edit_header(tmp_path / "model.checkpoint", **damage)
    with pytest.raises(StoreError, match="is damaged"):
        nl.train(planted(100), tmp_path / "model", resume=True, **SETTINGS)


@pytest.mark.usefixtures("short_blocks")
def test_checkpoints_are_written_while_training_runs(tmp_path, monkeypatch):
    written = []

    def write(state, *rest):
        written.append(state.next_block)
        checkpoint.write_checkpoint(state, *rest)

    monkeypatch.setattr(fit, "write_checkpoint", write)
    monkeypatch.setattr(checkpoint, "CHECKPOINT_SECONDS", 0.005)
    nl.train(planted(1000), tmp_path / "model", **LONG)
    assert len(written) >= 2
    assert written == sorted(written)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def write_once(monkeypatch, failure):
    """Let the first checkpoint be written, and all others fail."""
    written = []

    def write(state, *rest):
        written.append(state.next_block)
        if len(written) > 1:
            raise failure
        checkpoint.write_checkpoint(state, *rest)

    monkeypatch.setattr(fit, "write_checkpoint", write)
    monkeypatch.setattr(checkpoint, "CHECKPOINT_SECONDS", 0.005)
    return written


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("failure", [OutputError("no space left"), MemoryError()])
def test_checkpoints_that_cannot_be_written_are_warnings(tmp_path, monkeypatch, failure):
    written = write_once(monkeypatch, failure)
    with pytest.warns(NumberlineWarning, match="no checkpoint after .* tokens: ") as warned:
        model = nl.train(planted(1000), tmp_path / "model", **LONG)
    assert len(warned) == len(written) - 1 > 1
    assert re.search("(no space left|out of memory); training goes on$", str(warned[0].message))
    whole = nl.train(planted(1000), **LONG)
    assert arrays(model)[0].tobytes() == arrays(whole)[0].tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.usefixtures("short_blocks")
def test_an_interrupt_whose_checkpoint_cannot_be_written_keeps_the_one_before(
    tmp_path, monkeypatch
):
    written = write_once(monkeypatch, OutputError("no space left"))

    def stop(progress):
        if len(written) == 1:
            raise KeyboardInterrupt

    with (
        pytest.warns(NumberlineWarning, match="no space left; the training since the last one is"),
        pytest.raises(KeyboardInterrupt),
    ):
        nl.train(planted(1000), tmp_path / "model", progress=stop, **LONG)
    monkeypatch.setattr(fit, "write_checkpoint", checkpoint.write_checkpoint)
    model = nl.train(planted(1000), tmp_path / "model", resume=True, **LONG)
    whole = nl.train(planted(1000), **LONG)
    assert arrays(model)[0].tobytes() == arrays(whole)[0].tobytes()


@pytest.mark.parametrize("threads", [1, 3])
def test_training_that_diverges_stops_and_names_the_learning_rate(tmp_path, threads):
    with pytest.raises(TrainingError, match=r"diverges.*lower learning_rate=1.0"):
        nl.train(
            planted(2000),
            tmp_path / "model",
            encoder="line:prototypes=1",
            **SETTINGS | {"learning_rate": 1.0, "epochs": 20, "threads": threads},
        )
    assert list(tmp_path.iterdir()) == []


TRAIN_WITH_CHECKPOINTS = """
import runpy
from numberline.training import checkpoint
checkpoint.CHECKPOINT_SECONDS = 0.5
runpy.run_module("numberline")
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_real_interrupt_leaves_a_checkpoint(tmp_path):
    (tmp_path / "text.txt").write_text("\n".join(planted(3000)))
    command = [sys.executable, "-c", TRAIN_WITH_CHECKPOINTS, "train", "text.txt", "-o", "model"]
    settings = ["--epochs", "100000", "--dim", "16", "--min-count", "1"]
    process = subprocess.Popen([*command, *settings], cwd=tmp_path, stderr=subprocess.PIPE)
    while not (tmp_path / "model.checkpoint").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert b"interrupted" in errors
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"text.txt", "model.checkpoint"}


def test_a_model_that_cannot_be_written_is_refused_before_training(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(NumberlineError, match="file"):
        nl.train(iter(()), tmp_path / "file")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/mine").touch()
    with pytest.raises(OutputError, match="holds no model"):
        nl.train(iter(()), tmp_path / "folder", overwrite=True)


def test_a_model_that_cannot_be_saved_at_the_end_is_not_lost(tmp_path):
    folder = tmp_path / "model"
    nl.train(planted(50), folder, **SETTINGS)
    first = nl.train(planted(100), **SETTINGS)

    def put_a_file_into_it(_):
        (folder / "thesis.txt").write_text("mine")

    with pytest.raises(OutputError, match=r"holds thesis\.txt.*is kept in .*model\.checkpoint"):
        nl.train(planted(100), folder, overwrite=True, progress=put_a_file_into_it, **SETTINGS)
    (folder / "thesis.txt").unlink()
    nl.train(planted(100), folder, overwrite=True, resume=True, **SETTINGS)
    assert (nl.load(folder).word_input == first.word_input).all()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.usefixtures("short_blocks")
def test_a_stop_leaves_no_block_half_done():
    """Several threads train; each finishes the block that it has begun."""
    trainer = trainer_of(threads=4)
    while not trainer.run(seconds=0.003):
        blocks = [trainer.schedule[number] for number in range(trainer.next_block)]
        assert trainer.progress.tokens == sum(block.tokens for block in blocks)
    assert trainer.progress.tokens == trainer.schedule.tokens


def trainer_of(threads):
    corpus = nl.encode(planted(1500), min_count=1)
    settings = Settings(dim=4, threads=threads)
    state = fit.first_state(corpus, settings, Checkpoints(None, float("inf"), resume=False))
    return fit.new_trainer(corpus, state, settings)


@pytest.mark.usefixtures("short_blocks")
def test_the_loss_is_sampled_at_other_steps_in_each_block():
    trainer, phases = trainer_of(threads=1), []

    class Native:
        def train(self, loss_phase, **arguments):
            phases.append(loss_phase)
            return 0.0, 0

    for number in range(9):
        trainer._train(Native(), trainer.schedule[number], 0.1)
    assert len(set(phases)) == 9


@pytest.mark.usefixtures("short_blocks")
def test_resuming_with_another_number_of_threads_trains_each_block_once(tmp_path, monkeypatch):
    model, text = tmp_path / "model", planted(1000)
    settings = SETTINGS | {"threads": 4, "learning_rate": 0.1}
    with monkeypatch.context() as interrupted:
        stop_after(2, interrupted)
        with pytest.raises(KeyboardInterrupt):
            nl.train(text, model, **settings)
    seen = []
    monkeypatch.setattr(
        CpuTrainer,
        "_train",
        lambda self, native, block, rate: seen.append(block.number) or (0.0, 0),
    )
    nl.train(text, model, resume=True, **(settings | {"threads": 1}))
    assert 2 <= seen[0] <= 5  # each of four threads may look before another one takes a block
    assert seen == list(range(seen[0], seen[0] + len(seen)))


def test_a_long_list_of_numerals_that_share_a_prototype_leaves_vectors_bounded():
    numbers = " ".join(str(100_003 + 7 * index) for index in range(3000))
    model = nl.train([*planted(500), numbers] * 2, encoder="token", threads=1, epochs=5, dim=20)
    longest = max(
        np.linalg.norm(model.numerals.table(side), axis=1).max() for side in ("input", "output")
    )
    assert longest < 10

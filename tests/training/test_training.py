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
from numberline.config import ENCODERS, EncoderConfig, TrainingConfig
from numberline.errors import ConfigError, NumberlineError, OutputError, TrainingError
from numberline.numerals.registry import fit_encoder
from numberline.training import checkpoint, fit, numerals
from numberline.training.tables import starting_tables
from numberline.training.trainer import Trainer, diverged, ignorant_loss
from tests.training.small_corpora import planted, with_halves

SETTINGS = {"dim": 16, "epochs": 3, "threads": 1, "sample": 0, "min_count": 1}


def cosine(model, a, b):
    x, y = model[a], model[b]
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("encoder", ["gmm", "som", "piecewise", "multiscale"])
def test_numerals_never_seen_are_where_their_like_are(encoder, objective):
    model = nl.train(planted(), encoder=encoder, objective=objective, **SETTINGS)
    for number in ("7", "7.5", "13.25"):
        assert cosine(model, number, "few") > cosine(model, number, "many") + 0.3
    for number in ("4,321", "2500.5", "8999"):
        assert cosine(model, number, "many") > cosine(model, number, "few") + 0.3
    assert model.similar("7.5", 1)[0].token == "few"
    assert model.similar("4321.5", 1)[0].token == "many"


@pytest.mark.parametrize("name", ENCODERS)
def test_every_encoder_trains(name):
    if name == "lstm":
        pytest.importorskip("torch")
    model = nl.train(planted(400), encoder=name, **SETTINGS)
    assert np.isfinite(model.vectors(["few", "7", 1e300, "-5"])).all()
    assert model.training["loss"] < ignorant_loss(negatives=5)


def test_words_alone():
    lines = [re.sub(r"\d+", "some", line) for line in planted(400)]
    with pytest.warns(nl.errors.NumberlineWarning, match="no numerals"):
        model = nl.train(lines, **SETTINGS)
    assert model.encoder is None
    assert "7" not in model
    with pytest.raises(KeyError, match="unknown"):
        model["7"]


def test_numerals_alone():
    with pytest.warns(nl.errors.NumberlineWarning, match="only numerals"):
        model = nl.train([f"{n} {n + 1} {n + 2}" for n in range(300)], **SETTINGS | {"epochs": 1})
    assert len(model) == 0
    assert np.isfinite(model["7"]).all()


def trained_with(name, *choices):
    """Models of one text that differ by what they were told to do when training is done."""
    for choice in choices:
        yield nl.train(with_halves(1000), **{"lengths": "trained", name: choice}, **SETTINGS)


def assert_same_scores(one, other):
    values = np.arange(1, 20, 0.5)
    for side, opposite in (("input", "output"), ("output", "input")):
        scores, same = (
            model.numeral_vectors(values, side) @ model.word_table(opposite).T
            for model in (one, other)
        )
        assert scores == pytest.approx(same, abs=1e-4)


def test_decimals_are_told_by_scores_and_by_distances_only_where_they_shall_be():
    told, apart = trained_with("decimals", "scores", "vectors")
    assert_same_scores(told, apart)
    beside = [
        np.linalg.norm(model["7.5"] - (model["7"] + model["8"]) / 2) for model in (told, apart)
    ]
    assert beside[0] < 0.1 * beside[1]


def test_lengths_that_have_settled_leave_scores_and_part_numerals():
    settled, trained = trained_with("lengths", "settled", "trained")
    assert_same_scores(settled, trained)
    apart = [np.linalg.norm(model["2"] - model["19"]) for model in (settled, trained)]
    assert apart[0] > 1.1 * apart[1]


def arrays(model):
    state = {} if model.encoder is None else model.encoder.state()
    return [model.word_input, model.word_output, *state.values()]


def test_one_thread_and_one_seed_give_the_same_bytes():
    first, second = (nl.train(planted(500), seed=5, **SETTINGS) for _ in range(2))
    for a, b in zip(arrays(first), arrays(second), strict=True):
        assert a.tobytes() == b.tobytes()
    other = nl.train(planted(500), seed=6, **SETTINGS)
    assert other.word_output.tobytes() != first.word_output.tobytes()


def test_shuffled_text_is_trained_in_another_order(monkeypatch):
    """All of it in every epoch, at rates that fall."""
    trained = []
    monkeypatch.setattr(
        Trainer,
        "_train",
        lambda self, kernel, block, rate: trained.append((block.first_token, rate)) or (0.0, 0),
    )
    nl.train(planted(300), shuffle=True, **SETTINGS | {"block_tokens": 200})
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
    assert model.config.encoder.prototypes == 15
    assert model.config.training.epochs == 1
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


def stop_after(blocks, monkeypatch):
    """Training that is interrupted once so many blocks are done."""
    take = Trainer._take_part

    def take_some(self):
        if self.next_block >= blocks:
            self._is_stopped = True
        return take(self)

    run = Trainer.run

    def run_and_stop(self, progress=None, seconds=float("inf")):
        if not run(self, progress, seconds):
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(Trainer, "_take_part", take_some)
    monkeypatch.setattr(Trainer, "run", run_and_stop)


@pytest.mark.parametrize(
    ("encoder", "shuffle"), [("gmm", False), ("multiscale", True), ("lstm", False)]
)
def test_resuming_ends_as_if_nothing_had_happened(encoder, shuffle, tmp_path, monkeypatch):
    if encoder == "lstm":
        pytest.importorskip("torch")
    settings = SETTINGS | {"encoder": encoder, "block_tokens": 200, "shuffle": shuffle}
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
        written.append(state.next_block)
        checkpoint.write_checkpoint(state, *rest)

    monkeypatch.setattr(fit, "write_checkpoint", note)
    settings = SETTINGS | {"epochs": 300, "checkpoint_minutes": 0.05 / 60}
    nl.train(planted(2000), tmp_path / "model", **settings)
    assert len(written) >= 2
    assert written == sorted(set(written))
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_vectors_that_are_no_longer_finite_stop_training(tmp_path):
    named = r"lower numeral_negatives=2 or learning_rate=1.0 or block_load=10000000.0"
    with pytest.raises(TrainingError, match=named):
        nl.train(
            planted(2000),
            tmp_path / "model",
            prototypes=2,
            block_load=1e7,
            **SETTINGS | {"learning_rate": 1.0, "epochs": 20},
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_real_interrupt_leaves_a_checkpoint(tmp_path):
    (tmp_path / "text.txt").write_text("\n".join(planted(3000)))
    command = [sys.executable, "-m", "numberline", "train", "text.txt", "-o", "model"]
    settings = ["--epochs", "100000", "--dim", "16", "--min-count", "1"]
    process = subprocess.Popen([*command, *settings], cwd=tmp_path, stderr=subprocess.PIPE)
    time.sleep(4)
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
    tables = starting_tables(2500, 3, np.random.default_rng(1))
    expected = np.random.default_rng(1).random((2500, 3), np.float32)
    assert tables.input == pytest.approx((expected - 0.5) * 2 / 3, abs=1e-6)
    assert not tables.output.any()


def test_what_diverges_names_the_settings_in_question():
    assert "numeral_negatives" not in str(diverged(TrainingConfig(numeral_negatives=0)))
    assert "lower numeral_negatives=2 or learning_rate" in str(diverged(TrainingConfig()))
    assert "lower numeral_negatives=3 or learning_rate" in str(
        diverged(TrainingConfig(numeral_negatives=3))
    )


def trainer_of_parts(monkeypatch):
    """Of four threads, on a text whose blocks they train in parts."""
    monkeypatch.setattr(numerals, "PART_TOKENS", 1)
    corpus = nl.encode(planted(3000), min_count=1)
    counts = corpus.vocabulary.numeral_counts.astype(float)
    config, rng = TrainingConfig(dim=4, learning_rate=0.1), np.random.default_rng(1)
    encoder = fit_encoder(EncoderConfig(), corpus.vocabulary.numeral_values, counts, rng)
    tables = starting_tables(len(corpus.vocabulary.words), 4, rng)
    trainer = Trainer(corpus, encoder.start(4, rng), tables, config, 1, threads=4)
    assert len(trainer._parts_of(trainer.schedule[0])) > 3
    return trainer


def test_a_stop_leaves_no_block_half_done(monkeypatch):
    """Several threads train parts of blocks; what was begun is finished."""
    trainer = trainer_of_parts(monkeypatch)
    while not trainer.run(seconds=0.003):
        assert not trainer._parts
        blocks = [trainer.schedule[number] for number in range(trainer.next_block)]
        assert trainer.progress.tokens == sum(block.tokens for block in blocks)
    assert trainer.progress.tokens == trainer.schedule.tokens


def test_the_loss_is_taken_of_other_windows_in_each_part(monkeypatch):
    trainer, phases = trainer_of_parts(monkeypatch), []

    class Kernel:
        input_numerals = output_numerals = np.zeros(0, np.int32)

        def plan(self, **given):
            pass

        def train(self, loss_phase, **given):
            phases.append(loss_phase)
            return 0.0, 0

    parts = trainer._parts_of(trainer.schedule[1])
    for part in parts:
        trainer._train(Kernel(), part, 0.1)
    assert len(set(phases)) == len(parts)


def test_resuming_with_another_number_of_threads(tmp_path, monkeypatch):
    """Blocks do not depend on it, so that all text is trained once."""
    model, text = tmp_path / "model", planted(3000)
    settings = SETTINGS | {"threads": 4, "learning_rate": 0.1}
    with monkeypatch.context() as interrupted:
        stop_after(2, interrupted)
        with pytest.raises(KeyboardInterrupt):
            nl.train(text, model, **settings)
    seen = []
    monkeypatch.setattr(
        Trainer, "_train", lambda self, kernel, block, rate: seen.append(block.number) or (0.0, 0)
    )
    nl.train(text, model, resume=True, **(settings | {"threads": 1}))
    assert seen[0] == 2
    assert seen == list(range(2, 2 + len(seen)))


@pytest.mark.parametrize(("negatives", "numerals"), [(1, 0), (3, 1), (5, 2), (10, 4)])
def test_two_of_five_negatives_of_numerals_are_numerals(negatives, numerals):
    assert TrainingConfig(negatives=negatives).negatives_of_numerals == numerals
    told = TrainingConfig(negatives=negatives, numeral_negatives=1)
    assert told.negatives_of_numerals == 1


def test_no_more_numerals_than_negatives():
    with pytest.raises(ConfigError, match="numeral_negatives=6"):
        TrainingConfig(negatives=5, numeral_negatives=6)

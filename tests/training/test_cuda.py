"""Training on a GPU as users see it: emulated if there is none, or skipped."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, MissingExtraError, TrainingError
from numberline.numerals.rows import rows_of_table
from numberline.settings import Settings
from numberline.training import devices, gpu, schedule
from numberline.training.checkpoint import NO_CHECKPOINTS
from numberline.training.cpu import CpuTrainer
from numberline.training.cuda import text as cuda_text
from numberline.training.cuda.damping import SAFE_LOAD, damping_of_sides, pairs_per_centre
from numberline.training.cuda.kernels import KernelShape
from numberline.training.fit import first_state
from numberline.training.gpu import GpuTrainer
from numberline.training.sampling import sampling_of
from numberline.training.state import TrainingState
from numberline.training.tables import starting_tables
from tests.emulated_cuda.fake_cupy import compiler
from tests.training.small_corpora import FixedRows, has_gpu, planted, random_corpus

ROOT = Path(__file__).parents[2]
emulated = pytest.mark.usefixtures("cuda_device")  # without a GPU
needs_gpu = pytest.mark.skipif(not has_gpu(), reason="no GPU here, or no CuPy")


class NoDevices:
    """CuPy on a machine without a driver."""

    class cuda:  # noqa: N801
        class runtime:  # noqa: N801
            class CUDARuntimeError(RuntimeError):
                pass

            @classmethod
            def getDeviceCount(cls):  # noqa: N802
                raise cls.CUDARuntimeError("no driver")


class OneDevice(NoDevices):
    class cuda:  # noqa: N801
        class runtime(NoDevices.cuda.runtime):  # noqa: N801
            @classmethod
            def getDeviceCount(cls):  # noqa: N802
                return 1


def picks_gpu(monkeypatch, cupy, tokens=10**9, **settings):
    def import_cupy(module, extra):
        if cupy is None:
            raise MissingExtraError(module, extra)
        return cupy

    monkeypatch.setattr(devices, "optional", import_cupy)
    return devices.trains_on_gpu(Settings(**settings), tokens)


def test_a_gpu_trains_if_there_is_one_and_the_corpus_is_large(monkeypatch):
    assert picks_gpu(monkeypatch, OneDevice)
    assert picks_gpu(monkeypatch, OneDevice, tokens=100, device="cuda")
    assert not picks_gpu(monkeypatch, OneDevice, device="cpu")
    assert not picks_gpu(monkeypatch, OneDevice, tokens=1000)
    assert not picks_gpu(monkeypatch, OneDevice, window=100)  # only the CPU supports it
    assert not picks_gpu(monkeypatch, NoDevices)
    assert not picks_gpu(monkeypatch, None)


def test_a_required_but_missing_gpu_is_an_error(monkeypatch):
    with pytest.raises(TrainingError, match="finds no GPU"):
        picks_gpu(monkeypatch, NoDevices, device="cuda")
    with pytest.raises(MissingExtraError, match="cuda"):
        picks_gpu(monkeypatch, None, device="cuda")
    with pytest.raises(ConfigError, match="auto"):
        picks_gpu(monkeypatch, OneDevice, device="gpu")


@pytest.mark.parametrize(("name", "value"), [("window", 15), ("negatives", 31), ("dim", 5000)])
def test_settings_that_the_kernels_do_not_support_are_refused(name, value):
    with pytest.raises(ConfigError, match="on a GPU"):
        KernelShape.of(Settings(**{name: value}))


def test_lanes_read_as_many_columns_at_once_as_leave_the_fewest_idle():
    for dim, vector in ((100, 4), (300, 2), (128, 4), (64, 2), (50, 2)):
        assert KernelShape.of(Settings(dim=dim)).vector == vector


class Knots(FixedRows):
    """A fitted encoder with prototypes at some values; a numeral lies between two of them."""

    def __init__(self, *values):
        self.values, self.size, self.is_frozen = np.log1p(values), len(values), False

    def weights(self, values, side="input"):
        indices = np.interp(np.log1p(values), self.values, np.arange(self.size))
        table = np.maximum(0, 1 - np.abs(indices[:, None] - np.arange(self.size)))
        return rows_of_table(table)

    def starting_tables(self, dim, rng):
        return rng.normal(0, 0.1 / dim, (self.size, dim)), np.zeros((self.size, dim))


KNOTS = Knots(0, 10, 100, 3000, 10_000)


def start_of(corpus, knots=KNOTS, **settings):
    """Return the arguments of a trainer."""
    chosen = Settings(**{"dim": 8, "epochs": 2, "threads": 1} | settings)
    rng = np.random.default_rng(chosen.seed)
    tables = starting_tables(len(corpus.vocabulary.words), knots, chosen.dim, rng)
    return corpus, TrainingState(tables, knots), chosen


def small_launches(monkeypatch, launch_tokens=120):
    monkeypatch.setattr(schedule, "MIN_BLOCK_TOKENS", 50)
    monkeypatch.setattr(schedule, "MAX_BLOCK_TOKENS", 50)
    monkeypatch.setattr(gpu, "LAUNCH_TOKENS", launch_tokens)


@needs_gpu
@pytest.mark.parametrize("encoder", ["line", "gmm", "som", "token", "fourier"])
@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_planted_answers_of_encoders(encoder, objective):
    settings = {"dim": 32, "epochs": 20, "min_count": 1, "sample": 0.01, "seed": 3}
    settings |= {"encoder": encoder, "objective": objective, "learning_rate": 0.05}
    model = nl.train(planted(), device="cuda", **settings)
    assert model.training["gpu"]
    assert model.similarity("7", "few") > model.similarity("7", "many") + 0.2
    assert model.similarity("4321", "many") > model.similarity("4321", "few") + 0.2


@emulated
@pytest.mark.parametrize(("objective", "warps"), [("skipgram", 1), ("skipgram", 20), ("cbow", 20)])
def test_planted_answers(objective, warps):
    settings = {"epochs": 6, "sample": 0.01, "learning_rate": 0.1, "objective": objective}
    corpus = nl.encode(planted(160), min_count=1)
    trainer = GpuTrainer(*start_of(corpus, **settings), warps=warps)
    assert trainer.run()
    tables = trainer.tables
    assert tables.are_finite
    words = corpus.vocabulary.words
    few, many = (tables.word_input[words.index(word)] for word in ("few", "many"))
    small, large = KNOTS.weights(np.array([7, 4321])) @ tables.prototype_input
    assert cosine(small, few) > cosine(small, many) + 0.2
    assert cosine(large, many) > cosine(large, few) + 0.2


def cosine(one, other):
    return one @ other / np.linalg.norm(one) / np.linalg.norm(other)


@emulated
def test_training_with_interruptions_equals_training_at_once(monkeypatch):
    """With one warp, training is deterministic."""
    small_launches(monkeypatch)
    corpus = random_corpus(5)
    whole = GpuTrainer(*start_of(corpus, epochs=3), warps=1)
    assert whole.run()
    corpus, state, settings = start_of(corpus, epochs=3)
    interruptions = 0

    def stop(progress):
        raise KeyboardInterrupt

    while state.next_block < whole.schedule.block_count:
        trainer = GpuTrainer(corpus, state, settings, warps=1)
        with pytest.raises(KeyboardInterrupt):
            trainer.run(stop)
        assert trainer.tables is state.tables
        state = replace(state, next_block=trainer.next_block)
        interruptions += 1
    assert interruptions > 3
    assert np.array_equal(state.tables.padded_input, whole.tables.padded_input)
    assert np.array_equal(state.tables.padded_output, whole.tables.padded_output)


@emulated
def test_each_launch_is_reported_once_whatever_ends_a_run(monkeypatch):
    small_launches(monkeypatch)
    trainer, reports = GpuTrainer(*start_of(random_corpus(5))), []

    def report(progress):
        reports.append((progress.tokens, progress.learning_rate))
        if len(reports) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.run(report)
    assert not trainer.run(report, seconds=0)
    assert trainer.run(report)
    tokens, rates = zip(*reports, strict=True)
    assert list(tokens) == sorted(set(tokens))
    assert tokens[-1] == trainer.progress.total_tokens == trainer.schedule.tokens
    assert list(rates) == sorted(rates, reverse=True)
    assert trainer.progress.gpu == trainer.machine["gpu"]
    assert 0 < trainer.machine["trained_words"] <= trainer.schedule.tokens


@emulated
def test_text_that_does_not_fit_on_the_device_gives_the_same_vectors(monkeypatch):
    small_launches(monkeypatch)

    def trained():
        trainer = GpuTrainer(*start_of(random_corpus(5)), warps=1)
        assert trainer.run()
        return trainer._text.is_resident, trainer.tables.padded_input

    is_resident, expected = trained()
    assert is_resident
    monkeypatch.setattr(cuda_text, "RESIDENT_FRACTION", 0)
    is_resident, found = trained()
    assert not is_resident
    assert np.array_equal(found, expected)


@emulated
@pytest.mark.parametrize(("first", "second"), [("cpu", "cuda"), ("cuda", "cpu")])
def test_one_device_continues_where_the_other_stopped(monkeypatch, first, second):
    """Blocks, draws and tables are the same; learning rates nearly so."""
    small_launches(monkeypatch, launch_tokens=50)
    corpus, settings = random_corpus(5), {"epochs": 3, "sample": 0.05, "learning_rate": 0.02}
    alone = trained_in_turns(["cpu", "cpu"], corpus, **settings)
    both = trained_in_turns([first, second], corpus, **settings)
    start = start_of(corpus, **settings)[1].tables
    for table in ("padded_input", "padded_output"):
        found, expected = (getattr(end, table) - getattr(start, table) for end in (both, alone))
        assert np.linalg.norm(found - expected) < 0.06 * np.linalg.norm(expected)


def trained_in_turns(devices, corpus, **settings):
    """Train each half on one of the devices; return the tables."""
    corpus, state, chosen = start_of(corpus, **settings)
    for device, done in zip(devices, (0.5, 1), strict=True):
        kind = {"cpu": CpuTrainer, "cuda": GpuTrainer}[device]
        trainer = kind(corpus, state, chosen)
        block_count = trainer.schedule.block_count
        trainer.schedule.block_count = int(done * block_count)
        assert trainer.run()
        trainer.schedule.block_count = block_count
        state = replace(state, tables=trainer.tables, next_block=trainer.next_block)
    return state.tables


@emulated
def test_training_that_diverges_is_an_error():
    corpus = random_corpus(3, words=4, numerals=3, sentences=40)
    trainer = GpuTrainer(*start_of(corpus, learning_rate=1.0, epochs=200))
    with pytest.raises(TrainingError, match="learning_rate"):
        trainer.run()


@emulated
@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_numerals_that_share_prototypes_do_not_diverge(objective):
    """Each numeral of an ascending list has large weights on prototypes of its neighbours."""
    lists = [" ".join(map(str, range(at, at + 20))) for at in range(0, 800, 20)]
    corpus = nl.encode(["cups", *lists], min_count=1)
    settings = Settings(dim=8, epochs=4, objective=objective, kinds=False)
    start = first_state(corpus, settings, NO_CHECKPOINTS)
    rows = start.fitted.weights(corpus.vocabulary.numerals.values)
    scaled = FixedRows(replace(rows, weights=5 * rows.weights))
    trainer = GpuTrainer(corpus, TrainingState(start.tables, scaled), settings, warps=1)
    assert trainer.run()
    assert np.linalg.norm(trainer.tables.padded_input, axis=1).max() < 20


def damping_for(corpus, state, settings, warps):
    sampling = sampling_of(corpus.vocabulary, len(corpus.ids), settings)
    rows = state.numeral_rows(corpus.vocabulary.numerals)
    return damping_of_sides(corpus.vocabulary, sampling, rows, settings.learning_rate, warps)


def test_frequent_words_are_damped_by_their_load():
    """Three words, each a third of all inputs."""
    corpus = nl.encode(["so few words"] * 90 + ["1"], min_count=1)
    start = start_of(corpus, learning_rate=0.05, sample=0)
    settings = start[2]
    pairs = (settings.window + 1) * (1 + settings.negatives) * 90 / 271
    for warps, load in ((11, 10 * 0.05 * pairs), (21, 20 * 0.05 * pairs)):
        inputs, _ = damping_for(*start, warps)
        assert load > SAFE_LOAD
        assert inputs[:3] == pytest.approx(SAFE_LOAD / load)
    for damping in damping_for(*start, 1):
        assert damping.tolist() == [1.0] * len(damping)


def test_the_load_of_a_prototype_is_that_of_all_its_numerals():
    """One prototype for all numerals is damped; with many, each moves freely."""
    lines = [f"word{chr(97 + a)}{chr(97 + b)} {26 * a + b}" for a in range(26) for b in range(26)]
    corpus = nl.encode(lines, min_count=1)
    words = len(corpus.vocabulary.words)
    for knots, least, most in ((Knots(0, 1e9), 0, 0.05), (Knots(*np.arange(700)), 1, 1)):
        inputs, outputs = damping_for(*start_of(corpus, knots, sample=0), 400)
        assert inputs[:words].tolist() == [1.0] * words
        assert least <= min(inputs[words], outputs[words]) <= most


def test_prototypes_that_move_together_stay_within_the_safe_load():
    """No eigenvalue of the matrix of simultaneous corrections exceeds the limit."""
    corpus = random_corpus(3, words=9, numerals=40, sentences=300)
    knots = Knots(0, 1, 4, 20, 100, 1600)
    start = start_of(corpus, knots, sample=0)
    sampling = sampling_of(corpus.vocabulary, len(corpus.ids), start[2])
    weights = knots.weights(corpus.vocabulary.numerals.values).dense()
    words, rate = len(corpus.vocabulary.words), start[2].learning_rate
    for pairs, damping in zip(
        pairs_per_centre(corpus.vocabulary, sampling), damping_for(*start, 300), strict=True
    ):
        corrections = (weights.T * pairs[words:]) @ weights * 299 * rate
        assert np.linalg.eigvals(corrections).real.max() > SAFE_LOAD
        damped = damping[words:, None] * corrections
        assert np.linalg.eigvals(damped).real.max() <= SAFE_LOAD * (1 + 1e-5)


@emulated
@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_damped_rows_take_their_fraction_of_each_change(objective, monkeypatch):
    """Small changes of damped rows are fractions of those of rows that are not damped."""
    corpus, moved = random_corpus(4), []
    words = len(corpus.vocabulary.words)
    random = np.random.default_rng(5)
    damping = [random.uniform(0.2, 1, words + KNOTS.size).astype(np.float32) for _ in range(2)]
    for fractions in ([np.ones_like(side) for side in damping], damping):
        monkeypatch.setattr(gpu, "damping_of_sides", lambda *_, fractions=fractions: fractions)
        start = start_of(corpus, objective=objective, learning_rate=1e-3, epochs=1)
        tables = start[1].tables.padded_input, start[1].tables.padded_output
        for number, table in enumerate(tables):
            table[:, :8] = np.random.default_rng(number).normal(0, 0.4, (len(table), 8))
        before = [table.copy() for table in tables]
        trainer = GpuTrainer(*start, warps=1)
        assert trainer.run()
        assert trainer.tables is start[1].tables
        moved.append([now - then for now, then in zip(tables, before, strict=True)])
    for whole, damped, fraction in zip(*moved, damping, strict=True):
        expected = fraction[:, None] * whole
        assert np.linalg.norm(damped - expected) < 2e-2 * np.linalg.norm(expected)


@emulated
@pytest.mark.parametrize("lines", [["1", "cat", "2"] * 9, ["1 2 3 4"] * 9, ["so few words"] * 9])
@pytest.mark.filterwarnings("ignore::numberline.errors.NumberlineWarning")
def test_text_without_windows_words_or_numerals_trains(lines):
    trainer = GpuTrainer(*start_of(nl.encode(lines, min_count=1)))
    assert trainer.run()
    assert trainer.tables.are_finite


@emulated
@pytest.mark.parametrize("resident_fraction", [0.4, 0])
@pytest.mark.parametrize("shift", [-999, 999])
def test_ids_beyond_the_vocabulary_are_refused(monkeypatch, shift, resident_fraction):
    monkeypatch.setattr(cuda_text, "RESIDENT_FRACTION", resident_fraction)
    corpus, state, settings = start_of(random_corpus(2))
    damaged = replace(corpus, ids=corpus.ids + np.int32(shift))
    with pytest.raises(ValueError, match="beyond the vocabulary"):
        GpuTrainer(damaged, state, settings).run()


@emulated
def test_a_gpu_writes_a_model_folder_like_any_other(tmp_path):
    reports = []
    settings = {"dim": 8, "epochs": 2, "min_count": 1, "device": "cuda"}
    model = nl.train(planted(60), tmp_path / "model", progress=reports.append, **settings)
    assert reports[-1].gpu == model.training["gpu"]
    assert reports[-1].tokens == reports[-1].total_tokens
    again = nl.load(tmp_path / "model")
    assert np.array_equal(again.vectors(["small", "7.5"]), model.vectors(["small", "7.5"]))
    assert again.settings == replace(model.settings, device="auto")  # not saved


@emulated
@pytest.mark.parametrize(("first", "second"), [("cpu", "cuda"), ("cuda", "cpu")])
def test_a_checkpoint_is_resumed_on_the_other_device(tmp_path, first, second):
    def stop(progress):
        raise KeyboardInterrupt

    settings = {"dim": 8, "epochs": 3, "threads": 1}
    corpus = nl.encode(planted(60), min_count=1)
    with pytest.raises(KeyboardInterrupt):
        nl.train(corpus, tmp_path / "model", device=first, progress=stop, **settings)
    model = nl.train(corpus, tmp_path / "model", device=second, resume=True, **settings)
    assert ("gpu" in model.training) == (second == "cuda")


WITHOUT_NATIVE = """
import sys
from dataclasses import replace
from pathlib import Path
sys.modules["numberline._native"] = None
from tests.emulated_cuda.fake_cupy import fake_cupy
sys.modules["cupy"] = fake_cupy(Path(sys.argv[2]))
import numberline as nl
model = nl.train(sys.argv[1], device="cuda", encoder="gmm", dim=4, epochs=1)
print(model.training["gpu"])
"""


def test_training_needs_no_native_module(tmp_path):
    """If numberline was not built, an encoded corpus can still be trained."""
    if compiler() is None:
        pytest.skip("no g++ here")
    nl.encode(["a few 7 pens", "many 4000 people"] * 30, tmp_path / "ids")
    command = [sys.executable, "-c", WITHOUT_NATIVE, str(tmp_path / "ids"), str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "no GPU but fibers\n"

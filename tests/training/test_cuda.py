"""Training on a GPU as a user sees it; what needs one is skipped where there is none."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, MissingExtraError, TrainingError
from numberline.numerals.rows import rows_of_table
from numberline.settings import NumeralSettings, Settings, made_of
from numberline.training import devices
from numberline.training import schedule as schedule_module
from numberline.training.cpu import CpuTrainer
from numberline.training.cuda import text as cuda_text
from numberline.training.cuda import trainer as cuda_trainer
from numberline.training.cuda.damping import SAFE_LOAD, pairs_per_centre, parts_of_steps
from numberline.training.cuda.kernels import KernelShape
from numberline.training.cuda.trainer import CudaTrainer
from numberline.training.job import TrainingJob
from numberline.training.sampling import sampling_of
from numberline.training.tables import starting_tables
from tests.emulated_cuda.fake_cupy import compiler
from tests.training.small_corpora import is_gpu_here, planted, random_corpus

ROOT = Path(__file__).parents[2]
emulated = pytest.mark.usefixtures("cuda_device")  # if need be
needs_gpu = pytest.mark.skipif(not is_gpu_here(), reason="no GPU here, or no CuPy")


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


def chosen(monkeypatch, cupy, tokens=10**9, **settings):
    def found(module, extra):
        if cupy is None:
            raise MissingExtraError(module, extra)
        return cupy

    monkeypatch.setattr(devices, "optional", found)
    return devices.trains_on_gpu(made_of(Settings, settings), tokens)


def test_a_gpu_that_is_there_and_worth_it_is_taken(monkeypatch):
    assert chosen(monkeypatch, OneDevice)
    assert chosen(monkeypatch, OneDevice, tokens=100, device="cuda")
    assert not chosen(monkeypatch, OneDevice, device="cpu")
    assert not chosen(monkeypatch, OneDevice, tokens=1000)
    assert not chosen(monkeypatch, OneDevice, window=100)  # the CPU can do that, kernels cannot
    assert not chosen(monkeypatch, NoDevices)
    assert not chosen(monkeypatch, None)


def test_a_gpu_that_is_asked_for_and_not_there(monkeypatch):
    with pytest.raises(TrainingError, match="finds no GPU"):
        chosen(monkeypatch, NoDevices, device="cuda")
    with pytest.raises(MissingExtraError, match="cuda"):
        chosen(monkeypatch, None, device="cuda")
    with pytest.raises(ConfigError, match="auto"):
        chosen(monkeypatch, OneDevice, device="gpu")


@pytest.mark.parametrize(("name", "value"), [("window", 15), ("negatives", 31), ("dim", 5000)])
def test_what_the_kernels_cannot_do_is_refused(name, value):
    with pytest.raises(ConfigError, match="on a GPU"):
        KernelShape.of(Settings(**{name: value}))


def test_lanes_without_columns_are_few():
    for dim, vector in ((100, 4), (300, 2), (128, 4), (64, 2), (50, 2)):
        assert KernelShape(dim, 5, 5, is_cbow=False).vector == vector


class Knots:
    """Prototypes at some values; a numeral is between two of them."""

    def __init__(self, *values):
        self.values, self.size = np.log1p(values), len(values)

    def rows(self, numerals):
        places = np.interp(np.log1p(numerals), self.values, np.arange(self.size))
        table = np.maximum(0, 1 - np.abs(places[:, None] - np.arange(self.size)))
        return rows_of_table(table)

    def starting_tables(self, dim, rng):
        return rng.normal(0, 0.1 / dim, (self.size, dim)), np.zeros((self.size, dim))


KNOTS = Knots(0, 10, 100, 3000, 10_000)


def job_of(corpus, knots=KNOTS, seed=1, **settings):
    config = Settings(**{"dim": 8, "epochs": 2} | settings)
    rows = knots.rows(corpus.vocabulary.numeral_values)
    rng = np.random.default_rng(seed)
    tables = starting_tables(len(corpus.vocabulary.words), knots, config.dim, rng)
    return TrainingJob(corpus, tables, {"input": rows, "output": rows}, False, config, seed)


def small_launches(monkeypatch, range_tokens=50, launch_tokens=120):
    monkeypatch.setattr(schedule_module, "LEAST_RANGE_TOKENS", range_tokens)
    monkeypatch.setattr(schedule_module, "MOST_RANGE_TOKENS", range_tokens)
    monkeypatch.setattr(cuda_trainer, "LAUNCH_TOKENS", launch_tokens)


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
@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("warps", [1, 20])
def test_planted_answers(objective, warps):
    settings = {"dim": 12, "epochs": 12, "sample": 0.01, "learning_rate": 0.15}
    corpus = nl.encode(planted(150), min_count=1)
    trainer = CudaTrainer(job_of(corpus, objective=objective, **settings), warps=warps)
    assert trainer.run()
    tables = trainer.tables
    assert tables.are_finite
    words = corpus.vocabulary.words
    few, many = (tables.word_input[words.index(word)] for word in ("few", "many"))
    small, large = KNOTS.rows(np.array([7, 4321])) @ tables.prototype_input
    assert cosine(small, few) > cosine(small, many) + 0.2
    assert cosine(large, many) > cosine(large, few) + 0.2


def cosine(one, other):
    return one @ other / np.linalg.norm(one) / np.linalg.norm(other)


@emulated
@pytest.mark.parametrize("shuffle", [False, True])
def test_a_training_in_parts_is_that_in_one_piece(monkeypatch, shuffle):
    """One warp: nothing depends on chance."""
    small_launches(monkeypatch)
    corpus = random_corpus(5)
    whole = CudaTrainer(job_of(corpus, epochs=3, shuffle=shuffle), warps=1)
    assert whole.run()
    job, next_range, parts = job_of(corpus, epochs=3, shuffle=shuffle), 0, 0

    def stop(progress):
        raise KeyboardInterrupt

    while next_range < whole.schedule.ranges:
        part = CudaTrainer(job, next_range, warps=1)
        with pytest.raises(KeyboardInterrupt):
            part.run(stop)
        assert part.tables is job.tables
        next_range, parts = part.next_range, parts + 1
    assert parts > 3
    assert np.array_equal(job.tables.padded_input, whole.tables.padded_input)
    assert np.array_equal(job.tables.padded_output, whole.tables.padded_output)


@emulated
def test_what_was_done_is_told(monkeypatch):
    """Each launch is reported once, whatever ends a run."""
    small_launches(monkeypatch)
    trainer, told = CudaTrainer(job_of(random_corpus(5))), []

    def tell(progress):
        told.append((progress.tokens, progress.learning_rate))
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trainer.run(tell)
    assert not trainer.run(tell, seconds=0)
    assert trainer.run(tell)
    tokens, rates = zip(*told, strict=True)
    assert list(tokens) == sorted(set(tokens))
    assert tokens[-1] == trainer.progress.total_tokens == trainer.schedule.tokens
    assert list(rates) == sorted(rates, reverse=True)
    assert trainer.progress.gpu == trainer.machine["gpu"]
    assert 0 < trainer.machine["trained_words"] <= trainer.schedule.tokens


@emulated
@pytest.mark.parametrize("shuffle", [False, True])
def test_the_same_from_text_that_does_not_fit(monkeypatch, shuffle):
    small_launches(monkeypatch)

    def trained():
        trainer = CudaTrainer(job_of(random_corpus(5), shuffle=shuffle), warps=1)
        assert trainer.run()
        return trainer._text.is_resident, trainer.tables.padded_input

    is_resident, expected = trained()
    assert is_resident
    monkeypatch.setattr(cuda_text, "RESIDENT_FRACTION", 0)
    is_resident, found = trained()
    assert not is_resident
    assert np.array_equal(found, expected)


@emulated
@pytest.mark.parametrize("first", ["cpu", "cuda"])
def test_one_device_goes_on_where_the_other_stopped(monkeypatch, first):
    """Ranges, draws and tables are the same; learning rates nearly so."""
    small_launches(monkeypatch, launch_tokens=50)
    corpus, trained = random_corpus(5), {}
    settings = {"epochs": 3, "sample": 0.05, "learning_rate": 0.02}
    for devices_in_turn in (("cpu", "cpu"), (first, {"cpu": "cuda", "cuda": "cpu"}[first])):
        job, next_range = job_of(corpus, **settings), 0
        for device in devices_in_turn:
            trainer = (
                CpuTrainer(job, 1, next_range)
                if device == "cpu"
                else CudaTrainer(job, next_range, warps=1)
            )
            stop_after(trainer, trainer.schedule.ranges // 2 if next_range == 0 else None)
            job, next_range = replace(job, tables=trainer.tables), trainer.next_range
        assert next_range == trainer.schedule.ranges
        trained[devices_in_turn] = job.tables
    alone, both = trained.values()
    start = job_of(corpus, **settings).tables
    for table in ("padded_input", "padded_output"):
        found, expected = (getattr(some, table) - getattr(start, table) for some in (both, alone))
        assert np.linalg.norm(found - expected) < 0.06 * np.linalg.norm(expected)


def stop_after(trainer, ranges):
    """Train so many ranges, or all."""
    trainer.schedule.ranges, all_ranges = ranges or trainer.schedule.ranges, trainer.schedule.ranges
    assert trainer.run()
    trainer.schedule.ranges = all_ranges


@emulated
def test_what_grows_without_bounds_stops():
    corpus = random_corpus(3, words=4, numerals=3, sentences=40)
    trainer = CudaTrainer(job_of(corpus, learning_rate=1.0, epochs=200))
    with pytest.raises(TrainingError, match="learning_rate"):
        trainer.run()


def parts_for(job, warps):
    sampling = sampling_of(job.corpus.vocabulary, len(job.corpus.ids), job.config)
    return parts_of_steps(job, sampling, warps)


def test_rows_in_many_hands_take_parts_of_steps():
    """Three words, each a third of all inputs; half of them in a text of twice the warps."""
    corpus = nl.encode(["so few words"] * 90 + ["1"], min_count=1)
    job = job_of(corpus, learning_rate=0.05, sample=0)
    pairs = (job.config.window + 1) * (1 + job.config.negatives) * 90 / 271
    for warps, load in ((11, 10 * 0.05 * pairs), (21, 20 * 0.05 * pairs)):
        inputs, _ = parts_for(job, warps)
        assert load > SAFE_LOAD
        assert inputs[:3] == pytest.approx(SAFE_LOAD / load)
    for part in parts_for(job, 1):
        assert part.tolist() == [1.0] * len(part)


def test_loads_of_prototypes_are_those_of_their_numerals():
    """With one prototype for all numerals they pull together; with many, each for itself."""
    lines = [f"word{chr(97 + a)}{chr(97 + b)} {26 * a + b}" for a in range(26) for b in range(26)]
    corpus = nl.encode(lines, min_count=1)
    words = len(corpus.vocabulary.words)
    for knots, least, most in ((Knots(0, 1e9), 0, 0.05), (Knots(*np.arange(700)), 1, 1)):
        inputs, outputs = parts_for(job_of(corpus, knots, sample=0), 400)
        assert inputs[:words].tolist() == [1.0] * words
        assert least <= min(inputs[words], outputs[words]) <= most


def test_steps_of_prototypes_that_move_together_stay_within_bounds():
    """No eigenvalue of what all warps take back at once is above the limit."""
    corpus = random_corpus(3, words=9, numerals=40, sentences=300)
    knots = Knots(0, 1, 4, 20, 100, 1600)
    job = job_of(corpus, knots, sample=0)
    sampling = sampling_of(corpus.vocabulary, len(corpus.ids), job.config)
    weights = knots.rows(corpus.vocabulary.numeral_values).dense()
    for pairs, part in zip(
        pairs_per_centre(job, sampling), parts_of_steps(job, sampling, 300), strict=True
    ):
        words = len(corpus.vocabulary.words)
        taken_back = (weights.T * pairs[words:]) @ weights * 299 * job.config.learning_rate
        assert np.linalg.eigvals(taken_back).real.max() > SAFE_LOAD
        damped = part[words:, None] * taken_back
        assert np.linalg.eigvals(damped).real.max() <= SAFE_LOAD * (1 + 1e-5)


@emulated
@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_a_part_of_a_step_is_that_part(objective, monkeypatch):
    """Small steps of damped rows are parts of those of rows that are not."""
    corpus, moved = random_corpus(4), []
    words = len(corpus.vocabulary.words)
    random = np.random.default_rng(5)
    parts = [random.uniform(0.2, 1, words + KNOTS.size).astype(np.float32) for _ in range(2)]
    for some in ([np.ones_like(part) for part in parts], parts):
        monkeypatch.setattr(cuda_trainer, "parts_of_steps", lambda *job, some=some: some)
        job = job_of(corpus, objective=objective, learning_rate=1e-3, epochs=1)
        tables = job.tables.padded_input, job.tables.padded_output
        for number, table in enumerate(tables):
            table[:, :8] = np.random.default_rng(number).normal(0, 0.4, (len(table), 8))
        before = [table.copy() for table in tables]
        trainer = CudaTrainer(job, warps=1)
        assert trainer.run()
        assert trainer.tables is job.tables
        moved.append([now - then for now, then in zip(tables, before, strict=True)])
    for whole, damped, part in zip(*moved, parts, strict=True):
        expected = part[:, None] * whole
        assert np.linalg.norm(damped - expected) < 2e-2 * np.linalg.norm(expected)


@emulated
@pytest.mark.parametrize("lines", [["1", "cat", "2"] * 9, ["1 2 3 4"] * 9, ["so few words"] * 9])
@pytest.mark.filterwarnings("ignore::numberline.errors.NumberlineWarning")
def test_text_with_nothing_to_learn(lines):
    """No window at all, no words, or no numerals."""
    trainer = CudaTrainer(job_of(nl.encode(lines, min_count=1)))
    assert trainer.run()
    assert trainer.tables.are_finite


@emulated
@pytest.mark.parametrize("resident_fraction", [0.4, 0])
@pytest.mark.parametrize("shift", [-999, 999])
def test_ids_beyond_the_vocabulary_are_refused(monkeypatch, shift, resident_fraction):
    monkeypatch.setattr(cuda_text, "RESIDENT_FRACTION", resident_fraction)
    corpus = random_corpus(2)
    job = job_of(corpus)
    damaged = replace(job, corpus=replace(corpus, ids=corpus.ids + np.int32(shift)))
    with pytest.raises(ValueError, match="beyond the vocabulary"):
        CudaTrainer(damaged).run()


@emulated
def test_the_same_model_folder(tmp_path):
    told = []
    corpus = planted(60)
    model = nl.train(
        corpus, tmp_path / "m", dim=8, epochs=2, min_count=1, device="cuda", progress=told.append
    )
    assert told[-1].gpu == model.training["gpu"]
    assert told[-1].tokens == told[-1].total_tokens
    again = nl.load(tmp_path / "m")
    assert np.array_equal(again.vectors(["small", "7.5"]), model.vectors(["small", "7.5"]))
    assert again.config.random == NumeralSettings()


@emulated
def test_a_gpu_goes_on_where_a_cpu_stopped(tmp_path):
    """And the other way round: ranges are the same."""

    def stop(progress):
        raise KeyboardInterrupt

    settings = {"dim": 8, "epochs": 3, "threads": 1}
    corpus = nl.encode(planted(60), min_count=1)
    for first, second in (("cpu", "cuda"), ("cuda", "cpu")):
        folder = tmp_path / first
        with pytest.raises(KeyboardInterrupt):
            nl.train(corpus, folder, device=first, progress=stop, **settings)
        model = nl.train(corpus, folder, device=second, resume=True, **settings)
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
    """Where numberline was not built, an encoded corpus is enough."""
    if compiler() is None:
        pytest.skip("no g++ here")
    nl.encode(["a few 7 pens", "many 4000 people"] * 30, tmp_path / "ids")
    command = [sys.executable, "-c", WITHOUT_NATIVE, str(tmp_path / "ids"), str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "no GPU but fibers\n"

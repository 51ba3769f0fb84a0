"""Training on a GPU as a user sees it; what needs one is skipped where there is none."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import numberline as nl
from numberline.config import RandomConfig, TrainConfig, TrainingConfig, from_settings
from numberline.errors import ConfigError, MissingExtraError, TrainingError
from numberline.training import devices
from numberline.training.checkpoint import Checkpoints, TrainingState
from numberline.training.cuda.crowd import SAFE_PULL, Crowd
from numberline.training.cuda.kernels import KernelShape
from numberline.training.fit import first_state, fit_embeddings
from numberline.training.schedule import Schedule
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
    return devices.trains_on_gpu(from_settings(TrainConfig, settings), tokens)


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


@pytest.mark.parametrize(("name", "value"), [("window", 15), ("negatives", 33), ("dim", 5000)])
def test_what_the_kernels_cannot_do_is_refused(name, value):
    with pytest.raises(ConfigError, match="on a GPU"):
        KernelShape.of(TrainingConfig(**{name: value}))


def test_lanes_without_columns_are_few():
    for dim, vector in ((100, 4), (300, 2), (128, 4), (64, 2), (50, 2)):
        assert KernelShape(dim, 5, 5, is_cbow=False).vector == vector


@needs_gpu
@pytest.mark.parametrize("encoder", ["multiscale", "gmm", "som", "piecewise", "token", "fourier"])
@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_planted_answers(encoder, objective):
    settings = {"dim": 32, "epochs": 20, "min_count": 1, "sample": 0.01, "seed": 3}
    model = nl.train(
        planted(),
        encoder=encoder,
        objective=objective,
        device="cuda",
        learning_rate=0.05,
        **settings,
    )
    assert model.training["gpu"]
    assert model.similarity("7", "few") > model.similarity("7", "many") + 0.2
    assert model.similarity("4321", "many") > model.similarity("4321", "few") + 0.2


@emulated
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("marked_bytes", [1 << 30, 20])
def test_a_training_in_parts_is_that_in_one_piece(monkeypatch, marked_bytes, shuffle):
    """One warp: nothing depends on chance, nor on how many rounds are planned at once."""
    from numberline.training.cuda import trainer as cuda_trainer

    corpus = random_corpus(5)
    settings = {"dim": 12, "epochs": 3, "block_tokens": 50, "shuffle": shuffle}
    config = from_settings(TrainConfig, settings)

    def trainer(state):
        tables, encoder = state.tables, state.encoder
        return cuda_trainer.CudaTrainer(
            corpus, encoder, tables, config.model.training, 1, state.next_block, warps=1
        )

    def stop(progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(cuda_trainer, "STRETCH_TOKENS", 120)
    nowhere = Checkpoints(None, float("inf"), resume=False)
    whole = trainer(first_state(corpus, config, nowhere))
    assert whole.run()
    monkeypatch.setattr(cuda_trainer, "MARKED_BYTES", marked_bytes)
    state, parts = first_state(corpus, config, nowhere), 0
    while state.next_block < whole.schedule.blocks:
        part = trainer(state)
        with pytest.raises(KeyboardInterrupt):
            part.run(stop)
        state = TrainingState(part.tables, part.encoder, part.next_block, 0.0)
        parts += 1
    assert parts > 3
    assert np.array_equal(state.tables.input, whole.tables.input)
    assert np.array_equal(state.encoder.bases["output"], whole.encoder.bases["output"])


@emulated
def test_crowded_words_take_parts_of_steps():
    shares = np.array([0.3, 0.1, 0.01])
    crowd = Crowd.of(TrainingConfig(), shares, shares / 100)
    inputs, outputs, crowded = crowd.parts(101)
    pull = 100 * 0.035 * 8 * shares  # of the other warps
    assert crowded == 2
    assert inputs[:2].tolist() == pytest.approx((SAFE_PULL / pull[:2]).tolist())
    assert outputs[:2].tolist() == [1, 1]
    assert crowd.parts(1)[2] == 0


@emulated
@pytest.mark.parametrize("segments", [1, 5])
def test_rounds_grow_as_the_rate_falls(monkeypatch, segments):
    """Learning rate times numerals stays within bounds, and is made use of."""
    from numberline.training.cuda import trainer as cuda_trainer

    monkeypatch.setattr(cuda_trainer, "ROUNDS", 1)
    corpus = random_corpus(2, sentences=400)
    config = from_settings(TrainConfig, {"dim": 4, "block_tokens": 20, "encoder": "gmm"})
    state = first_state(corpus, config, Checkpoints(None, float("inf"), resume=False))
    trainer = cuda_trainer.CudaTrainer(
        corpus, state.encoder, state.tables, config.model.training, 1
    )
    blocks, sizes = trainer.schedule.blocks_per_epoch, []
    for epoch in (0, 4):
        first, last = epoch * blocks, (epoch + 1) * blocks
        starts, rates = trainer.rounds_of(first, last, segments)
        assert (starts[0], starts[-1]) == (first, last)
        summary = trainer.schedule.summary(first, last)
        numerals, own_rates = summary.numerals, summary.rates
        if segments > 1:  # all blocks are under way at once
            numerals = np.full(len(numerals), numerals.mean())
            own_rates = np.linspace(own_rates[0], own_rates[-1], len(own_rates))
        before = np.concatenate([[0], np.cumsum(numerals * own_rates)])
        loads = np.diff(np.interp(starts - first, np.arange(len(before)), before))
        most = trainer._most_numerals * config.model.training.learning_rate
        assert loads.max() <= most * (1 + 1e-9)
        if segments > 1:
            assert loads == pytest.approx(before[-1] / np.ceil(before[-1] / most), rel=1e-2)
        else:
            assert np.array_equal(starts, np.round(starts))
            assert (loads[:-1] + loads[1:]).min() > most
        begin, end = (starts[:-1] - first).astype(int), (starts[1:] - first).astype(int)
        assert np.all(rates <= own_rates[begin] + 1e-9)
        assert np.all(rates >= own_rates[np.minimum(end, len(own_rates) - 1)] - 1e-9)
        sizes.append(np.diff(starts).mean())
    assert sizes[1] > 2 * sizes[0]


@emulated
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("shorter", [0, 2])
def test_text_that_comes_by_and_by(shuffle, shorter):
    """Fetched ahead or not; of what was fetched the last blocks may not be wanted yet."""
    from numberline.training.cuda.text import DeviceText

    corpus = random_corpus(7)
    config = TrainingConfig(epochs=2, block_tokens=10, shuffle=shuffle)
    schedule = Schedule(corpus, config, seed=1)
    streamed = DeviceText(corpus, schedule.bounds, resident_bytes=0)
    assert not streamed.is_resident
    streamed.fetch(schedule.ranges(3, 6))  # what nobody will ask for next
    seen, block = [], 0
    while block < schedule.blocks:
        end = max(block + 1, schedule.reach(block, 60) - shorter)
        ranges = schedule.ranges(block, end)
        parts = [np.arange(first, last) for first, last in zip(*ranges, strict=True)]
        places = np.concatenate(parts)
        assert streamed.ids(ranges, places).get().tolist() == corpus.ids[places].tolist()
        if end % schedule.blocks_per_epoch:
            streamed.fetch(schedule.ranges(end, schedule.reach(end, 60)))
        seen, block = [*seen, *places.tolist()], end
    assert sorted(seen) == sorted(2 * list(range(len(corpus.ids))))


@emulated
@pytest.mark.parametrize("shuffle", [False, True])
def test_the_same_from_text_that_does_not_fit(monkeypatch, shuffle):
    from numberline.training.cuda import text
    from numberline.training.cuda import trainer as cuda_trainer

    monkeypatch.setattr(cuda_trainer, "STRETCH_TOKENS", 120)
    corpus = random_corpus(5)
    settings = {"dim": 12, "epochs": 2, "block_tokens": 50, "shuffle": shuffle}
    config = from_settings(TrainConfig, settings)

    def trained():
        state = first_state(corpus, config, Checkpoints(None, float("inf"), resume=False))
        rest = config.model.training, 1
        trainer = cuda_trainer.CudaTrainer(corpus, state.encoder, state.tables, *rest, warps=1)
        assert trainer.run()
        return trainer._text.is_resident, trainer.tables.input

    is_resident, expected = trained()
    assert is_resident
    monkeypatch.setattr(text, "RESIDENT_SHARE", 0)
    is_resident, found = trained()
    assert not is_resident
    assert np.array_equal(found, expected)


@emulated
def test_what_grows_without_bounds_stops():
    config = from_settings(
        TrainConfig,
        {"dim": 8, "learning_rate": 1.0, "epochs": 200, "device": "cuda", "block_load": 1e6},
    )
    corpus = random_corpus(3, words=4, numerals=3, sentences=40)
    with pytest.raises(TrainingError, match="learning_rate"):
        fit_embeddings(corpus, config, Checkpoints(None, float("inf"), resume=False))


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
    assert again.config.random == RandomConfig()


def test_few_warps_where_few_words_are():
    shares = np.array([0.5, 0.25, 0.25])
    crowd = Crowd.of(TrainingConfig(), shares, shares)
    assert crowd.most_warps(400) == 15
    rare = np.full(10_000, 1e-4)
    assert Crowd.of(TrainingConfig(), rare, rare).most_warps(400) == 400


@emulated
@pytest.mark.parametrize("lines", [["1", "cat", "2"] * 9, ["1 2 3 4"] * 9, ["so few words"] * 9])
@pytest.mark.filterwarnings("ignore::numberline.errors.NumberlineWarning")
def test_text_with_nothing_to_learn(lines):
    """No window at all, no words, or no numerals."""
    model = nl.train(lines, dim=8, epochs=1, min_count=1, device="cuda")
    assert np.isfinite(model.word_input).all()


@emulated
def test_a_gpu_goes_on_where_a_cpu_stopped(tmp_path):
    """And the other way round: blocks are the same."""

    def stop(progress):
        raise KeyboardInterrupt

    settings = {"dim": 8, "epochs": 3, "block_tokens": 100, "threads": 1}
    corpus = nl.encode(planted(60), min_count=1)
    for first, second in (("cpu", "cuda"), ("cuda", "cpu")):
        folder = tmp_path / first
        with pytest.raises(KeyboardInterrupt):
            nl.train(corpus, folder, device=first, progress=stop, **settings)
        model = nl.train(corpus, folder, device=second, resume=True, **settings)
        assert ("gpu" in model.training) == (second == "cuda")


WITHOUT_NATIVE = """
import sys
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

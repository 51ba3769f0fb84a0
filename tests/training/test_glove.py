"""GloVe: planted answers, checkpoints, sums of both sides, and errors."""

import numpy as np
import pytest

import numberline as nl
from numberline.cooccurrence.counting import counted
from numberline.cooccurrence.definition import units_by_distance
from numberline.errors import TrainingError
from numberline.numerals.registry import BUILT_IN
from numberline.objectives import Glove
from numberline.settings import Settings
from numberline.training import glove
from numberline.training.glove import GloveTrainer, finished
from numberline.training.glove_reference import starting_biases, weights_of
from numberline.training.state import TrainingState
from numberline.training.tables import tables_of
from tests.training.small_corpora import FixedRows, planted, random_corpus
from tests.training.test_ppmi import random_rows
from tests.training.test_training import arrays, cosine

OBJECTIVE = Glove(x_max=10)
SETTINGS = {"dim": 4, "min_count": 1, "gap_model": False, "threads": 1, "objective": OBJECTIVE}
SUITABLE = [name for name in BUILT_IN if name not in ("fourier", "fixed")]


def graded(sentences=2000, seed=1):
    """Small numbers and "few" mostly occur among low words, large ones and "many" among high ones.

    All pairs occur now and then: of pairs that never do, GloVe learns nothing.
    """
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(sentences):
        is_small = random.random() < 0.5
        word = "few" if is_small else "many"
        number = random.integers(1, 20) if is_small else random.integers(2000, 9000)
        quantity = word if random.random() < 0.2 else str(number)
        likely, other = ("low", "high") if is_small else ("high", "low")
        kinds = [likely if random.random() < 0.8 else other for _ in range(6)]
        around = [kind + random.choice(list("abcdefghij")) for kind in kinds]
        lines.append(" ".join([*around[:3], quantity, *around[3:]]))
    return lines


def assert_planted(model):
    for number in ("7", "7.5", "13.25"):
        assert cosine(model, number, "few") > cosine(model, number, "many") + 1
    for number in ("4,321", "2500.5", "8999"):
        assert cosine(model, number, "many") > cosine(model, number, "few") + 1


@pytest.mark.parametrize("encoder", ["line", "gmm", "som"])
@pytest.mark.parametrize("objective", ["glove:x_max=10", "glove:sum_sides=false"])
def test_unseen_numerals_are_near_the_words_of_similar_numerals(encoder, objective):
    assert_planted(nl.train(graded(), **SETTINGS | {"encoder": encoder, "objective": objective}))


@pytest.mark.parametrize("name", SUITABLE)
def test_every_encoder_that_shares_counts_trains(name):
    model = nl.train(planted(400), encoder=name, **SETTINGS)
    assert np.isfinite(model.vectors(["few", "7", 1e300, "-5"])).all()
    assert np.isfinite(model.vectors(["few", "7"], "output")).all()
    assert 0 < model.training["loss"] < 1


@pytest.mark.parametrize(
    ("encoder", "reason"),
    [("fourier", "weights may be negative"), ("fixed", "vectors do not learn")],
)
def test_other_encoders_are_refused(encoder, reason):
    with pytest.raises(TrainingError, match=f"glove cannot use encoder {encoder}, whose {reason}"):
        nl.train(planted(100), encoder=encoder, **SETTINGS)


def test_several_threads_learn_the_same():
    assert_planted(nl.train(graded(), **SETTINGS | {"threads": 3}))


def test_the_loss_falls():
    losses = []
    nl.train(planted(400), progress=lambda now: losses.append(now.loss), **SETTINGS)
    once = nl.train(planted(400), **SETTINGS | {"objective": "glove:x_max=10,epochs=1"})
    assert losses[-1] < 0.8 * once.training["loss"]


def test_one_thread_and_one_seed_give_the_same_bytes():
    first, second = (nl.train(graded(300), seed=5, **SETTINGS) for _ in range(2))
    for a, b in zip(arrays(first), arrays(second), strict=True):
        assert a.tobytes() == b.tobytes()


def test_each_epoch_has_all_blocks_in_a_new_order(monkeypatch):
    blocks = []
    train = GloveTrainer._train_block
    monkeypatch.setattr(
        GloveTrainer, "_train_block", lambda *call: blocks.append(call[2]) or train(*call)
    )
    nl.train(graded(300), **SETTINGS | {"objective": "glove:epochs=3"})
    epochs = np.array(blocks).reshape(3, -1)
    assert (np.sort(epochs) == np.arange(epochs.shape[1])).all()
    assert not np.array_equal(epochs[0], epochs[1])


@pytest.mark.parametrize("encoder", ["gmm", "line"])
def test_a_resumed_training_gives_the_same_bytes(encoder, tmp_path, monkeypatch):
    settings = SETTINGS | {"encoder": encoder}
    whole = nl.train(graded(300), **settings)
    with monkeypatch.context() as patch:
        stop_after(100, patch)
        with pytest.raises(KeyboardInterrupt):
            nl.train(graded(300), tmp_path / "model", **settings)
    assert (tmp_path / "model.checkpoint").is_dir()
    with pytest.raises(TrainingError, match="made with other settings"):
        nl.train(graded(300), tmp_path / "model", resume=True, **SETTINGS | {"dim": 8})
    resumed = nl.train(graded(300), tmp_path / "model", resume=True, **settings)
    for a, b in zip(arrays(whole), arrays(resumed), strict=True):
        assert a.tobytes() == b.tobytes()
    assert not (tmp_path / "model.checkpoint").exists()


def stop_after(blocks, monkeypatch):
    """Interrupt training once this many blocks are done."""
    take, run = GloveTrainer._next_block, GloveTrainer.run

    def take_some(self):
        self._is_stopped = self._is_stopped or self.next_block >= blocks
        return take(self)

    def run_and_stop(self, progress=None, seconds=float("inf")):
        if not run(self, progress, seconds):
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(GloveTrainer, "_next_block", take_some)
    monkeypatch.setattr(GloveTrainer, "run", run_and_stop)


def test_divergence_names_the_setting_to_change(monkeypatch):
    monkeypatch.setattr(glove, "FEW_PAIRS", 0)
    with pytest.raises(TrainingError, match=r"diverges.*lower objective='glove:.*rate=1\.0'"):
        nl.train(planted(400), **SETTINGS | {"objective": Glove(learning_rate=1, x_max=1e-6)})


def test_biases_start_where_they_fit_best_alone():
    corpus = random_corpus(3)
    pairs = counted(corpus, units_by_distance("inverse", 5), 1)
    biases = starting_biases(pairs, OBJECTIVE, 2)
    rows = np.repeat(np.arange(len(pairs)), np.diff(pairs.offsets))
    weights = weights_of(pairs.counts, OBJECTIVE)

    def loss(values):
        errors = values[rows] + values[pairs.columns] - np.log(pairs.counts)
        return float((weights * errors**2).sum())

    best = np.linalg.lstsq(*equations(pairs, rows, weights), rcond=None)[0]
    assert loss(biases) < 1.05 * loss(best)


def equations(pairs, rows, weights):
    """Return the weighted least squares problem of the biases."""
    left = np.zeros((len(rows), len(pairs)))
    np.add.at(left, (np.arange(len(rows)), rows), 1)
    np.add.at(left, (np.arange(len(rows)), pairs.columns), 1)
    root = np.sqrt(weights)
    return root[:, None] * left, root * np.log(pairs.counts)


@pytest.mark.parametrize("sum_sides", [True, False])
def test_output_vectors_come_nearest_to_what_was_trained(sum_sides):
    """Output weights that can express the trained vectors do so; input tables may be summed."""
    corpus, random = random_corpus(2), np.random.default_rng(2)
    words, numerals = len(corpus.vocabulary.words), len(corpus.vocabulary.numerals)
    rows = random_rows(numerals, 5, random)
    word_rows, prototype_rows = (
        [random.normal(size=(count, 4)).astype(np.float32) for _ in range(2)]
        for count in (words, 5)
    )
    state = TrainingState(tables_of(word_rows, prototype_rows), FixedRows(rows))
    settings = Settings(objective=Glove(sum_sides=sum_sides))
    tables = finished(state, corpus.vocabulary, settings).tables
    assert tables.word_output == pytest.approx(word_rows[1])
    outputs = rows @ np.ascontiguousarray(tables.prototype_output)
    assert outputs == pytest.approx(rows @ prototype_rows[1], rel=1e-3, abs=1e-3)
    added = sum_sides * word_rows[1], sum_sides * prototype_rows[1]
    assert tables.word_input == pytest.approx(word_rows[0] + added[0])
    assert tables.prototype_input == pytest.approx(prototype_rows[0] + added[1])

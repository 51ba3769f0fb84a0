"""Probing: planted information is read, absent information is not; laws; the same seed."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import EvaluationModelError
from numberline.evaluation import no_progress
from numberline.model.word_vectors import WordVectors
from tests.evaluation.small_sets import on_a_line

torch = pytest.importorskip("torch")
from numberline.integrations import seeded_torch  # noqa: E402
from numberline_paper.probing import probes  # noqa: E402
from numberline_paper.probing import task as probing  # noqa: E402

CORPUS = {"numerals": "corpus"}
VALUES = range(100, 300)


def errors_of(evaluation):
    rows = evaluation.tables["probing"][0].rows
    return {(row["task"], row["probe"]): row["RMSE"] for row in rows}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(probes, "BATCH_ITEMS", 128)
    monkeypatch.setattr(probes, "LEARNING_RATE", 0.02)
    make_short(monkeypatch, items=4000, steps=200)


def make_short(monkeypatch, items, steps):
    monkeypatch.setattr(probing, "PROBE_ITEMS", items)
    monkeypatch.setattr(probing, "PROBE_STEPS", steps)
    monkeypatch.setattr(probing, "LIST_STEPS", max(1, steps // 3))


def named(rows):
    return WordVectors([str(value) for value in VALUES], rows.astype(np.float32))


def test_probes_read_a_value_that_is_linear_in_vectors():
    beside = np.random.default_rng(1).normal(size=(200, 3))  # columns of noise
    rows = np.concatenate([np.outer(VALUES, [0.001]), beside], axis=1)
    evaluation = nl.evaluate(named(rows), "probing", **CORPUS)
    errors = errors_of(evaluation)
    assert len(errors) == 13
    for (task, probe), error in errors.items():
        if probe != "mean":
            assert error < errors[task, "mean"] / 8, (task, probe)
    # A uniform line of 200 numbers, and differences of two on it.
    assert errors["decoding", "mean"] == pytest.approx(200 / 12**0.5, rel=0.2)
    assert errors["subtraction", "mean"] == pytest.approx(200 / 6**0.5, rel=0.1)
    (largest,) = evaluation.tables["probing"][1].rows
    assert largest["accuracy"] > 80
    assert largest["chance"] == 20
    (magnitude,) = evaluation.tables["probing"][2].rows
    assert magnitude["BC"] > 98
    assert magnitude["AVGR"] < 15


def test_probes_read_nothing_from_random_vectors():
    random = np.random.default_rng(2)
    rows = torch.randn(200, 4, generator=torch.Generator().manual_seed(2))
    shared = probing.Probing(np.array(VALUES, float), rows, random, no_progress)
    order = random.permutation(200)
    decoding = probing.Question("decoding", order[:, None], shared.values[order])
    with seeded_torch(1):
        (mean, _, two_layers), _ = probing.answer(shared, decoding, probing.DECODING_PROBES, 0)
        largest = probing.list_maximum(shared, order)
    assert two_layers["RMSE"] > 0.9 * mean["RMSE"]
    assert largest["accuracy"] < 40  # test numerals were never seen


def test_one_seed_gives_one_result_and_leaves_torch_unchanged(monkeypatch):
    make_short(monkeypatch, items=100, steps=5)
    vectors = on_a_line(range(60))
    threads = torch.get_num_threads()
    results = []
    for seed in (1, 1, 2):
        torch.manual_seed(len(results))
        before = torch.get_rng_state()
        results.append(nl.evaluate(vectors, "probing", seed=seed, **CORPUS).tables["probing"])
        assert torch.equal(before, torch.get_rng_state())
    assert results[0] == results[1] != results[2]
    assert torch.get_num_threads() == threads


def test_numerals_of_test_lists_are_in_no_training_list(monkeypatch):
    trained, tested = [], []
    monkeypatch.setattr(probes, "fit_choice", lambda *args: trained.append(args[2]))
    outputs = probes.outputs
    monkeypatch.setattr(probes, "outputs", lambda *args: tested.append(args[2]) or outputs(*args))
    monkeypatch.setattr(probing, "PROBE_ITEMS", 1000)
    random = np.random.default_rng(1)
    shared = probing.Probing(np.arange(100.0), torch.randn(100, 4), random, no_progress)
    probing.list_maximum(shared, random.permutation(100))
    assert trained[0].shape == (800, 5)
    assert tested[0].shape == (200, 5)
    assert set(trained[0].ravel()) | set(tested[0].ravel()) == set(range(100))
    assert not set(trained[0].ravel()) & set(tested[0].ravel())


def test_all_pairs_at_once_equal_pairs_one_by_one():
    rows = torch.randn(7, 3)
    probe = probes.NumberProbe(probes.Mlp(3, rows=2, hidden_layers=2), mean=5.0, deviation=3.0)
    pairs = np.stack(np.meshgrid(np.arange(7), np.arange(7), indexing="ij"), axis=-1)
    one_by_one = probe.numbers(rows, pairs.reshape(-1, 2)).reshape(7, 7)
    assert probe.numbers_of_all_pairs(rows) == pytest.approx(one_by_one, abs=1e-5)
    assert np.abs(one_by_one - one_by_one.T).max() > 1e-3


def test_a_bilinear_form_equals_that_of_torch():
    probe = probes.BiLinear(3)
    torch.nn.init.normal_(probe.form)
    items = torch.randn(5, 2, 3)
    with_ones = torch.cat([items, torch.ones(5, 2, 1)], dim=2)
    theirs = torch.nn.functional.bilinear(with_ones[:, 0], with_ones[:, 1], probe.form[None])
    assert torch.allclose(probe(items), theirs[:, 0], atol=1e-5)


def test_standardised_columns_have_mean_0_and_deviation_1():
    rows = np.array([[1.0, 5, 1e9], [3, 5, 1e9 + 1], [5, 5, 1e9 + 2]])
    columns = probes.standardised_rows(rows).numpy()
    assert columns.mean(axis=0) == pytest.approx([0, 0, 0], abs=1e-6)
    assert columns.std(axis=0) == pytest.approx([1, 0, 1], abs=1e-6)


def test_batches_show_every_item_once_an_epoch(monkeypatch):
    monkeypatch.setattr(probes, "BATCH_ITEMS", 4)
    shown = [batch.tolist() for batch in probes.batches(10, steps=5)]
    assert [len(batch) for batch in shown] == [4] * 5
    for epoch in (shown[:2], shown[2:4]):
        assert len({item for batch in epoch for item in batch}) == 8
    assert [sorted(batch.tolist()) for batch in probes.batches(3, steps=2)] == [[0, 1, 2]] * 2


def test_lists_are_of_distinct_numerals_and_fair():
    indices = np.arange(10, 17)
    lists = probing.random_lists(indices, 7000, np.random.default_rng(1))
    assert (np.diff(np.sort(lists, axis=1), axis=1) > 0).all()
    for at in range(probing.LIST_LENGTH):
        counts = np.bincount(lists[:, at], minlength=17)[10:]
        assert counts == pytest.approx(np.full(7, 1000), abs=150)
    (one,) = probing.random_lists(indices[:5], 1, np.random.default_rng(1))
    assert sorted(one) == [*range(10, 15)]


def test_progress_rises_with_every_probe(monkeypatch):
    make_short(monkeypatch, items=10, steps=1)
    fractions = []

    def progress(what, fraction):
        fractions.append(fraction)

    nl.evaluate(on_a_line(range(25)), "probing", progress=progress, **CORPUS)
    assert len(fractions) == probing.ALL_PROBES
    assert fractions == sorted(fractions)
    assert fractions[-1] < 1


def test_too_few_numerals_are_refused():
    with pytest.raises(EvaluationModelError, match="at least 25 numerals; the model has 24 of"):
        nl.evaluate(on_a_line(range(24)), "probing", **CORPUS)

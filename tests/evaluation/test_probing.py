"""Probing: what is planted is read out, what is not there is not; laws; the same seed."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, EvaluationModelError
from numberline.evaluation.settings import EvaluationSettings
from numberline.model.word_vectors import WordVectors
from tests.evaluation.small_sets import ignore, on_a_line

torch = pytest.importorskip("torch")
from numberline.evaluation import probes, probing  # noqa: E402

QUICK = {"numerals": "corpus", "probe_items": 4000, "probe_steps": 200}
VALUES = range(100, 300)


def errors_of(found):
    rows = found.tables["probing"][0].rows
    return {(row["task"], row["probe"]): row["RMSE"] for row in rows}


@pytest.fixture(autouse=True)
def in_haste(monkeypatch):
    monkeypatch.setattr(probes, "BATCH", 128)
    monkeypatch.setattr(probes, "LEARNING_RATE", 0.02)


def named(rows):
    return WordVectors([str(value) for value in VALUES], rows.astype(np.float32))


def test_what_is_linear_in_vectors_is_read_out():
    beside = np.random.default_rng(1).normal(size=(200, 3))  # columns that say nothing
    rows = np.concatenate([np.outer(VALUES, [0.001]), beside], axis=1)
    found = nl.evaluate(named(rows), "probing", **QUICK)
    errors = errors_of(found)
    assert len(errors) == 13
    for (task, probe), error in errors.items():
        if probe != "mean":
            assert error < errors[task, "mean"] / 8, (task, probe)
    # A uniform line of 200 numbers, and differences of two on it.
    assert errors["decoding", "mean"] == pytest.approx(200 / 12**0.5, rel=0.2)
    assert errors["subtraction", "mean"] == pytest.approx(200 / 6**0.5, rel=0.1)
    (largest,) = found.tables["probing"][1].rows
    assert largest["accuracy"] > 80
    assert largest["chance"] == 20
    (magnitude,) = found.tables["probing"][2].rows
    assert magnitude["BC"] > 98
    assert magnitude["AVGR"] < 15


def test_chance_is_not_read_out():
    random = np.random.default_rng(2)
    rows = torch.randn(200, 4, generator=torch.Generator().manual_seed(2))
    config = EvaluationSettings(probe_items=4000, probe_steps=200)
    asked = probing.Probing(np.array(VALUES, float), rows, config, random, ignore)
    order = random.permutation(200)
    decoding = probing.Question("decoding", order[:, None], asked.values[order])
    with probes.seeded(1):
        (mean, _, two_layers), _ = probing.asked(asked, decoding, probing.DECODING_PROBES, 0)
        largest = probing.list_maximum(asked, order)
    assert two_layers["RMSE"] > 0.9 * mean["RMSE"]
    assert largest["accuracy"] < 40  # test numerals were never seen


def test_one_seed_one_result_and_torch_stays_as_it_was():
    vectors = on_a_line(range(60))
    settings = QUICK | {"probe_steps": 5, "probe_items": 100}
    threads = torch.get_num_threads()
    found = []
    for seed in (1, 1, 2):
        torch.manual_seed(len(found))
        before = torch.get_rng_state()
        found.append(nl.evaluate(vectors, "probing", seed=seed, **settings).tables["probing"])
        assert torch.equal(before, torch.get_rng_state())
    assert found[0] == found[1] != found[2]
    assert torch.get_num_threads() == threads


def test_numerals_of_test_lists_are_in_no_training_list(monkeypatch):
    trained, tested = [], []
    monkeypatch.setattr(probes, "fit_choice", lambda *given: trained.append(given[2]))
    answer = probes.outputs
    monkeypatch.setattr(probes, "outputs", lambda *given: tested.append(given[2]) or answer(*given))
    config, random = EvaluationSettings(probe_items=1000), np.random.default_rng(1)
    asked = probing.Probing(np.arange(100.0), torch.randn(100, 4), config, random, ignore)
    probing.list_maximum(asked, random.permutation(100))
    assert trained[0].shape == (800, 5)
    assert tested[0].shape == (200, 5)
    assert set(trained[0].ravel()) | set(tested[0].ravel()) == set(range(100))
    assert not set(trained[0].ravel()) & set(tested[0].ravel())


def test_all_pairs_at_once_are_what_pairs_are_one_by_one():
    rows = torch.randn(7, 3)
    probe = probes.NumberProbe(probes.Mlp(3, rows=2, hidden_layers=2), mean=5.0, deviation=3.0)
    pairs = np.stack(np.meshgrid(np.arange(7), np.arange(7), indexing="ij"), axis=-1)
    one_by_one = probe.numbers(rows, pairs.reshape(-1, 2)).reshape(7, 7)
    assert probe.numbers_of_all_pairs(rows) == pytest.approx(one_by_one, abs=1e-5)
    assert np.abs(one_by_one - one_by_one.T).max() > 1e-3


def test_a_bilinear_form_is_what_torch_says():
    probe = probes.BiLinear(3)
    torch.nn.init.normal_(probe.form)
    items = torch.randn(5, 2, 3)
    with_ones = torch.cat([items, torch.ones(5, 2, 1)], dim=2)
    theirs = torch.nn.functional.bilinear(with_ones[:, 0], with_ones[:, 1], probe.form[None])
    assert torch.allclose(probe(items), theirs[:, 0], atol=1e-5)


def test_standardised_columns():
    rows = np.array([[1.0, 5, 1e9], [3, 5, 1e9 + 1], [5, 5, 1e9 + 2]])
    found = probes.standardised_rows(rows).numpy()
    assert found.mean(axis=0) == pytest.approx([0, 0, 0], abs=1e-6)
    assert found.std(axis=0) == pytest.approx([1, 0, 1], abs=1e-6)


def test_batches_show_every_item_once_an_epoch(monkeypatch):
    monkeypatch.setattr(probes, "BATCH", 4)
    shown = [batch.tolist() for batch in probes.batches(10, steps=5)]
    assert [len(batch) for batch in shown] == [4] * 5
    for epoch in (shown[:2], shown[2:4]):
        assert len({item for batch in epoch for item in batch}) == 8
    assert [sorted(batch.tolist()) for batch in probes.batches(3, steps=2)] == [[0, 1, 2]] * 2


def test_lists_are_of_distinct_numerals_and_fair():
    places = np.arange(10, 17)
    lists = probing.lists_of(places, 7000, np.random.default_rng(1))
    assert (np.diff(np.sort(lists, axis=1), axis=1) > 0).all()
    for at in range(probing.LIST_LENGTH):
        counts = np.bincount(lists[:, at], minlength=17)[10:]
        assert counts == pytest.approx(np.full(7, 1000), abs=150)
    assert sorted(probing.lists_of(places[:5], 1, np.random.default_rng(1))[0]) == [*range(10, 15)]


def test_progress_and_what_cannot_be_probed():
    seen = []
    settings = QUICK | {"probe_steps": 1, "probe_items": 10}
    progress = lambda what, share: seen.append(share)  # noqa: E731
    nl.evaluate(on_a_line(range(25)), "probing", progress=progress, **settings)
    assert len(seen) == probing.ALL_PROBES
    assert seen == sorted(seen)
    assert seen[-1] < 1
    with pytest.raises(EvaluationModelError, match="25 numerals at least; 24 of"):
        nl.evaluate(on_a_line(range(24)), "probing", **settings)
    with pytest.raises(ConfigError, match="probe_steps=0"):
        nl.evaluate(on_a_line(range(25)), "probing", probe_steps=0)

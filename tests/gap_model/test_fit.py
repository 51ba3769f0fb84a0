"""Training of the network: examples, batches, rates, and Adam against torch."""

import numpy as np
import pytest

import numberline as nl
from numberline.gap_model import fit
from numberline.gap_model.contexts import ContextTables, number_table
from numberline.gap_model.fit import (
    LEARNING_RATE,
    WARM_UP,
    WEIGHT_DECAY,
    Adam,
    Inputs,
    batches,
    examples_of,
    fit_network,
    numeral_tokens,
    rate_at,
    without_some,
)
from numberline.gap_model.network import starting_parameters
from numberline.gap_model.places import FAR, NEAR, NO_TOKEN
from tests.training.small_corpora import random_corpus


def test_examples_are_numerals_that_do_not_stand_alone():
    corpus = nl.encode(["7", "cat 8 9", "cat", "10 cat", "11 12", "13"], min_count=1)
    examples = examples_of(corpus)
    values = corpus.vocabulary.numeral_values[examples.numerals]
    assert values.tolist() == [8, 9, 10, 11, 12]
    cat = corpus.vocabulary.word_ids["cat"]
    around = examples.neighbours()
    assert around[:, FAR - 1].tolist()[:3] == [cat, corpus.ids[2], NO_TOKEN]
    assert around[:, FAR].tolist()[:3] == [corpus.ids[3], NO_TOKEN, cat]
    assert (around[3:] != NO_TOKEN).sum() == 2  # each of 11 and 12 has the other one
    assert examples[np.array([4])].numerals.tolist() == [5]  # 12 is the sixth of all values


def test_numerals_are_found_by_their_ids():
    ids = np.random.default_rng(1).integers(0, 9, 1000).astype(np.int32)
    assert numeral_tokens(ids, 5).tolist() == [at for at, id in enumerate(ids) if id >= 5]
    assert numeral_tokens(ids[:0], 5).tolist() == []


def test_each_pass_draws_every_example_once():
    drawn = batches(10, 3, np.random.default_rng(1))
    for _ in range(4):
        one_pass = [next(drawn) for _ in range(3)]
        assert all((np.diff(batch) > 0).all() for batch in one_pass)
        assert len(set(np.concatenate(one_pass))) == 9


def test_near_tokens_are_left_out_now_and_then():
    ids = np.ones((4000, 2 * FAR), np.int64)
    kept = without_some(ids.copy(), np.random.default_rng(1)) != NO_TOKEN
    near = kept[:, FAR - NEAR : FAR + NEAR]
    assert near.mean(axis=0) == pytest.approx([1 - fit.HIDDEN_FRACTION] * 2 * NEAR, abs=0.02)
    assert kept[:, : FAR - NEAR].all()
    assert kept[:, FAR + NEAR :].all()


def test_the_rate_rises_then_falls_to_zero():
    rates = [rate_at(done) for done in np.linspace(0, 1, 101)]
    top = round(100 * WARM_UP)
    assert rates[0] == 0
    assert rates[top] == pytest.approx(LEARNING_RATE)
    assert (np.diff(rates[: top + 1]) > 0).all()
    assert (np.diff(rates[top:]) < 0).all()
    assert rates[-1] == pytest.approx(0, abs=1e-12)


def test_adam_moves_like_that_of_torch():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(1)
    parameters = starting_parameters(4, 3, rng)
    adam = Adam(parameters)
    # Decay is for matrices; biases and the scale keep their size.
    expected = {name: torch.tensor(one.copy()) for name, one in parameters.arrays().items()}
    groups = [
        {"params": [one for one in expected.values() if (one.ndim == 2) is is_matrix], "lr": 1.0}
        | {"weight_decay": WEIGHT_DECAY * is_matrix}
        for is_matrix in (True, False)
    ]
    adamw = torch.optim.AdamW(groups)
    for step in range(6):
        gradients = starting_parameters(4, 3, rng)
        for array in gradients.arrays().values():
            array += rng.normal(0, 0.01, array.shape).astype(np.float32)
        for group in adamw.param_groups:
            group["lr"] = rate_at((step + 1) / 10)
        for name, gradient in gradients.arrays().items():
            expected[name].grad = torch.tensor(gradient)
        adamw.step()
        adam.move(gradients, rate_at((step + 1) / 10))
    for name, array in parameters.arrays().items():
        assert array == pytest.approx(expected[name].numpy(), abs=1e-6), name


def quick_fit(seed, progress=None):
    corpus = random_corpus(sentences=60)
    rng = np.random.default_rng(9)
    words = rng.normal(size=(len(corpus.vocabulary.words) + 1, 4)).astype(np.float32)
    numerals = corpus.vocabulary.numerals
    beside = rng.normal(size=(len(numerals), 5)).astype(np.float32)
    features = rng.normal(size=(len(numerals.distinct_values), 5)).astype(np.float32)
    words[-1] = 0
    tables = ContextTables(words, number_table(beside))
    examples = examples_of(corpus)
    rng = np.random.default_rng(seed)
    return fit_network(examples, Inputs(tables, features), rng, progress=progress)


def test_one_seed_gives_one_network(monkeypatch):
    monkeypatch.setattr(fit, "BATCH", 50)
    reports = []
    first = quick_fit(1, lambda done, total: reports.append((done, total))).arrays()
    again, other = quick_fit(1).arrays(), quick_fit(2).arrays()
    assert all(first[name].tobytes() == again[name].tobytes() for name in first)
    assert not np.array_equal(first["hidden"], other["hidden"])
    done, totals = zip(*reports, strict=True)
    assert set(totals) == {done[-1]}
    assert set(np.diff(done)) == {50}

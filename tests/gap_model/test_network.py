"""The gradient, against numerical differences and against torch; laws of the loss."""

from dataclasses import replace

import numpy as np
import pytest

from numberline.gap_model import network
from numberline.gap_model.network import (
    LARGEST_SCALE,
    Parameters,
    context_vectors,
    gelu,
    loss_and_gradients,
    number_vectors,
    starting_parameters,
)

GAPS, CONTEXTS, NUMBERS, FEATURES = 7, 5, 4, 6


@pytest.fixture
def small(monkeypatch):
    """Few dimensions, and parameters in double precision that are all in use."""
    monkeypatch.setattr(network, "HIDDEN", 8)
    monkeypatch.setattr(network, "JOINT", 3)
    rng = np.random.default_rng(1)
    start = starting_parameters(CONTEXTS, FEATURES, rng).arrays()
    return Parameters(
        **{
            name: one.astype(float) + 0.1 * rng.normal(size=one.shape)
            for name, one in start.items()
        }
    )


def batch():
    rng = np.random.default_rng(2)
    right = np.array([0, 1, 1, 2, 3, 3, 3])
    return (
        rng.normal(size=(GAPS, CONTEXTS)),
        rng.normal(size=(NUMBERS, FEATURES)),
        right,
        np.log(np.bincount(right)),
    )


def test_the_loss_is_that_of_its_formula(small):
    contexts, numbers, right, log_counts = batch()
    scores = context_vectors(small, contexts) @ number_vectors(small, numbers).T
    counts = np.exp(log_counts)
    likelihoods = counts * np.exp(scores)
    right_ones = likelihoods[np.arange(GAPS), right]
    expected = -np.log(right_ones / likelihoods.sum(axis=1)).mean()
    assert loss_and_gradients(small, *batch())[0] == pytest.approx(expected)


@pytest.mark.parametrize("name", Parameters.__dataclass_fields__)
def test_gradients_are_those_of_small_differences(small, name):
    gradient = getattr(loss_and_gradients(small, *batch())[1], name)
    differences = np.empty_like(gradient)
    array, step = getattr(small, name), 1e-6
    for index in np.ndindex(array.shape):
        losses = []
        for sign in (1, -1):
            moved = array.copy()
            moved[index] += sign * step
            losses.append(loss_and_gradients(replace(small, **{name: moved}), *batch())[0])
        differences[index] = (losses[0] - losses[1]) / (2 * step)
    assert abs(gradient).max() > 1e-3
    assert gradient == pytest.approx(differences, abs=1e-7)


def test_gradients_equal_those_of_torch(small):
    torch = pytest.importorskip("torch")
    of = {name: torch.tensor(one, requires_grad=True) for name, one in small.arrays().items()}
    contexts, numbers, right, log_counts = map(torch.tensor, batch())
    z = contexts @ of["hidden"] + of["hidden_bias"]
    h = z * torch.sigmoid(1.702 * z) @ of["context"] + of["context_bias"]
    v = numbers @ of["number"] + of["number_bias"]
    cosines = torch.nn.functional.cosine_similarity(h[:, None], v[None], dim=2)
    loss = torch.nn.functional.cross_entropy(cosines * of["log_scale"].exp() + log_counts, right)
    loss.backward()
    found, gradients = loss_and_gradients(small, *batch())
    assert found == pytest.approx(loss.item(), rel=1e-6)
    for name, gradient in gradients.arrays().items():
        # 1.702 is rounded to single precision
        assert gradient == pytest.approx(of[name].grad.numpy(), rel=1e-5, abs=1e-7), name


@pytest.mark.parametrize("constant", [-50, -0.5, 3, 50])
def test_a_constant_added_to_all_log_counts_changes_nothing(constant):
    parameters = starting_parameters(CONTEXTS, FEATURES, np.random.default_rng(3))
    contexts, numbers, right, log_counts = batch()
    loss, gradients = loss_and_gradients(parameters, contexts, numbers, right, log_counts)
    moved = loss_and_gradients(parameters, contexts, numbers, right, log_counts + constant)
    assert moved[0] == pytest.approx(loss)
    for one, other in zip(gradients.arrays().values(), moved[1].arrays().values(), strict=True):
        assert other == pytest.approx(one, abs=1e-9)


def test_a_number_that_occurs_twice_counts_like_two_candidates(small):
    contexts, numbers, _, _ = batch()
    right, twice = np.array([0, 1, 1]), numbers[[0, 1, 1]]
    together = loss_and_gradients(small, contexts[:3], numbers[:2], right, np.log([1, 2]))[0]
    apart = loss_and_gradients(small, contexts[:3], twice, np.arange(3), np.zeros(3))[0]
    assert together == pytest.approx(apart - np.log(2) * 2 / 3)


def test_scores_do_not_grow_beyond_the_largest_scale(small):
    large = replace(small, log_scale=np.array([9.0]))
    vectors = context_vectors(large, batch()[0])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([LARGEST_SCALE] * GAPS)
    assert loss_and_gradients(large, *batch())[1].log_scale.tolist() == [0]


def test_vectors_of_nothing_are_finite():
    parameters = starting_parameters(CONTEXTS, FEATURES, np.random.default_rng(3))
    vectors = number_vectors(parameters, np.zeros((2, FEATURES), np.float32))
    assert not vectors.any()


def test_gelu_of_large_numbers():
    """Their exponentials overflow, of which NumPy would warn."""
    values, slopes = gelu(np.array([-1000, 0, 1000], np.float32))
    assert values.tolist() == [0, 0, 1000]
    assert slopes.tolist() == [0, 0.5, 1]
